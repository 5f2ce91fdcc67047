/// What the value of an option or an operand may be, which is also how a shell completes it.
package enum ValueKind: Equatable, Sendable {
    /// Any text at all.
    case any
    /// One of these words.
    case oneOf([String])
    case file
    case directory
    /// A word of this kind that only the running program knows.
    case live(String)
}

/// One option, as data: the parser, the help, the manual page and the completions are all made from it.
package struct OptionSpecification: Equatable, Sendable {
    /// The long name without its dashes, which is also how ``ParsedArguments`` knows it.
    package var name: String
    /// Other spellings of the name, which are accepted too.
    package var aliases: [String]
    /// The letter of the short form; nil when there is none.
    package var short: Character?
    /// The name of the value in the help (`FILE`); nil for an option that takes no value.
    package var valueName: String?
    /// One line, without a full stop.
    package var help: String
    /// What the manual page says beyond ``help``; whole sentences.
    package var details: String?
    /// What the value may be.
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

    /// `-h, --help`, which every program has; see ``ParsedArguments/wantsHelp``.
    package static let help = OptionSpecification("help", short: "h", help: "Show this help and exit")
}

/// One argument that is identified by its position.
package struct OperandSpecification: Equatable, Sendable {
    /// Its name in the help: `SYMBOL`.
    package var name: String
    /// One line, without a full stop.
    package var help: String
    package var kind: ValueKind
    /// Whether it may be left out.
    package var isOptional: Bool
    /// Whether it may be given several times; only the last operand of a command may be.
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

    /// `FILE`, `[FILE]`, `FILE...`
    var written: String { (isOptional ? "[\(name)]" : name) + (isRepeated ? "..." : "") }
}

/// A command line, and what it does.
package struct Example: Equatable, Sendable {
    /// The whole line, starting with the program.
    package var line: String
    /// One line, without a full stop.
    package var meaning: String

    /// Makes an example of a whole line and one line that says what it does, without a full stop.
    package init(_ line: String, _ meaning: String) {
        self.line = line
        self.meaning = meaning
    }
}

/// A program or one of its commands, as data; see ``parse(_:)``, ``helpText(for:)``, ``manualPage(section:)`` and
/// ``completionScript(for:)``.
///
/// The options of a command may also be given to all commands below it.
package struct CommandLineSpecification: Equatable, Sendable {
    /// The name that is typed.
    package var name: String
    /// Other names that are accepted too, such as another spelling; ``ParsedArguments/path`` has ``name``.
    package var aliases: [String]
    /// Words that people try as a command below this one, each with the line that does what they probably want.
    package var hints: [String: String] = [:]
    /// One line, without a full stop.
    package var summary: String
    // A program has many commands, and each run needs at most the options of one: what is long is made when it is asked
    // for.
    private var makeDiscussion: @Sendable () -> [String]
    private var makeExamples: @Sendable () -> [Example]
    private var makeOptions: @Sendable () -> [OptionSpecification]
    private var makeOperands: @Sendable () -> [OperandSpecification]
    private var makeCommands: @Sendable () -> [CommandLineSpecification]
    /// Whether one of ``commands`` has to be named.
    package var requiresCommand: Bool
    /// Exit codes with their meaning, for the help and the manual page of the whole program.
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

    /// Whole paragraphs, for the help and the manual page.
    package var discussion: [String] {
        get { makeDiscussion() }
        set { makeDiscussion = { newValue } }
    }

    /// Examples, shown first in the help.
    package var examples: [Example] {
        get { makeExamples() }
        set { makeExamples = { newValue } }
    }

    /// Also the options of all commands below this one.
    package var options: [OptionSpecification] {
        get { makeOptions() }
        set { makeOptions = { newValue } }
    }

    /// The operands in their order.
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

    /// The command of the given name, or alias, directly below this one.
    package func command(_ name: String) -> CommandLineSpecification? {
        commands.first { $0.name == name || $0.aliases.contains(name) }
    }

    /// This specification and those below it along the path, outermost first; nil when there is no such command.
    package func chain(_ path: [String]) -> [CommandLineSpecification]? {
        var chain = [self]
        for name in path {
            guard let next = chain[chain.count - 1].command(name) else { return nil }
            chain.append(next)
        }
        return chain
    }
}
