/// The table `meta`: single facts by name.
struct FactTable {
    let database: Database

    /// The facts that are counters, each with the greatest number assigned so far.
    enum Counter: String, CaseIterable {
        case lastNumber = "last_number"
        case lastSilence = "last_silence"
    }

    /// Returns the greatest number assigned so far, or 0 if none is stored or the stored text is not a valid number.
    func counter(_ counter: Counter) throws(StorageError) -> Int64 {
        let number = try value(counter.rawValue).flatMap { Int64($0) } ?? 0
        return Schema.counters.contains(number) ? number : 0
    }

    /// Stores a fact, replacing the previous one of that name.
    func set(_ name: String, _ value: String) throws(StorageError) {
        try database.run(
            "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            .text(name), .text(value))
    }

    /// Returns the fact of that name, or nil if none is stored.
    func value(_ name: String) throws(StorageError) -> String? {
        try database.first("SELECT value FROM meta WHERE name = ?", .text(name)) { row throws(StorageError) in
            try row.text()
        }
    }
}
