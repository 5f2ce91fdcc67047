internal import Arguments

/// `alertctl help [COMMAND]`: the same as `--help`.
enum HelpCommand: Command {
    static let specification = CommandLineSpecification(
        "help", summary: "Show the help of the program or of a command",
        operands: [
            OperandSpecification(
                "COMMAND", kind: .live("commands"), isOptional: true, help: "The name of a command: list")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        // A wrong name is held against the real ones, which also suggests the nearest.
        let whole = ClientCommandLine.specification
        do {
            let path = try whole.parse(context.arguments.operands + ["--help"]).path
            context.environment.write(whole.helpText(for: path) ?? "")
        } catch {
            throw .usage(String(error.text.dropFirst("alertctl: ".count)))
        }
        return .success
    }
}
