package import Configuration
package import Desktop
package import Journal
internal import Market
package import Time

/// Everything that the program sees of its surroundings, so that tests can supply their own.
package struct ClientEnvironment {
    /// The environment variables that alertctl knows; one that is not set is absent.
    package var variables: [String: String] = [:]
    /// Whether standard output is a terminal.
    package var isTerminal = false
    /// The width of the terminal in columns; nil without one, and then lines may have any length.
    package var width: Int?
    /// The height of the terminal in lines; nil without one.
    package var height: Int?
    /// Shows a text in a pager; false if there is none, and then nothing is shown.
    package var page: (String) -> Bool = { _ in false }
    /// Whether a file exists at the path.
    package var exists: (String) -> Bool = { _ in false }
    /// The folder for the user's own files, which may not exist; nil without a home folder.
    package var userFolder: String?
    /// The files with names of assets; later ones take precedence.
    package var assetFiles: () -> [String] = { [] }
    /// The settings files that the service reads, with its permissions if these files are the service's.
    package var settingsFiles: (_ paths: [String]) -> any SettingsFiles = { _ in LocalFiles() }
    /// Asks the user a question that is answered with yes or no; nil if nobody is there to answer.
    package var ask: (String) -> Bool? = { _ in nil }
    /// Opens a file in the user's editor, at a line if it is known, and waits for its end; false if that fails.
    package var edit: (_ path: String, _ line: Int?) -> Bool = { _, _ in false }
    /// Runs the daemon's program to its end; nil if it cannot be started.
    package var runDaemon: (_ arguments: [String]) -> ProgramResult? = { _ in nil }
    /// Runs a program of the system to its end, with these bytes as its standard input; nil if it cannot be started.
    package var runProgram: (_ name: String, _ arguments: [String], _ input: [UInt8]) -> ProgramResult? = { _, _, _ in
        nil
    }
    /// Whether the user is root.
    package var isRoot = false
    /// Asks the user a question whose answer is not shown.
    package var askSecret: (String) -> SecretAnswer = { _ in .noTerminal }
    /// The folders of the service's credentials.
    package var credentialFolders = CredentialFolders()
    /// The working folder of a process; nil if it is not known.
    package var workingFolder: (_ process: Int) -> String? = { _ in nil }
    /// The folders that may have the files of the page of `alertctl web`; the first one with a file counts.
    package var webFolders: () -> [String] = { [] }
    /// The descriptor of standard input.
    package var standardInput: Int32 = 0
    /// The message about a failed write to standard output; nil while there was none.
    package var outputFailure: () -> String? = { nil }
    /// The time by the wall clock.
    package var now: () -> WallTime
    /// The local time zone at a given time.
    package var zone: (WallTime) -> LocalZone = { _ in LocalZone(offsetSeconds: 0, name: "UTC") }
    /// The decimal sign of the user's locale: a point or a comma.
    package var decimalSign: () -> Character = { "." }
    /// Writes data to standard output.
    package var write: (String) -> Void
    /// Writes messages to standard error.
    package var warn: (String) -> Void
    /// Connects to the daemon.
    package var connect: (ConnectionTarget) throws(ClientError) -> any ControlConnection
    /// Waits for that long.
    package var pause: (Milliseconds) -> Void
    /// Opens the journal of this machine; without one, ``JournalError/missing``.
    package var openJournal: (JournalScope) throws(JournalError) -> any JournalSource = { _ throws(JournalError) in
        throw .missing
    }
    /// Whether the user may read the system's entries in the journal.
    package var canReadSystemJournal: () -> Bool = { true }
    /// Connects to what shows notifications on the user's desktop.
    package var openDesktop: () throws(DesktopError) -> any NotificationServer = { () throws(DesktopError) in
        throw .noBus("there is no desktop")
    }
    /// Reads a small file of the user's; nil if there is none.
    package var read: (_ path: String) -> [UInt8]? = { _ in nil }
    /// Writes a small file of the user's, which appears complete or not at all, and its folder; false if that fails.
    package var replace: (_ path: String, _ content: [UInt8]) -> Bool = { _, _ in false }
    /// Waits until a descriptor has one of these events of `poll`, at most for that long.
    package var wait: (_ descriptor: Int32, _ events: Int16, _ limit: Milliseconds) -> Void = { _, _, _ in }
    /// Checks settings files and the files that belong to them.
    package var checkFiles: (_ paths: [String]) -> [SettingsCheck]
    /// Reads files of settings, rules and tests.
    package var files: any SettingsFiles = LocalFiles()

    /// What has a default is for a program without a terminal, journal and variables, as in tests.
    package init(
        now: @escaping () -> WallTime, write: @escaping (String) -> Void,
        warn: @escaping (String) -> Void,
        connect: @escaping (ConnectionTarget) throws(ClientError) -> any ControlConnection,
        pause: @escaping (Milliseconds) -> Void,
        checkFiles: @escaping (_ paths: [String]) -> [SettingsCheck]
    ) {
        self.now = now
        self.write = write
        self.warn = warn
        self.connect = connect
        self.pause = pause
        self.checkFiles = checkFiles
    }
}

/// The end of a program, and what it wrote.
package struct ProgramResult: Equatable, Sendable {
    /// The exit code; -1 if a signal ended it.
    package var code: Int32
    package var output: String
    package var errors: String

    /// Makes the result of a program that ended with a code.
    package init(code: Int32, output: String, errors: String) {
        self.code = code
        self.output = output
        self.errors = errors
    }
}

/// Which daemon to talk to, and how long to wait for each response.
package struct ConnectionTarget: Equatable, Sendable {
    /// The path of the control socket.
    package var socket: String
    /// How long to wait for the connection, and for each response; above 0.
    package var timeout: Milliseconds
}

/// A time zone at a given time.
package struct LocalZone: Equatable, Sendable {
    /// Seconds east of UTC.
    package var offsetSeconds: Int
    /// The abbreviation: `CET`.
    package var name: String

    /// Makes a zone of an offset from UTC, positive to the east, and an abbreviation to show.
    package init(offsetSeconds: Int, name: String) {
        self.offsetSeconds = offsetSeconds
        self.name = name
    }
}
