/// What was typed, after it was held against a ``CommandLineSpecification``.
package struct ParsedArguments: Equatable, Sendable {
    /// The names of the commands, outermost first, without the program: `["config", "check"]`.
    package var path: [String] = []
    package var operands: [String] = []
    private var flags: Set<String> = []
    private var values: [String: [String]] = [:]

    package init() {}

    /// Whether the option was given.
    package func has(_ option: String) -> Bool {
        flags.contains(option) || values[option] != nil
    }

    /// The value of the option; the last one if it was given several times; nil if it was not given.
    package func value(_ option: String) -> String? {
        values[option]?.last
    }

    /// All values of the option, in the order given.
    package func values(_ option: String) -> [String] {
        values[option] ?? []
    }

    /// Whether `--help` was asked for, and then nothing else counts.
    package var wantsHelp: Bool { has(OptionSpecification.help.name) }

    mutating func add(_ option: OptionSpecification, value: String?) {
        if let value {
            values[option.name, default: []].append(value)
        } else {
            flags.insert(option.name)
        }
    }
}

/// A command line that makes no sense: what is wrong with it, and what to do.
package struct UsageError: Error, Equatable, Sendable {
    /// The program and the commands named before the mistake, joined by spaces: `alertctl list`.
    package var command: String
    /// What is wrong, without a full stop; shows no control character.
    package var message: String
    /// What was probably meant, in words that can follow "; "; nil when nothing is near.
    package var advice: String?

    package init(command: String, message: String, advice: String? = nil) {
        self.command = command
        self.message = message
        self.advice = advice
    }

    /// Two lines for the error stream, without a line end.
    package var text: String {
        let program = command.prefix { $0 != " " }
        return "\(program): \(message)\(advice.map { "; \($0)" } ?? "")\nTry '\(command) --help'."
    }
}
