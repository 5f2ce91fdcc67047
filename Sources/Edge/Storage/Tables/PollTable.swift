/// The table `poll`: the changes that each poll of a source made, in one row, so that a poll writes one page. A row
/// has a record of the engine, and rows of the open block of history.
///
/// A row stays until neither part is needed: the record until the next checkpoint, the prices until their block is
/// sealed.
struct PollTable {
    let database: Database
    let source: Int64

    /// Adds the changes of one poll. Runs inside a transaction.
    func write(record: [UInt8]?, _ parts: [StoredOpenRows]) throws(StorageError) {
        try write(record, parts.first)
        for part in parts.dropFirst() { try write(nil, part) }
    }

    private func write(_ record: [UInt8]?, _ part: StoredOpenRows?) throws(StorageError) {
        guard record != nil || part != nil else { return }
        // A checkpoint includes all records with ids up to its own, so these ids must not be used again. If the
        // newest row still exists, SQLite assigns the id after it.
        try database.run(
            database.hasNewestPoll
                ? "INSERT INTO poll (source, engine, block, first_row, row_count, prices) VALUES (?, ?, ?, ?, ?, ?)"
                : """
                INSERT INTO poll (id, source, engine, block, first_row, row_count, prices)
                VALUES (1 + max(coalesce((SELECT max(id) FROM poll), 0),
                    coalesce((SELECT max(poll) FROM checkpoint), 0)), ?, ?, ?, ?, ?, ?)
                """, .integer(source), .optional(record), .optional(part?.block),
            .optional(part.map { Int64($0.firstRow) }),
            .optional(part.map { Int64($0.rowCount) }), .optional(part?.bytes))
        database.hasNewestPoll = true
    }

    /// Deletes the rows that are no longer needed after a checkpoint.
    func dropRecords() throws(StorageError) {
        database.hasNewestPoll = false
        try database.run(
            """
            DELETE FROM poll WHERE source = ?1 AND block IS NULL
                AND id <= (SELECT coalesce(max(poll), 0) FROM checkpoint WHERE source = ?1)
            """, .integer(source))
    }

    /// Deletes all records, because there is no checkpoint for them to continue.
    func forgetRecords() throws(StorageError) {
        database.hasNewestPoll = false
        try database.run("DELETE FROM poll WHERE source = ? AND block IS NULL", .integer(source))
        try database.run("UPDATE poll SET engine = NULL WHERE source = ? AND engine IS NOT NULL", .integer(source))
    }

    /// Deletes the prices of a block, or of all blocks if it is nil.
    func dropPrices(of block: Int64? = nil) throws(StorageError) {
        database.hasNewestPoll = false
        // At a checkpoint, the record and the prices of a row are deleted together, and no row has to be written
        // again.
        try database.run(
            """
            DELETE FROM poll WHERE source = ?2 AND block = coalesce(?1, block)
                AND (engine IS NULL OR id <= (SELECT coalesce(max(poll), 0) FROM checkpoint WHERE source = ?2))
            """, .optional(block), .integer(source))
        try database.run(
            """
            UPDATE poll SET block = NULL, first_row = NULL, row_count = NULL, prices = NULL
            WHERE source = ?2 AND block = coalesce(?1, block)
            """, .optional(block), .integer(source))
    }

    /// Returns the records of polls after the checkpoint, in order.
    func records() throws(StorageError) -> [[UInt8]] {
        var records: [[UInt8]] = []
        try database.read(
            """
            SELECT engine FROM poll
            WHERE source = ?1 AND engine IS NOT NULL AND id > (SELECT max(poll) FROM checkpoint WHERE source = ?1)
            ORDER BY id
            """, .integer(source)
        ) { row throws(StorageError) in
            records.append(try row.blob())
            return true
        }
        return records
    }

    /// Returns all rows of history that are not sealed yet, ordered by block and first row.
    func openRows() throws(StorageError) -> [StoredOpenRows] {
        var parts: [StoredOpenRows] = []
        try database.read(
            """
            SELECT block, first_row, row_count, prices FROM poll WHERE source = ? AND block IS NOT NULL
            ORDER BY block, first_row
            """, .integer(source)
        ) { row throws(StorageError) in
            let block = try row.counter()
            let firstRow = try row.optionalInteger()
            let rowCount = try row.optionalInteger()
            let bytes = try row.optionalBlob()
            guard let firstRow, let rowCount, let bytes, row.isUnderstood else {
                database.leaveOut(row, of: "poll")
                return true
            }
            parts.append(
                StoredOpenRows(
                    block: block, firstRow: Int(clamping: firstRow), rowCount: Int(clamping: rowCount), bytes: bytes))
            return true
        }
        return parts
    }
}
