package import Configuration
package import Journal
internal import Market
package import Time

/// All that the program sees of the world around it, so that tests can make up their own.
package struct ClientEnvironment {
    package var variables: [String: String] = [:]
    /// Whether standard output is a terminal.
    package var isTerminal = false
    /// Columns of the terminal; nil when there is none, and then lines may be of any length.
    package var width: Int?
    /// Whether there is a file of that path.
    package var exists: (String) -> Bool = { _ in false }
    /// The descriptor of standard input.
    package var standardInput: Int32 = 0
    /// What went wrong with standard output, in words; nil while all is well.
    package var outputFailure: () -> String? = { nil }
    package var now: () -> WallTime
    /// How far local time is ahead of UTC at a time.
    package var zone: (WallTime) -> LocalZone = { _ in LocalZone(offsetSeconds: 0, name: "UTC") }
    /// Writes data to standard output.
    package var write: (String) -> Void
    /// Writes words to standard error.
    package var warn: (String) -> Void
    package var connect: (ConnectionTarget) throws(ClientError) -> any ControlConnection
    package var pause: (Milliseconds) -> Void
    package var openJournal: (JournalScope) throws(JournalError) -> any JournalSource = { _ throws(JournalError) in
        throw .missing
    }
    /// Whether the user may read the entries of the system in the journal.
    package var canReadSystemJournal: () -> Bool = { true }
    /// What there is to say of settings files and those that belong to them.
    package var checkFiles: (_ paths: [String]) -> [SettingsCheck]
    /// Where files of settings, rules and tests are read from.
    package var files: any SettingsFiles = LocalFiles()

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

/// Which daemon to talk to, and how long to wait for each answer.
package struct ConnectionTarget: Equatable, Sendable {
    package var socket: String
    package var timeout: Milliseconds
}

/// A time zone at one time.
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
