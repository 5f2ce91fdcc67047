internal import Arguments
internal import Control

/// `alertctl completion SHELL`: a script that teaches a shell this program.
enum CompletionCommand: Command {
    static let specification = CommandLineSpecification(
        "completion", summary: "Print a completion script for a shell",
        examples: [
            Example("source <(alertctl completion bash)", "For the bash you are in."),
            Example("alertctl completion fish > ~/.config/fish/completions/alertctl.fish", "For every fish."),
        ],
        operands: [
            OperandSpecification("SHELL", kind: .oneOf(Shell.allCases.map(\.rawValue)), help: "bash, zsh or fish")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        guard let shell = context.arguments.operands.first.flatMap(Shell.init) else { return .usage }
        context.environment.write(ClientCommandLine.specification.completionScript(for: shell))
        return .success
    }
}

/// `alertctl __complete symbols|rules`: what completion scripts ask while the user types. It says nothing at all when
/// the daemon cannot be asked.
enum CompleteWords {
    static let name = "__complete"

    static func run(_ kind: String, in environment: ClientEnvironment) {
        let words = (try? words(kind, in: environment)) ?? []
        // A word with a control character in it could not be typed, and would harm the terminal.
        environment.write(words.filter { plain(.text($0)) == $0 }.map { $0 + "\n" }.joined())
    }

    private static func words(_ kind: String, in environment: ClientEnvironment) throws(ClientError) -> [String] {
        let connection = try Context(ParsedArguments(), in: environment).connect()
        switch kind {
        case "symbols":
            return try connection.call(.listTickers, ListTickersParameters(), returning: ListTickersReply.self)
                .symbols.map(\.symbol)
        case "rules":
            return try connection.call(.listRules, Nothing(), returning: ListRulesReply.self).rules.map(\.name)
        default: return []
        }
    }
}
