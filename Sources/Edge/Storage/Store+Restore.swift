internal import Engine
package import Market
package import Time

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

    /// Numbers of the events that a receiver accepted with this detail, among those in a range.
    ///
    /// - Throws: ``StorageError``.
    package func numbers(
        deliveredTo receiver: String, as detail: String, in range: ClosedRange<Int64>
    ) throws(StorageError) -> [Int64] {
        try reading { database throws(StorageError) in
            try database.notifications.numbers(deliveredTo: receiver, as: detail, in: range)
        }
    }

    /// Reads the prices of a source that was not polled lately.
    ///
    /// - Throws: ``StorageError``.
    package func history(of source: SourceName) throws(StorageError) -> StoredSource {
        try reading { database throws(StorageError) in
            var stored = StoredSource(source)
            guard let id = try database.sources.all().first(where: { $0.name == source })?.id else { return stored }
            stored.blocks = try database.history(id).blocks()
            stored.parts = try database.polls(id).openRows()
            stored.coins = try database.coins(id).names()
            return stored
        }
    }

    /// The past prices of a coin, shortest period first; with a period only these.
    ///
    /// - Throws: ``StorageError``.
    package func coinHistories(
        of identity: String, in source: SourceName, over period: PricePeriod? = nil
    ) throws(StorageError) -> [CoinHistory] {
        try reading { database throws(StorageError) in
            guard let id = try database.sources.all().first(where: { $0.name == source })?.id else { return [] }
            return try database.coins(id).histories(of: identity, over: period)
        }
    }

    /// When stored past prices of coins were fetched, since a time.
    ///
    /// - Throws: ``StorageError``.
    package func coinFetches(in source: SourceName, since time: WallTime) throws(StorageError) -> [WallTime] {
        try reading { database throws(StorageError) in
            guard let id = try database.sources.all().first(where: { $0.name == source })?.id else { return [] }
            return try database.coins(id).fetches(since: time)
        }
    }

    /// The reference rates of the last stored date that is not after the given one; empty if there is none.
    ///
    /// - Throws: ``StorageError``.
    package func rates(on date: CivilDate) throws(StorageError) -> [StoredRate] {
        try reading { database throws(StorageError) in try database.rates.last(on: date) }
    }

    /// The first candles of a symbol that begin in a range of times, oldest first; at most `limit`.
    ///
    /// - Throws: ``StorageError``.
    package func candles(
        of symbol: Symbol, from source: SourceName, in times: Range<WallTime>, limit: Int
    ) throws(StorageError) -> [Candle] {
        try reading { database throws(StorageError) in
            guard let id = try database.sources.all().first(where: { $0.name == source })?.id else { return [] }
            return try database.candles(id).candles(of: symbol, in: times, limit: limit)
        }
    }

    /// The ids of the sealed blocks that are stored, by source.
    ///
    /// - Throws: ``StorageError``.
    package func storedBlocks() throws(StorageError) -> [SourceName: Set<Int64>] {
        try reading { database throws(StorageError) in
            var ids: [SourceName: Set<Int64>] = [:]
            for source in try database.sources.all() {
                ids[source.name] = Set(try database.history(source.id).blockIDs())
            }
            return ids
        }
    }
}
