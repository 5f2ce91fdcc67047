internal import Arguments

/// Help text for commands that change something.
let accessText = "Only root, the daemon's own user and members of the group alertd-admin may do this."

/// A command of alertctl. ``allCommands`` lists them all; help, the manual page and completions are made from this
/// list.
protocol Command: SendableMetatype {
    static var specification: CommandLineSpecification { get }
    /// Options for output formats in which the command prints nothing. They are refused, so that nobody takes the
    /// output for one in the requested format.
    static var refusedFormats: [FormatOption] { get }

    /// Runs the command.
    ///
    /// - Throws: ``ClientError``, which is reported with its message and exit code.
    static func run(_ context: Context) throws(ClientError) -> ExitCode
}

extension Command {
    static var refusedFormats: [FormatOption] { [] }

    /// Checks that the command has output in the requested format.
    ///
    /// - Throws: ``ClientError/usage(_:)`` if it has none.
    static func checkFormat(_ arguments: ParsedArguments) throws(ClientError) {
        guard let refused = refusedFormats.first(where: { arguments.has($0.rawValue) }) else { return }
        throw .usage("'alertctl \(specification.name)' does not print \(refused.text); omit --\(refused.rawValue)")
    }
}
