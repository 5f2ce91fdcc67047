internal import Arguments
internal import Diagnostics

/// `alertctl help [COMMAND…]`: the same as `--help`.
enum HelpCommand: Command {
    static let specification = CommandLineSpecification(
        "help", summary: "Show help for the program or a command",
        operands: [
            OperandSpecification(
                "COMMAND", kind: .live("commands"), isOptional: true, isRepeated: true,
                help: "The name of a command, such as list or silence add")
        ])

    static let refusedFormats = FormatOption.allCases

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let whole = ClientCommandLine.specification
        var command = whole
        var words: [String] = []
        for word in context.arguments.operands {
            words.append(word)
            guard let next = command.command(word) else { break }
            command = next
        }
        do throws(UsageError) {
            // Parsing reports an unknown name, unless the command takes it as an operand.
            let parsed = try whole.parse(words + ["--help"])
            if let extra = parsed.operands.first { throw unknown(extra, of: command, at: parsed.path) }
            context.environment.write(whole.helpText(for: parsed.path) ?? "")
        } catch {
            throw .usage(String(error.text.dropFirst("alertctl: ".count)))
        }
        return .success
    }

    private static func unknown(_ name: String, of command: CommandLineSpecification, at path: [String]) -> UsageError {
        let meant = nearest(to: name, among: command.commands.flatMap { [$0.name] + $0.aliases })
        return UsageError(
            command: ([ClientCommandLine.specification.name] + path).joined(separator: " "),
            message: "unknown command '\(visible((path + [name]).joined(separator: " ")))'",
            advice: meant.map { "did you mean '\($0)'?" })
    }
}
