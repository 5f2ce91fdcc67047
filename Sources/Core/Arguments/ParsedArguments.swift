/// The arguments of a program, parsed by a ``CommandLineSpecification``.
package struct ParsedArguments: Equatable, Sendable {
    /// The names of the commands, outermost first, without the program: `["config", "check"]`.
    package var path: [String] = []
    /// The operands in order.
    package var operands: [String] = []
    private var flags: Set<String> = []
    private var values: [String: [String]] = [:]

    /// Makes empty arguments.
    package init() {}

    /// Returns true if the option was given.
    package func has(_ option: String) -> Bool {
        flags.contains(option) || values[option] != nil
    }

    /// Returns the value of the option, the last one if it was repeated, or nil if it was not given.
    package func value(_ option: String) -> String? {
        values[option]?.last
    }

    /// Returns all values of the option in order.
    package func values(_ option: String) -> [String] {
        values[option] ?? []
    }

    /// True if `--help` was given. Then the other arguments do not matter.
    package var wantsHelp: Bool { has(OptionSpecification.help.name) }

    mutating func add(_ option: OptionSpecification, value: String?) {
        if let value {
            values[option.name, default: []].append(value)
        } else {
            flags.insert(option.name)
        }
    }
}

/// A mistake in a command line, with advice.
package struct UsageError: Error, Equatable, Sendable {
    /// The program and the commands before the mistake, separated by spaces: `alertctl list`.
    package var command: String
    /// The message without a full stop; control characters are escaped.
    package var message: String
    /// Advice, phrased to follow "; ", such as the word that was probably meant; nil if there is none.
    package var advice: String?

    package init(command: String, message: String, advice: String? = nil) {
        self.command = command
        self.message = message
        self.advice = advice
    }

    /// The text for standard error: two lines without a final newline.
    package var text: String {
        let program = command.prefix { $0 != " " }
        return "\(program): \(message)\(advice.map { "; \($0)" } ?? "")\nTry '\(command) --help'."
    }
}
