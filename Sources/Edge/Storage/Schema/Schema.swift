internal import CSQLite

/// The format of the state file: its identification, its creation, and its checks.
enum Schema {
    /// The application id `aldb`, by which `file` and SQLite recognize the format.
    static let applicationID: Int64 = 0x616C_6462

    /// The format version, stored in `user_version`. Files of any other version are left unchanged.
    static let version: Int64 = 1

    /// Creates all tables in an empty file, or none.
    ///
    /// - Throws: ``StorageError``.
    static func create(in database: Database) throws(StorageError) {
        try database.transaction { () throws(StorageError) in
            for statement in tableStatements + viewStatements { try database.run(statement) }
            // 128 random bits that identify the events of this file to receivers.
            try database.run("INSERT INTO meta (name, value) VALUES ('instance', lower(hex(randomblob(16))))")
            try database.pragma("PRAGMA application_id = 0x616C6462")
            try database.pragma("PRAGMA user_version = 1")
        }
    }

    /// Returns true if the file has content that this program can read, or false if it is empty.
    ///
    /// - Throws: ``StorageError``: `other_schema`, or `foreign` for a file of another program.
    static func check(_ database: Database) throws(StorageError) -> Bool {
        let application = try database.pragma("PRAGMA application_id").flatMap { Int64($0) } ?? 0
        let found = try database.pragma("PRAGMA user_version").flatMap { Int64($0) } ?? 0
        let isEmpty = try database.number("SELECT count(*) FROM sqlite_schema") == 0
        if isEmpty, found == 0, [0, applicationID].contains(application) { return false }
        guard application == applicationID else {
            throw StorageError(.foreign, path: database.path, message: "it is another program's database")
        }
        guard found == version else {
            throw StorageError(
                .otherSchema, path: database.path,
                message: "it has format version \(found), but this program only reads version \(version)")
        }
        return true
    }

    /// Checks the structure of all pages, which takes about 1 ms per megabyte. Does not detect changed bytes in a
    /// block of history, which has its own checksum. With `thoroughly`, also compares indexes with their tables.
    static func checkIntegrity(_ database: Database, thoroughly: Bool = false) throws(StorageError) {
        let check: StaticString = thoroughly ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)"
        guard let first = try database.pragma(check), first != "ok" else { return }
        // A transient read error looks like damage, too, so the check must fail twice.
        guard let finding = try database.pragma(check), finding != "ok" else { return }
        throw StorageError(.corrupt, path: database.path, message: finding)
    }

    /// Checks that no table is missing.
    static func checkTables(_ database: Database) throws(StorageError) {
        var missing = tables
        try database.read("SELECT name FROM sqlite_schema WHERE type = 'table'") { row throws(StorageError) in
            missing.remove(try row.text())
            return true
        }
        guard let name = missing.min() else { return }
        throw StorageError(.corrupt, path: database.path, message: "the table \(name) is missing")
    }

    /// The tables; a file that lacks one is damaged.
    static let tables: Set = [
        "event", "source", "rule", "alert", "checkpoint", "poll", "meta", "block", "block_symbol", "sink", "rate",
        "silence", "limit_override", "notification", "receiver", "coin", "coin_history", "price_check", "price_gap",
        "candle",
    ]
}
