/// The kind of value that an option or operand accepts. It also determines how shells complete the value.
package enum ValueKind: Equatable, Sendable {
    /// Any text.
    case any
    /// One of these words.
    case oneOf([String])
    case file
    case directory
    /// A word that is not known until run time, such as a symbol or a rule. The string is the kind of word.
    case live(String)
}

/// An option as data. The parser, the help, the manual page and the completions all use it.
package struct OptionSpecification: Equatable, Sendable {
    /// The long name without dashes. ``ParsedArguments`` uses the same name.
    package var name: String
    /// Alternative spellings that are also accepted.
    package var aliases: [String]
    /// The letter of the short form; nil if there is none.
    package var short: Character?
    /// The name of the value in the help, such as `FILE`; nil for an option without a value.
    package var valueName: String?
    /// One line, without a full stop.
    package var help: String
    /// Additional text for the manual page, in whole sentences.
    package var details: String?
    package var kind: ValueKind

    package init(
        _ name: String, aliases: [String] = [], short: Character? = nil, value valueName: String? = nil,
        kind: ValueKind = .any, help: String, details: String? = nil
    ) {
        self.name = name
        self.aliases = aliases
        self.short = short
        self.valueName = valueName
        self.help = help
        self.details = details
        self.kind = kind
    }

    /// The option `-h, --help` of every program; see ``ParsedArguments/wantsHelp``.
    package static let help = OptionSpecification("help", short: "h", help: "Show this help and exit")
}

/// An argument that is identified by its position.
package struct OperandSpecification: Equatable, Sendable {
    /// The name in the help, such as `SYMBOL`.
    package var name: String
    /// One line, without a full stop.
    package var help: String
    package var kind: ValueKind
    /// True if the operand may be omitted.
    package var isOptional: Bool
    /// True if the operand may be repeated. Only the last operand of a command may be.
    package var isRepeated: Bool

    package init(
        _ name: String, kind: ValueKind = .any, isOptional: Bool = false, isRepeated: Bool = false, help: String
    ) {
        self.name = name
        self.help = help
        self.kind = kind
        self.isOptional = isOptional
        self.isRepeated = isRepeated
    }

    /// The form in a usage line: `FILE`, `[FILE]` or `FILE...`.
    var written: String { (isOptional ? "[\(name)]" : name) + (isRepeated ? "..." : "") }
}

/// An example command line with its effect.
package struct Example: Equatable, Sendable {
    /// The whole command line, starting with the program.
    package var line: String
    /// One line, without a full stop.
    package var meaning: String

    package init(_ line: String, _ meaning: String) {
        self.line = line
        self.meaning = meaning
    }
}

/// A program or one of its commands, as data; see ``parse(_:)``, ``helpText(for:)``, ``manualPage(section:)`` and
/// ``completionScript(for:)``.
///
/// The options of a command are also valid for all commands below it.
package struct CommandLineSpecification: Equatable, Sendable {
    /// The name on the command line.
    package var name: String
    /// Alternative names that are also accepted. After parsing, ``ParsedArguments/path`` contains ``name`` instead.
    package var aliases: [String]
    /// Words that people try as a command below this one, each with the command line that they probably want.
    package var hints: [String: String] = [:]
    /// One line, without a full stop.
    package var summary: String
    // Each run uses at most one of a program's many commands, so the options, examples and other large parts are
    // built on demand.
    private var makeDiscussion: @Sendable () -> [String]
    private var makeExamples: @Sendable () -> [Example]
    private var makeOptions: @Sendable () -> [OptionSpecification]
    private var makeOperands: @Sendable () -> [OperandSpecification]
    private var makeCommands: @Sendable () -> [CommandLineSpecification]
    /// True if one of ``commands`` must be given.
    package var requiresCommand: Bool
    /// The exit codes and their meanings, for the help and the manual page of the whole program.
    package var exitCodes: [(code: Int, meaning: String)]

    package init(
        _ name: String, aliases: [String] = [], summary: String,
        discussion: @autoclosure @escaping @Sendable () -> [String] = [],
        examples: @autoclosure @escaping @Sendable () -> [Example] = [],
        options: @autoclosure @escaping @Sendable () -> [OptionSpecification] = [],
        operands: @autoclosure @escaping @Sendable () -> [OperandSpecification] = [],
        commands: @autoclosure @escaping @Sendable () -> [CommandLineSpecification] = [],
        requiresCommand: Bool = false, hints: [String: String] = [:],
        exitCodes: [(code: Int, meaning: String)] = []
    ) {
        self.name = name
        self.aliases = aliases
        self.summary = summary
        makeDiscussion = discussion
        makeExamples = examples
        makeOptions = options
        makeOperands = operands
        makeCommands = commands
        self.requiresCommand = requiresCommand
        self.hints = hints
        self.exitCodes = exitCodes
    }

    /// Paragraphs for the help and the manual page.
    package var discussion: [String] {
        get { makeDiscussion() }
        set { makeDiscussion = { newValue } }
    }

    /// Examples, which the help shows first.
    package var examples: [Example] {
        get { makeExamples() }
        set { makeExamples = { newValue } }
    }

    /// The options of this command and of all commands below it.
    package var options: [OptionSpecification] {
        get { makeOptions() }
        set { makeOptions = { newValue } }
    }

    package var operands: [OperandSpecification] {
        get { makeOperands() }
        set { makeOperands = { newValue } }
    }

    /// The commands below this one, in the order of the help.
    package var commands: [CommandLineSpecification] {
        get { makeCommands() }
        set { makeCommands = { newValue } }
    }

    /// Compares everything except the exit codes.
    package static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.aliases == right.aliases && left.options == right.options
            && left.operands == right.operands
            && left.commands == right.commands
    }

    /// Returns the command directly below this one that has the given name or alias.
    package func command(_ name: String) -> CommandLineSpecification? {
        commands.first { $0.name == name || $0.aliases.contains(name) }
    }

    /// Returns this specification and the ones below it along the path, outermost first, or nil if there is no such
    /// command.
    package func chain(_ path: [String]) -> [CommandLineSpecification]? {
        var chain = [self]
        for name in path {
            guard let next = chain[chain.count - 1].command(name) else { return nil }
            chain.append(next)
        }
        return chain
    }
}
