internal import CSQLite
internal import Market

/// A connection to an SQLite file, for one thread at a time, with a cache of prepared statements.
///
/// Statements are literals of the program and prepared once. Outside data is bound to parameters, and is never part
/// of a statement.
@safe
final class Database {
    /// The mode in which a file is opened. The file must exist.
    enum Mode {
        case readWrite
        case readOnly
        /// The file system is read-only, so no program can write the file. It is read without locks or a -shm file.
        case immutable
    }

    let path: String
    private let connection: OpaquePointer
    /// Prepared statements, by the address of their text.
    private var statements: [UInt: Statement] = [:]
    /// The ids of sources in the file. An id may be from the transaction in progress.
    var sourceIDs: [SourceName: Int64] = [:]
    /// True if the table `poll` still has the row that was added last, possibly by the transaction in progress.
    var hasNewestPoll = false
    /// True if commits wait for the disk, or nil if that has not been set.
    private var isSynced: Bool?
    /// The rows that were left out since the last ``drainLeftOut()``, each with the reason; at most ``leftOutLimit``.
    private var leftOut: [String] = []
    private static let leftOutLimit = 100

    /// - Parameters:
    ///   - path: The path of the file, whose last component must not be a symbolic link.
    ///   - mode: The mode in which the file is opened.
    ///   - vfs: The name of a registered VFS, or nil for the system's own.
    /// - Throws: ``StorageError``.
    init(path: String, mode: Mode, vfs: String? = nil) throws(StorageError) {
        self.path = path
        try RollbackJournal.check(of: path)
        let (name, flags) =
            switch mode {
            case .readWrite: (path, SQLITE_OPEN_READWRITE)
            case .readOnly: (path, SQLITE_OPEN_READONLY)
            case .immutable: ("file:\(Self.escaped(path))?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            }
        var opened: OpaquePointer?
        let all = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(name, &opened, all, vfs)
        guard code == SQLITE_OK, let found = unsafe opened else {
            let error = unsafe StorageError(code, of: opened, path: path)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe connection = unsafe found
        try configure()
    }

    deinit {
        // Finalizes the statements.
        statements = [:]
        unsafe sqlite3_close_v2(connection)
    }

    /// True if the file cannot be written.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(connection, "main") != 0 }

    /// The number of rows that the last statement inserted, changed or deleted.
    var changeCount: Int64 { unsafe sqlite3_changes64(connection) }

    /// Records a row that is left out because it could not be interpreted.
    func leaveOut(_ row: borrowing Row, of table: StaticString) {
        guard leftOut.count < Self.leftOutLimit else { return }
        leftOut.append("a row of the table \(table): \(row.problem ?? "a value is missing")")
    }

    /// Returns the rows that were left out since the last call.
    func drainLeftOut() -> [String] {
        defer { leftOut = [] }
        return leftOut
    }

    /// True if no transaction is open.
    var isIdle: Bool { unsafe sqlite3_get_autocommit(connection) != 0 }

    /// Runs a statement and ignores its rows.
    func run(_ sql: StaticString, _ values: SQLValue...) throws(StorageError) {
        try prepared(sql).run(values)
    }

    /// Runs a statement and calls `body` with each row until it returns false.
    func read(
        _ sql: StaticString, _ values: SQLValue..., body: (inout Row) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try prepared(sql).run(values, body)
    }

    /// Reads the first row of a statement with `body`. Returns nil if there is no row.
    func first<Value>(
        _ sql: StaticString, _ values: SQLValue..., body: (inout Row) throws(StorageError) -> Value
    ) throws(StorageError) -> Value? {
        var value: Value?
        try prepared(sql).run(values) { row throws(StorageError) in
            value = try body(&row)
            return false
        }
        return value
    }

    /// Returns the integer in the first row of a statement, or nil if there is no row or the value is NULL.
    func number(_ sql: StaticString, _ values: SQLValue...) throws(StorageError) -> Int64? {
        var number: Int64?
        try prepared(sql).run(values) { row throws(StorageError) in
            number = try row.optionalInteger()
            return false
        }
        return number
    }

    /// Runs a pragma. It is prepared each time, because some pragmas take effect when they are prepared.
    ///
    /// - Returns: The text of its first row, or nil if it has no rows.
    @discardableResult
    func pragma(_ sql: StaticString) throws(StorageError) -> String? {
        var text: String?
        try prepare("\(sql)").run([]) { row throws(StorageError) in
            // Some pragmas do part of their work for each row.
            if text == nil { text = row.anyText() }
            return true
        }
        return text
    }

    /// Sets whether commits wait for the disk. A commit that does not wait survives the process, but not necessarily
    /// a loss of power. After a loss of power, the file has the content of some earlier commit, at least the last
    /// synced one.
    func setSynced(_ isSynced: Bool) throws(StorageError) {
        guard isSynced != self.isSynced else { return }
        self.isSynced = nil
        try pragma(isSynced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        self.isSynced = isSynced
    }

    /// Commits all changes that `body` makes, or none if it throws.
    func transaction(_ body: () throws(StorageError) -> Void) throws(StorageError) {
        try run("BEGIN IMMEDIATE")
        do throws(StorageError) {
            try body()
            try run("COMMIT")
        } catch {
            (sourceIDs, hasNewestPoll) = ([:], false)
            // After some errors SQLite has already rolled back.
            if !isIdle { try? run("ROLLBACK") }
            throw error
        }
    }

    /// True if the open file no longer has its name.
    var hasMoved: Bool {
        var moved: Int32 = 0
        let code = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        return code == SQLITE_OK && moved != 0
    }

    /// Sets the size of the log in pages at which a commit checkpoints it.
    func setLogPages(_ count: Int32) {
        unsafe sqlite3_wal_autocheckpoint(connection, count)
    }

    /// Checkpoints the log as far as possible without waiting.
    func checkpoint() {
        unsafe sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    /// Allows reading a file that is truncated or has an invalid schema. Only for a read-only connection.
    func tolerateDamage() {
        _ = unsafe alertd_sqlite_switch(connection, SQLITE_DBCONFIG_DEFENSIVE, 0)
        _ = unsafe alertd_sqlite_switch(connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
    }

    /// Returns the error of the last call.
    func lastError() -> StorageError {
        unsafe StorageError(sqlite3_errcode(connection), of: connection, path: path)
    }

    /// Frees cached memory.
    func releaseMemory() {
        unsafe sqlite3_db_release_memory(connection)
    }

    /// Keeps the -wal file unchanged when the connection is closed, because it may belong to another file of that
    /// name.
    func keepLogOnClose(_ keeps: Bool = true) {
        _ = unsafe alertd_sqlite_switch(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps ? 1 : 0)
    }

    /// Begins to copy everything to another database. Returns nil if that fails; the other database then has the
    /// error.
    @unsafe
    func beginCopy(to target: Database) -> OpaquePointer? {
        unsafe sqlite3_backup_init(target.connection, "main", connection, "main")
    }

    private func prepared(_ sql: StaticString) throws(StorageError) -> Statement {
        let key = unsafe UInt(bitPattern: sql.utf8Start)
        if let known = statements[key] { return known }
        let statement = try prepare("\(sql)")
        statements[key] = statement
        return statement
    }

    func prepare(_ text: String) throws(StorageError) -> Statement {
        var made: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        guard code == SQLITE_OK, let pointer = unsafe made else {
            throw unsafe StorageError(code, of: connection, path: path)
        }
        return unsafe Statement(pointer, of: connection, path: path)
    }

    /// Escapes a path for a URI, where only `%`, `?` and `#` are special.
    private static func escaped(_ path: String) -> String {
        path.map { ["%": "%25", "?": "%3f", "#": "%23"][$0] ?? String($0) }.joined()
    }
}

extension Database {
    /// Protects against a file that another program has modified. Such a file must not execute anything or exhaust
    /// memory.
    private func configure() throws(StorageError) {
        unsafe sqlite3_busy_timeout(connection, Self.patienceMilliseconds)
        let switches: [(Int32, Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_FKEY, 1), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        ]
        for (which, isOn) in switches {
            let code = unsafe alertd_sqlite_switch(connection, which, isOn)
            guard code == SQLITE_OK else { throw unsafe StorageError(code, of: connection, path: path) }
        }
        for (limit, value) in Self.limits { unsafe sqlite3_limit(connection, limit, value) }
    }

    /// The time to wait for another program's lock. A poll may be delayed that long, which is short compared with the
    /// usual interval of at least ten seconds.
    private static let patienceMilliseconds: Int32 = 250

    /// Limits that leave room above what the program's own statements need.
    private static let limits: [(Int32, Int32)] = [
        // A block of history is the largest value.
        (SQLITE_LIMIT_LENGTH, 32 << 20),
        (SQLITE_LIMIT_SQL_LENGTH, 16_384),
        (SQLITE_LIMIT_COLUMN, 64),
        (SQLITE_LIMIT_EXPR_DEPTH, 100),
        (SQLITE_LIMIT_COMPOUND_SELECT, 16),
        (SQLITE_LIMIT_VDBE_OP, 100_000),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 256),
        (SQLITE_LIMIT_VARIABLE_NUMBER, 64),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 8),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
}
