internal import Events
internal import Market

/// The table `price_check`: the states of the checks that compare the prices of two sources.
struct CheckTable {
    let database: Database

    /// Replaces the stored states. Runs inside a transaction.
    func write(_ checks: [StoredCheck]) throws(StorageError) {
        try database.run("DELETE FROM price_check")
        for check in checks {
            try database.run(
                "INSERT INTO price_check (name, meaning, encoded_state) VALUES (?, ?, ?)", .text(check.name),
                .text(check.meaning), .text(check.encodedState))
        }
    }

    func all() throws(StorageError) -> [StoredCheck] {
        var checks: [StoredCheck] = []
        try database.read(
            "SELECT name, meaning, encoded_state FROM price_check ORDER BY name"
        ) { row throws(StorageError) in
            checks.append(
                StoredCheck(name: try row.text(), meaning: try row.text(), encodedState: try row.text()))
            return true
        }
        return checks
    }
}
