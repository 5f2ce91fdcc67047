internal import Arguments
internal import Control

/// `alertctl completion SHELL`: prints a completion script.
enum CompletionCommand: Command {
    static let specification = CommandLineSpecification(
        "completion", summary: "Print a completion script for a shell",
        examples: [
            Example("source <(alertctl completion bash)", "For the current bash session."),
            Example(
                "alertctl completion fish > ~/.config/fish/completions/alertctl.fish", "For all future fish sessions."),
        ],
        operands: [
            OperandSpecification("SHELL", kind: .oneOf(Shell.allCases.map(\.rawValue)), help: "bash, zsh or fish")
        ])

    static let refusedFormats = FormatOption.allCases

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        guard let shell = context.arguments.operands.first.flatMap(Shell.init) else { return .usage }
        context.environment.write(ClientCommandLine.specification.completionScript(for: shell))
        return .success
    }
}
