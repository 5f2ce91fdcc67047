internal import CSQLite
internal import Market

/// The tables of the state file, and the migration of files of older versions.
///
/// Times are milliseconds since 1970-01-01T00:00:00Z; prices are decimal text, exactly as received. The views `events`
/// and `prices` are for users: their columns keep their names and order when the tables change, and new ones are added
/// at the end.
enum Schema {
    /// `aldb`: identifies the format for `file` and SQLite.
    static let applicationID: Int64 = 0x616C_6462

    /// The format version that this program writes to `user_version`.
    static var version: Int64 { Int64(migrations.count) }

    /// Step `n` migrates from version `n` to `n + 1`; a released step is never changed.
    static let migrations: [[StaticString]] = [
        version1, version2, version3, version4, version5, version6 + receivers, version7, coins, checks, candles,
        receiversOfEvents,
    ]

    /// The tables of the current version; a file that lacks one is damaged.
    static let tables: Set = [
        "event", "source", "rule", "alert", "checkpoint", "poll", "meta", "block", "block_symbol", "sink", "rate",
        "silence", "limit_override", "notification", "receiver", "coin", "coin_history", "price_check", "price_gap",
        "candle",
    ]

    private static let version1: [StaticString] = [
        // What was worth telling; a number is never used twice.
        """
        CREATE TABLE event (
            number INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, rule TEXT, symbol TEXT, bound TEXT,
            severity TEXT NOT NULL, price TEXT, limit_price TEXT, currency TEXT,
            previous_price TEXT, previous_time INTEGER, exchange_time INTEGER, received INTEGER, sample_age INTEGER,
            told INTEGER NOT NULL CHECK (told IN (0, 1)), reason TEXT,
            conversion_rate TEXT, conversion_date TEXT, conversion_source TEXT, conversion_path TEXT,
            text TEXT NOT NULL
        ) STRICT
        """,
        // The rules that the alerts belong to, and what they mean.
        """
        CREATE TABLE rule (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, meaning TEXT NOT NULL) STRICT
        """,
        // A rule on a symbol and bound; memory is what the rules themselves read.
        """
        CREATE TABLE alert (
            id INTEGER PRIMARY KEY, rule TEXT NOT NULL, symbol TEXT NOT NULL, bound TEXT NOT NULL, state TEXT NOT NULL,
            since INTEGER, since_boot INTEGER, severity TEXT NOT NULL, limit_price TEXT, currency TEXT,
            memory TEXT NOT NULL, UNIQUE (rule, symbol, bound)
        ) STRICT
        """,
        // What is remembered of a symbol that has alerts or is named by a rule.
        """
        CREATE TABLE mark (id INTEGER PRIMARY KEY, symbol TEXT NOT NULL UNIQUE, memory TEXT NOT NULL) STRICT
        """,
        // Single facts: last_number, boot_id, feed, created_by, created_at.
        """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID
        """,
        // Sealed blocks of history, as they are in memory.
        """
        CREATE TABLE block (
            id INTEGER PRIMARY KEY, oldest INTEGER NOT NULL, newest INTEGER NOT NULL, row_count INTEGER NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT
        """,
        // What a sealed block holds of a symbol.
        """
        CREATE TABLE stretch (
            block INTEGER NOT NULL REFERENCES block (id) ON DELETE CASCADE, symbol TEXT NOT NULL,
            since INTEGER NOT NULL, until INTEGER NOT NULL, samples INTEGER NOT NULL,
            first TEXT NOT NULL, lowest TEXT NOT NULL, highest TEXT NOT NULL, last TEXT NOT NULL,
            PRIMARY KEY (block, symbol)
        ) STRICT, WITHOUT ROWID
        """,
        // Rows of the block that is not sealed yet.
        """
        CREATE TABLE part (
            block INTEGER NOT NULL, first_row INTEGER NOT NULL, row_count INTEGER NOT NULL, bytes BLOB NOT NULL,
            PRIMARY KEY (block, first_row)
        ) STRICT
        """,
        // The last event that a sink was given.
        """
        CREATE TABLE sink (name TEXT PRIMARY KEY, delivered INTEGER NOT NULL) STRICT, WITHOUT ROWID
        """,
        // Reference rates: how much of a currency one euro is.
        """
        CREATE TABLE rate (
            source TEXT NOT NULL, date TEXT NOT NULL, currency TEXT NOT NULL, rate TEXT NOT NULL,
            fetched INTEGER NOT NULL, PRIMARY KEY (source, date, currency)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE VIEW events AS SELECT
            number, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS time, kind, rule, symbol, bound,
            severity, price, limit_price, currency, previous_price,
            strftime('%Y-%m-%dT%H:%M:%fZ', previous_time / 1000.0, 'unixepoch') AS previous_time,
            strftime('%Y-%m-%dT%H:%M:%fZ', exchange_time / 1000.0, 'unixepoch') AS exchange_time,
            strftime('%Y-%m-%dT%H:%M:%fZ', received / 1000.0, 'unixepoch') AS received,
            sample_age AS sample_age_ms, told, reason,
            conversion_rate, conversion_date, conversion_source, conversion_path, text, time AS time_ms
        FROM event
        """,
        """
        CREATE VIEW prices AS SELECT
            symbol, strftime('%Y-%m-%dT%H:%M:%fZ', since / 1000.0, 'unixepoch') AS since,
            strftime('%Y-%m-%dT%H:%M:%fZ', until / 1000.0, 'unixepoch') AS until, samples,
            first, lowest, highest, last, since AS since_ms, until AS until_ms
        FROM stretch
        """,
    ]
}

