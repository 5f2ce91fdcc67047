internal import Market

/// The table `source`: the sources that rows belong to, with their ids in this file.
struct SourceTable {
    let database: Database

    /// Returns the id of a source. Assigns the next one if the source has none yet. Runs inside a transaction.
    func id(of name: SourceName) throws(StorageError) -> Int64 {
        if let id = database.sourceIDs[name] { return id }
        let id = try findID(of: name)
        database.sourceIDs[name] = id
        return id
    }

    private func findID(of name: SourceName) throws(StorageError) -> Int64 {
        if let id = try knownID(of: name) { return id }
        try database.run("INSERT INTO source (name) VALUES (?)", .text("\(name)"))
        guard let id = try knownID(of: name) else {
            throw StorageError(.corrupt, path: database.path, message: "the table source has no row for \(name)")
        }
        return id
    }

    private func knownID(of name: SourceName) throws(StorageError) -> Int64? {
        try database.number("SELECT id FROM source WHERE name = ?", .text("\(name)"))
    }

    /// Returns all sources that the file ever had, ordered by id.
    func all() throws(StorageError) -> [(id: Int64, name: SourceName)] {
        var sources: [(id: Int64, name: SourceName)] = []
        try database.read("SELECT id, name FROM source ORDER BY id") { row throws(StorageError) in
            let id = try row.integer()
            if let name = SourceName(try row.text()) { sources.append((id, name)) }
            return true
        }
        return sources
    }

    /// Checks that each source has a name that alertd can have written.
    ///
    /// - Throws: ``StorageError`` `corrupt`.
    func check() throws(StorageError) {
        try database.read("SELECT name FROM source") { row throws(StorageError) in
            let name = try row.text()
            guard SourceName(name) == nil else { return true }
            throw StorageError(
                .corrupt, path: database.path, message: "source.name is '\(name.prefix(40))', which is not a name")
        }
    }
}
