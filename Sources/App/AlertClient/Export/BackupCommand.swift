internal import Arguments
internal import Control
internal import History
internal import Text

/// `alertctl backup FILE`: copies the state file of the running daemon.
enum BackupCommand: Command {
    static let specification = CommandLineSpecification(
        "backup", summary: "Back up the state file of the running daemon",
        discussion: [
            "The copy is consistent and contains all events, alert states and prices. It is an SQLite file: open it "
                + "with sqlite3, or restore it with 'alertctl restore' while the daemon is stopped. It is written to a "
                + "temporary file, verified and then renamed, and belongs to the user who runs the command.",
            accessText,
        ],
        examples: [
            Example("alertctl backup alertd-2026-11-21.db", "Back up the state."),
            Example("sqlite3 alertd-2026-11-21.db 'SELECT * FROM events'", "Read the backup."),
        ],
        options: [OptionSpecification("force", help: "Overwrite an existing file")],
        operands: [OperandSpecification("FILE", kind: .file, help: "The file to write")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let path = context.arguments.operands.first ?? ""
        try FileEnding.check(path, is: "SQLite")
        let connection = try context.connect()
        let state = try connection.status().store.path
        guard !["", "-wal", "-shm"].contains(where: { SettingsFolder.isSame(path, state + $0) }) else {
            throw .file("\(path): is the daemon's own state file; name another file")
        }
        let file = try OutputFile(path, mode: 0o600, replaces: context.arguments.has("force"), takesStreams: false)
        var receiver = BackupReceiver(file)
        try connection.stream(.backup, Nothing(), returning: BackupReply.self) { receiver.ingest($0) }
        try receiver.check()
        try file.finish()
        context.show(
            Report(parts: [
                .text("\(path): \(context.formatter.bytes(file.byteCount)), verified", .none),
                .fields(key: nil, [Field("file", .text(path)), Field("bytes", .count(file.byteCount))]),
            ]))
        return .success
    }
}

/// The receiving side of a backup, which writes the pieces to a file, and verifies its size and checksum.
private struct BackupReceiver {
    private let file: OutputFile
    private var size: Int?
    private var checksum: String?
    private var failure: ClientError?

    init(_ file: OutputFile) {
        self.file = file
    }

    /// Writes the data of a reply; returns false if the copy has failed.
    mutating func ingest(_ reply: BackupReply) -> Bool {
        size = reply.size ?? size
        checksum = reply.crc32c ?? checksum
        guard let text = reply.data else { return true }
        guard let bytes = Base64.bytes(of: text) else {
            failure = .malformed("a piece of the copy is not valid base64")
            return false
        }
        do throws(ClientError) {
            try file.write(bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Reads the file back from disk and compares size and checksum.
    func check() throws(ClientError) {
        if let failure { throw failure }
        guard let size, let checksum else { throw .closed }
        try file.synchronize()
        var sum: UInt32 = 0
        try file.forEachChunk { sum = CRC32C.checksum(of: $0.span, count: $0.count, continuing: sum) }
        let text = String(sum, radix: 16)
        let padded = String(repeating: "0", count: max(0, 8 - text.count)) + text
        guard file.byteCount == size, padded == checksum else {
            throw .malformed(
                "the copy is damaged: \(file.byteCount) of \(size) bytes, checksum \(padded) instead of \(checksum)")
        }
    }
}
