package import Configuration
package import Desktop
package import Journal
internal import Market
package import Time

/// The program's interface to its surroundings: files, clock, terminal and daemon. Tests supply their own.
package struct ClientEnvironment {
    /// The environment variables that alertctl reads; unset variables are absent.
    package var variables: [String: String] = [:]
    /// True if standard output is a terminal.
    package var isTerminal = false
    /// The width of the terminal in columns; nil without a terminal, when lines may have any length.
    package var width: Int?
    /// The height of the terminal in lines; nil without a terminal.
    package var height: Int?
    /// Shows a text in a pager; returns false, with nothing shown, if there is no pager.
    package var page: (String) -> Bool = { _ in false }
    /// True if a file exists at the path.
    package var exists: (String) -> Bool = { _ in false }
    /// The folder for the user's own files, which may not exist; nil without a home folder.
    package var userFolder: String?
    /// The files with asset names; later files take precedence.
    package var assetFiles: () -> [String] = { [] }
    /// Opens settings files; those of the service are read with the permissions of its user.
    package var settingsFiles: (_ paths: [String]) -> any SettingsFiles = { _ in LocalFiles() }
    /// Asks the user a yes-or-no question; nil without a terminal.
    package var ask: (String) -> Bool? = { _ in nil }
    /// Opens a file in the user's editor, at a line if it is known, and waits until the editor exits; false if that
    /// fails.
    package var edit: (_ path: String, _ line: Int?) -> Bool = { _, _ in false }
    /// Runs the `alertd` program to completion; nil if it cannot be started.
    package var runDaemon: (_ arguments: [String]) -> ProgramResult? = { _ in nil }
    /// Runs a system program to completion with these bytes as its standard input; nil if it cannot be started.
    package var runProgram: (_ name: String, _ arguments: [String], _ input: [UInt8]) -> ProgramResult? = { _, _, _ in
        nil
    }
    /// True if the effective user is root.
    package var isRoot = false
    /// Asks the user for a secret, without echo.
    package var askSecret: (String) -> SecretAnswer = { _ in .noTerminal }
    /// Asks the user a question whose answer is shown.
    package var askLine: (String) -> SecretAnswer = { _ in .noTerminal }
    /// The folders of the service's credentials.
    package var credentialFolders = CredentialFolders()
    /// The working directory of a process; nil if unknown.
    package var workingFolder: (_ process: Int) -> String? = { _ in nil }
    /// The folders to search for the web files of `alertctl web`, in order of precedence.
    package var webFolders: () -> [String] = { [] }
    /// The descriptor of standard input.
    package var standardInput: Int32 = 0
    /// The message of the first failed write to standard output; nil if all succeeded.
    package var outputFailure: () -> String? = { nil }
    /// The current wall-clock time.
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
    /// Sleeps for a duration.
    package var pause: (Milliseconds) -> Void
    /// Opens the journal of this machine; throws ``JournalError/missing`` if there is none.
    package var openJournal: (JournalScope) throws(JournalError) -> any JournalSource = { _ throws(JournalError) in
        throw .missing
    }
    /// True if the user may read the system journal.
    package var canReadSystemJournal: () -> Bool = { true }
    /// Connects to the notification server of the user's desktop.
    package var openDesktop: () throws(DesktopError) -> any NotificationServer = { () throws(DesktopError) in
        throw .noBus("there is no desktop")
    }
    /// Reads a small file of the user; nil if it does not exist.
    package var read: (_ path: String) -> [UInt8]? = { _ in nil }
    /// Writes a small file of the user atomically, and creates its folder if necessary; false if that fails.
    package var replace: (_ path: String, _ content: [UInt8]) -> Bool = { _, _ in false }
    /// Waits until a descriptor has one of these `poll` events, or until the limit has passed.
    package var wait: (_ descriptor: Int32, _ events: Int16, _ limit: Milliseconds) -> Void = { _, _, _ in }
    /// Checks settings files and the files that belong to them.
    package var checkFiles: (_ paths: [String]) -> [SettingsCheck]
    /// Reads settings, rule and test files.
    package var files: any SettingsFiles = LocalFiles()

    /// The properties with defaults describe a program without terminal, journal and environment variables, as in
    /// tests.
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

/// The exit code and the output of a program.
package struct ProgramResult: Equatable, Sendable {
    /// The exit code; -1 if a signal ended it.
    package var code: Int32
    package var output: String
    package var errors: String

    package init(code: Int32, output: String, errors: String) {
        self.code = code
        self.output = output
        self.errors = errors
    }
}

/// The daemon to connect to, and the response timeout.
package struct ConnectionTarget: Equatable, Sendable {
    /// The path of the control socket.
    package var socket: String
    /// Timeout for connecting, and for each response; above 0.
    package var timeout: Milliseconds
}

/// A time zone at a given time.
package struct LocalZone: Equatable, Sendable {
    /// Seconds east of UTC.
    package var offsetSeconds: Int
    /// The abbreviation: `CET`.
    package var name: String

    package init(offsetSeconds: Int, name: String) {
        self.offsetSeconds = offsetSeconds
        self.name = name
    }
}
