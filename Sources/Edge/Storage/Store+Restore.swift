extension Store {
    /// Reads everything that a start needs.
    ///
    /// Rows with a word that this version does not know, written by a later one, are left out.
    ///
    /// - Parameter events: how many of the last events to read.
    /// - Returns: what was stored last.
    /// - Throws: ``StorageError``.
    package func restore(events: Int = 4_096) throws(StorageError) -> StoredState {
        try reading { database throws(StorageError) in try database.state(events: events) }
    }

    /// What happened to an event at each receiver, by the receivers' names.
    ///
    /// - Throws: ``StorageError``.
    package func deliveries(of number: Int64) throws(StorageError) -> [StoredDelivery] {
        try reading { database throws(StorageError) in try database.notifications.deliveries(of: number) }
    }

    /// The ids of the sealed blocks that are stored.
    ///
    /// - Throws: ``StorageError``.
    package func storedBlocks() throws(StorageError) -> Set<Int64> {
        Set(try reading { database throws(StorageError) in try database.history.blockIDs() })
    }
}
