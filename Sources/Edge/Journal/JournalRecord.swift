internal import Market
package import Time

/// An entry of the journal as it was read: of it what concerns alertd.
package struct JournalRecord: Equatable, Sendable {
    package var time: WallTime
    /// 0 to 7, as syslog has them; 6 where an entry has none.
    package var priority: Int
    /// As it was written: it may hold anything.
    package var message: String
    package var messageID: String?
    /// Who says it: alertd, or systemd of it.
    package var identifier: String?
    package var process: Int?
    /// Names the entry to `journalctl --after-cursor`.
    package var cursor: String
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

    /// What kind of entry it is; nil for one that has no id of ours.
    package var kind: String? { MessageID.all.first { $0.text == messageID }?.name }
}

/// Whose entries are read.
package enum JournalScope: Sendable {
    /// The service of the system, and what systemd says of it.
    case system
    /// The service of the user who asks, and any alertd that this user has started.
    case user
    case both
}

/// Entries one after another, from a place that can be moved.
package protocol JournalSource: AnyObject {
    /// To before the first entry of that time or later.
    func seek(to time: WallTime) throws(JournalError)
    /// To behind the last entry.
    func seekToEnd() throws(JournalError)
    /// The entry behind the place, which moves there; nil at the end.
    func next() throws(JournalError) -> JournalRecord?
    /// The entry before the place, which moves there; nil at the beginning.
    func previous() throws(JournalError) -> JournalRecord?
    /// Waits until there may be new entries.
    func wait() throws(JournalError)
}

/// Why the journal cannot be read.
package enum JournalError: Error, Equatable, Sendable {
    /// This machine keeps none.
    case missing
    /// The user may not read the entries of the system.
    case denied
    /// A call failed, with the C library's error number.
    case failed(Int32)
}
