/// What was typed, parsed by a ``CommandLineSpecification``.
package struct ParsedArguments: Equatable, Sendable {
    /// The names of the commands, outermost first, without the program: `["config", "check"]`.
    package var path: [String] = []
    /// The operands in their order.
    package var operands: [String] = []
    private var flags: Set<String> = []
    private var values: [String: [String]] = [:]

    /// No command, option or operand.
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

    /// Whether `--help` was given; if so, nothing else matters.
    package var wantsHelp: Bool { has(OptionSpecification.help.name) }

    mutating func add(_ option: OptionSpecification, value: String?) {
        if let value {
            values[option.name, default: []].append(value)
        } else {
            flags.insert(option.name)
        }
    }
}

/// An invalid command line: what is wrong with it, and what to do.
package struct UsageError: Error, Equatable, Sendable {
    /// The program and the commands named before the mistake, joined by spaces: `alertctl list`.
    package var command: String
    /// What is wrong, without a full stop; control characters are escaped.
    package var message: String
    /// What was probably meant, phrased to follow "; "; nil when nothing is similar.
    package var advice: String?

    /// Makes an error for the program or command of that name.
    package init(command: String, message: String, advice: String? = nil) {
        self.command = command
        self.message = message
        self.advice = advice
    }

    /// Two lines for standard error, without a final newline.
    package var text: String {
        let program = command.prefix { $0 != " " }
        return "\(program): \(message)\(advice.map { "; \($0)" } ?? "")\nTry '\(command) --help'."
    }
}
