/// The table `sink`: the number of the last event delivered to each sink, by the name of the sink.
struct CursorTable {
    let database: Database

    /// Stores the cursors of these sinks. The cursors of other sinks do not change.
    func write(_ cursors: [String: Int64]) throws(StorageError) {
        for (name, number) in cursors.sorted(by: { $0.key < $1.key }) {
            try database.run(
                """
                INSERT INTO sink (name, delivered) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET delivered = excluded.delivered
                """, .text(name), .integer(number))
        }
    }

    func all() throws(StorageError) -> [String: Int64] {
        var cursors: [String: Int64] = [:]
        try database.read("SELECT name, delivered FROM sink") { row throws(StorageError) in
            let name = try row.text()
            let number = try row.counter()
            if row.isUnderstood { cursors[name] = number } else { database.leaveOut(row, of: "sink") }
            return true
        }
        return cursors
    }
}
