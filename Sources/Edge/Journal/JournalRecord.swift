internal import Market
package import Time

/// The parts of a journal entry that concern alertd.
package struct JournalRecord: Equatable, Sendable {
    /// The time when journald received the entry.
    package var time: WallTime
    /// The priority, from 0 (emergency) to 7 (debug) as in syslog; 6 if the entry has none.
    package var priority: Int
    /// The message as it was written; it may contain any characters.
    package var message: String
    /// The `MESSAGE_ID`: 32 hexadecimal digits; nil for an entry without one.
    package var messageID: String?
    /// The program that wrote the entry: alertd, or systemd for an entry about alertd.
    package var identifier: String?
    /// The id of the process that wrote the entry; nil if the entry has none.
    package var process: Int?
    /// The identifier of the entry for `journalctl --after-cursor`.
    package var cursor: String
    /// The fields of alertd that the entry has.
    package var values: [JournalField: String]

    package init(
        time: WallTime, priority: Int = 6, message: String, messageID: String? = nil, identifier: String? = "alertd",
        process: Int? = nil, cursor: String = "", values: [JournalField: String] = [:]
    ) {
        self.time = time
        self.priority = priority
        self.message = message
        self.messageID = messageID
        self.identifier = identifier
        self.process = process
        self.cursor = cursor
        self.values = values
    }

    /// Creates a record from the fields of an entry.
    ///
    /// - Parameters:
    ///   - time: the time when journald received the entry.
    ///   - cursor: the identifier of the entry for `journalctl --after-cursor`.
    ///   - value: returns the value of a field, by name; nil if the entry lacks it.
    init(time: WallTime, cursor: String, value: (String) -> String?) {
        self.init(
            time: time, priority: value("PRIORITY").flatMap { Int($0) } ?? 6, message: value("MESSAGE") ?? "",
            messageID: value("MESSAGE_ID"), identifier: value("SYSLOG_IDENTIFIER"),
            process: value("_PID").flatMap { Int($0) }, cursor: cursor)
        for field in JournalField.allCases { values[field] = value(field.rawValue) }
    }

    /// The name of the kind of entry; nil for an entry without an id of alertd.
    package var kind: String? { MessageID.all.first { $0.text == messageID }?.name }
}

/// The service whose entries are read.
package enum JournalScope: Sendable {
    /// Entries of the system service, and entries of systemd about it.
    case system
    /// Entries of the current user's service, and of any alertd that this user has started.
    case user
    case both

    /// Returns the matches that select these entries. An entry must have all fields of at least one of the lists.
    func alternatives(unit: String, user: UInt32) -> [[String]] {
        let system = [["_SYSTEMD_UNIT=\(unit)"], ["UNIT=\(unit)", "_PID=1"]]
        let own = "_UID=\(user)"
        let users = [
            ["_SYSTEMD_USER_UNIT=\(unit)", own], ["USER_UNIT=\(unit)", own], ["SYSLOG_IDENTIFIER=alertd", own],
        ]
        return switch self {
        case .system: system
        case .user: users
        case .both: system + users
        }
    }
}

/// A sequence of entries with a position that can be moved.
package protocol JournalSource: AnyObject {
    /// Moves before the first entry at or after the time.
    func seek(to time: WallTime) throws(JournalError)
    /// Moves after the last entry.
    func seekToEnd() throws(JournalError)
    /// Moves to the next entry and returns it; nil at the end.
    func next() throws(JournalError) -> JournalRecord?
    /// Moves to the previous entry and returns it; nil at the beginning.
    func previous() throws(JournalError) -> JournalRecord?
    /// Waits until there may be new entries.
    func wait() throws(JournalError)
}

/// The reason why the journal cannot be read.
package enum JournalError: Error, Equatable, Sendable {
    /// This machine has no journal.
    case missing
    /// The user may not read the entries of the system.
    case denied
    /// A call failed, with the C library's error number.
    case failed(Int32)
}
