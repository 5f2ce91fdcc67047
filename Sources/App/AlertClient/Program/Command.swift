internal import Arguments

/// For the help of commands that change something.
let accessText = "Only root, the daemon's own user and members of the group alertd-admin may do this."

/// A command of the program. Each is in the list of ``allCommands``, from which help, manual page and completions are
/// made too.
protocol Command: SendableMetatype {
    static var specification: CommandLineSpecification { get }

    /// Runs the command.
    ///
    /// - Returns: the exit code of the program.
    /// - Throws: ``ClientError``, which is reported with its message and exit code.
    static func run(_ context: Context) throws(ClientError) -> ExitCode
}