extension Schema {
    /// Migrates a file to the current version, completely or not at all; a file of that version is not changed.
    ///
    /// - Parameters:
    ///   - database: The file.
    ///   - source: The name of the source that everything in a file of an older version belongs to.
    /// - Returns: the version that the file had; 0 if it was empty.
    /// - Throws: ``StorageError``.
    static func migrate(_ database: Database, of source: SourceName) throws(StorageError) -> Int64 {
        let found = try check(database)
        guard found < version else { return found }
        try database.transaction { () throws(StorageError) in
            for (index, step) in migrations.enumerated().dropFirst(Int(found)) {
                try apply(step, of: index, to: database)
            }
            try database.sources.nameFirst(source)
        }
        return found
    }

    /// The version of the file, if this program can read it.
    ///
    /// - Throws: ``StorageError``: `newer_schema`, or `foreign` for a file of another program.
    static func check(_ database: Database) throws(StorageError) -> Int64 {
        let application = try database.pragma("PRAGMA application_id").flatMap { Int64($0) } ?? 0
        let found = try database.pragma("PRAGMA user_version").flatMap { Int64($0) } ?? 0
        let isEmpty = try database.number("SELECT count(*) FROM sqlite_schema") == 0
        guard application == applicationID || (isEmpty && application == 0 && found == 0) else {
            throw StorageError(.foreign, path: database.path, message: "it is another program's database")
        }
        guard (0...version).contains(found) else {
            throw StorageError(
                .newerSchema, path: database.path,
                message: "it has format version \(found), but this program supports versions up to \(version)")
        }
        return found
    }

    /// Checks the structure of all pages, which takes about 1 ms per megabyte. It does not detect changed bytes in a
    /// block of history, which has its own checksum. With `thoroughly`, indexes are compared with their tables as well.
    static func checkIntegrity(_ database: Database, thoroughly: Bool = false) throws(StorageError) {
        let check: StaticString = thoroughly ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)"
        guard let first = try database.pragma(check), first != "ok" else { return }
        // A transient read error looks like damage, too, so the check has to fail twice.
        guard let finding = try database.pragma(check), finding != "ok" else { return }
        throw StorageError(.corrupt, path: database.path, message: finding)
    }

    static func checkTables(_ database: Database) throws(StorageError) {
        var missing = tables
        try database.read("SELECT name FROM sqlite_schema WHERE type = 'table'") { row throws(StorageError) in
            missing.remove(try row.text())
            return true
        }
        guard let name = missing.min() else { return }
        throw StorageError(.corrupt, path: database.path, message: "the table \(name) is missing")
    }

    /// Applies the step from version `index` to `index + 1`; runs inside a transaction.
    static func apply(_ step: [StaticString], of index: Int, to database: Database) throws(StorageError) {
        for statement in step { try database.run(statement) }
        if index == 0 { try database.pragma("PRAGMA application_id = 0x616C6462") }
        try setVersion(index + 1, of: database)
    }

    /// A pragma takes no bound value, so there is a statement for each version.
    private static func setVersion(_ version: Int, of database: Database) throws(StorageError) {
        let statements: [StaticString] = [
            "PRAGMA user_version = 1", "PRAGMA user_version = 2", "PRAGMA user_version = 3",
            "PRAGMA user_version = 4", "PRAGMA user_version = 5", "PRAGMA user_version = 6",
            "PRAGMA user_version = 7", "PRAGMA user_version = 8", "PRAGMA user_version = 9",
            "PRAGMA user_version = 10", "PRAGMA user_version = 11",
        ]
        try database.pragma(statements[version - 1])
    }
}
