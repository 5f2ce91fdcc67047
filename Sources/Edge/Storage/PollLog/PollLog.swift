internal import Glibc
internal import History

/// Polls in which nothing happened, since the state file was last committed: `alertd.polls`, next to it.
///
/// To write such a poll here takes a small part of the time of a commit. Like a commit that is not synced, it survives
/// the process, but not a loss of power. The next commit adds the polls to the state file, in the same transaction as a
/// new token; each entry names the token of the file that it continues, so that from then on none of them counts.
///
/// An entry is its length, the checksum of the entry before it, the token, the encoded changes, and a checksum of all
/// that. So what an earlier process left at the end of the file does not continue the last one.
final class PollLog {
    static let fileName = "alertd.polls"
    /// How long it may get, in bytes: at 70 bytes a poll and one poll a second, it has a hundred in a minute.
    static let capacity = 64 << 10

    private let path: String
    private let descriptor: Int32
    /// The token of the state file that the entries continue; nil while that has none, and nothing can be added.
    private var token: UInt64?
    /// The changes of the entries, in their order.
    private(set) var pending: [[SourceChanges]] = []
    private var end = 0
    /// The checksum of the last entry; 0 before the first one.
    private var last: UInt64 = 0
    /// The number of changes in the folder when the file still had its name; nil when that is not known.
    private var namedAt: Int?
    /// The entry being written; kept so that writing allocates nothing.
    private var entry: [UInt8] = []

    /// Opens the file, or creates it, and reads the entries that continue the state file.
    ///
    /// Nil when that is impossible, or it is anything but a regular file of this user.
    ///
    /// - Throws: ``StorageError`` when the state file cannot be read.
    init?(in folder: String, for database: Database) throws(StorageError) {
        path = "\(folder)/\(Self.fileName)"
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        descriptor = unsafe open(path, flags, 0o640 as mode_t)
        guard let status, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { return nil }
        token = try database.pollToken()
        if let token { read(after: token) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Removes the file, as there is nothing in it that anyone needs.
    func remove() {
        unsafe unlink(path)
    }

    /// Whether the next commit has to add the entries to the state file, or to give it a token.
    var mustBeCommitted: Bool { token == nil || !pending.isEmpty }

    private var status: stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Begins again: all entries are in the state file, which has this token now.
    func restart(after token: UInt64) {
        self.token = token
        (end, last, pending) = (0, 0, [])
    }

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - sources: the changes of a poll.
    ///   - changeCount: how often a name in the folder has changed; nil when that is not known.
    /// - Returns: whether it survives the process; otherwise nothing was added.
    func append(_ sources: [SourceChanges], _ changeCount: Int?) -> Bool {
        guard let token, hasName(at: changeCount) else { return false }
        entry.removeAll(keepingCapacity: true)
        entry.appendFixed(0, count: 4)
        entry.appendFixed(last, count: 4)
        entry.appendFixed(token, count: 8)
        guard entry.appendQuiet(sources) else { return false }
        let length = entry.count + 4
        guard length <= Self.capacity - end else { return false }
        for place in 0..<4 { entry[place] = UInt8(truncatingIfNeeded: length &>> (place * 8)) }
        entry.appendChecksum()
        guard unsafe pwrite(descriptor, entry, length, off_t(end)) == length else { return false }
        end += length
        last = Self.checksum(of: entry)
        pending.append(sources)
        return true
    }

    /// Whether the file still has a name; it is looked at only when a name in the folder has changed.
    private func hasName(at changeCount: Int?) -> Bool {
        if let changeCount, changeCount == namedAt { return true }
        guard let status, status.st_nlink > 0 else { return false }
        namedAt = changeCount
        return true
    }

    private static func checksum(of entry: [UInt8]) -> UInt64 {
        var reader = ByteReader(position: entry.count - 4)
        return reader.fixed(4, entry.span) ?? 0
    }

    /// Reads the entries that continue the state file of this token, in their order.
    private func read(after token: UInt64) {
        var bytes = [UInt8](repeating: 0, count: Self.capacity)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return }
        while let length = Self.length(at: end, in: bytes[..<count]) {
            let entry = Array(bytes[end..<end + length])
            guard let sources = Self.sources(of: entry, after: last, token) else { return }
            pending.append(sources)
            end += length
            last = Self.checksum(of: entry)
        }
    }

    private static func length(at place: Int, in bytes: ArraySlice<UInt8>) -> Int? {
        var reader = ByteReader(position: place)
        guard let length = reader.fixed(4, bytes.span), length > 0, length <= bytes.count - place else { return nil }
        return Int(length)
    }

    /// What an entry has; nil when it is not the next one.
    private static func sources(of entry: [UInt8], after last: UInt64, _ token: UInt64) -> [SourceChanges]? {
        guard let count = ByteReader.checked(entry.span) else { return nil }
        let bytes = Array(entry[..<count])
        var reader = ByteReader(position: 4)
        guard reader.fixed(4, bytes.span) == last, reader.fixed(8, bytes.span) == token else { return nil }
        return reader.quietSources(bytes)
    }
}

extension Database {
    private static let tokenName = "poll_log"

    /// What entries in the log of polls have to name to continue this file; nil while it has none.
    fileprivate func pollToken() throws(StorageError) -> UInt64? {
        try facts.value(Self.tokenName).flatMap { UInt64($0, radix: 16) }
    }

    /// Stores a new token, with which no entry counts; runs inside a transaction.
    func renewPollToken() throws(StorageError) -> UInt64 {
        let token = UInt64.random(in: .min ... .max)
        try facts.set(Self.tokenName, String(token, radix: 16))
        return token
    }
}
