internal import Arguments

/// `alertctl help [COMMAND…]`: the same as `--help`.
enum HelpCommand: Command {
    static let specification = CommandLineSpecification(
        "help", summary: "Show help for the program or a command",
        operands: [
            OperandSpecification(
                "COMMAND", kind: .live("commands"), isOptional: true, isRepeated: true,
                help: "The name of a command, such as list or silence add")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        // Parsing reports an unknown name and suggests the nearest one.
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
