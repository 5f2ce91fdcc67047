internal import Arguments
internal import Control
internal import History

/// `alertctl backup FILE`: a copy of the daemon's state file, while it runs.
enum BackupCommand: Command {
    static let specification = CommandLineSpecification(
        "backup", summary: "Copy the daemon's state file, while it runs",
        discussion: [
            "The copy is of one moment, with all events, alert states and prices; it is a file of SQLite, to be "
                + "opened with sqlite3 or to be put in the place of alertd.db while the daemon is stopped. It is "
                + "written under another name, checked, and then given its name; it belongs to who calls.",
            "For root, the user of the daemon and the group alertd-admin.",
        ],
        examples: [
            Example("alertctl backup alertd-2026-11-21.db", "A copy of today."),
            Example("sqlite3 alertd-2026-11-21.db 'SELECT * FROM events'", "What is in it."),
        ],
        options: [OptionSpecification("force", help: "Replace a file that is there already")],
        operands: [OperandSpecification("FILE", kind: .file, help: "Where the copy is to be")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let path = context.arguments.operands.first ?? ""
        let connection = try context.connect()
        let file = try OutputFile(path, mode: 0o600, replaces: context.arguments.has("force"))
        var receiver = BackupReceiver(file)
        try connection.stream(.backup, Nothing(), returning: BackupReply.self) { receiver.take($0) }
        try receiver.check()
        try file.finish()
        context.show(
            Report(parts: [
                .words("\(path): \(context.formatter.bytes(file.byteCount)), checked", .none),
                .fields(key: nil, [Field("file", .text(path)), Field("bytes", .count(file.byteCount))]),
            ]))
        return .success
    }
}

/// Takes a copy piece by piece, and holds it against what the daemon said of it.
private struct BackupReceiver {
    private let file: OutputFile
    private var size: Int?
    private var checksum: String?
    private var failure: ClientError?

    init(_ file: OutputFile) {
        self.file = file
    }

    /// Takes an answer; false when there is no use in more of them.
    mutating func take(_ reply: BackupReply) -> Bool {
        size = reply.size ?? size
        checksum = reply.crc32c ?? checksum
        guard let text = reply.data else { return true }
        guard let bytes = Base64.bytes(of: text) else {
            failure = .malformed("a piece of the copy is not in base64")
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

    /// Reads back from the disk what was written.
    func check() throws(ClientError) {
        if let failure { throw failure }
        guard let size, let checksum else { throw .closed }
        try file.synchronize()
        var sum: UInt32 = 0
        try file.forEachChunk { sum = CRC32C.checksum(of: $0.span, count: $0.count, continuing: sum) }
        let text = String(sum, radix: 16)
        let padded = String(repeating: "0", count: max(0, 8 - text.count)) + text
        guard file.byteCount == size, padded == checksum else {
            throw .malformed("the copy is not what was sent: \(file.byteCount) of \(size) bytes, checksum \(padded)")
        }
    }
}
