internal import Arguments

/// Help text for commands that change something.
let accessText = "Only root, the daemon's own user and members of the group alertd-admin may do this."

/// A command of alertctl. ``allCommands`` lists them all; help, the manual page and completions are made from this
/// list.
protocol Command: SendableMetatype {
    static var specification: CommandLineSpecification { get }

    /// Runs the command.
    ///
    /// - Throws: ``ClientError``, which is reported with its message and exit code.
    static func run(_ context: Context) throws(ClientError) -> ExitCode
}
