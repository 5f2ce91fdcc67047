internal import Arguments
internal import Configuration
internal import Diagnostics

/// `alertctl config check [FILE]`: finds errors in settings before the daemon does.
enum ConfigCommand: Command {
    static let specification = CommandLineSpecification(
        "config", summary: "Manage settings",
        commands: [
            CommandLineSpecification(
                "check", summary: "Check a settings file and report all errors at once",
                discussion: [
                    "Finds what 'alertd --check' finds, without a running daemon; 'alertctl check' finds more."
                ],
                examples: [Example("alertctl config check etc/alertd.toml", "Before a reload.")],
                operands: [
                    OperandSpecification(
                        "FILE", kind: .file, isOptional: true,
                        help: "The settings file; default: that of the running daemon, or else "
                            + CheckCommand.defaultFile)
                ])
        ], requiresCommand: true)

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let file = context.arguments.operands.first ?? CheckCommand.usualFile(context)
        let findings = context.environment.checkFiles([file]).flatMap(\.findings)
        let isGood = !findings.contains { $0.severity == .error }
        CheckCommand.show(findings, [file], isGood: isGood, context)
        return isGood ? .success : .badSettings
    }
}
