internal import Engine
package import Market
package import Time

extension Store {
    /// Reads everything that a start needs.
    ///
    /// Leaves out rows that this version cannot interpret, for example because a later version wrote them.
    ///
    /// - Parameter events: The maximum number of events to read, counted from the newest.
    /// - Returns: The state that was stored last.
    /// - Throws: ``StorageError``.
    package func restore(events: Int = 4_096) throws(StorageError) -> StoredState {
        try reading { database throws(StorageError) in try database.state(events: events) }
    }

    /// Returns the outcome of an event at each receiver, ordered by the names of the receivers.
    ///
    /// - Throws: ``StorageError``.
    package func deliveries(of number: Int64) throws(StorageError) -> [StoredDelivery] {
        try reading { database throws(StorageError) in try database.notifications.deliveries(of: number) }
    }

    /// Returns the numbers of the events in a range that a receiver accepted and whose delivery has this detail.
    ///
    /// - Throws: ``StorageError``.
    package func numbers(
        deliveredTo receiver: String, as detail: String, in range: ClosedRange<Int64>
    ) throws(StorageError) -> [Int64] {
        try reading { database throws(StorageError) in
            try database.notifications.numbers(deliveredTo: receiver, as: detail, in: range)
        }
    }

    /// Reads the stored prices of a source that has not been polled recently.
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

    /// Returns the past prices of a coin for one period, or for all stored periods, shortest first, if `period` is
    /// nil.
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

    /// Returns the times since `time` at which stored past prices of coins were fetched.
    ///
    /// - Throws: ``StorageError``.
    package func coinFetches(in source: SourceName, since time: WallTime) throws(StorageError) -> [WallTime] {
        try reading { database throws(StorageError) in
            guard let id = try database.sources.all().first(where: { $0.name == source })?.id else { return [] }
            return try database.coins(id).fetches(since: time)
        }
    }

    /// Returns the reference rates of the last stored date that is not after the given one, or an empty list if there
    /// is none.
    ///
    /// - Throws: ``StorageError``.
    package func rates(on date: CivilDate) throws(StorageError) -> [StoredRate] {
        try reading { database throws(StorageError) in try database.rates.last(on: date) }
    }

    /// Returns the candles of a symbol that begin in a time range, oldest first: the first `limit` of them.
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

    /// Returns the ids of the stored sealed blocks, by source.
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
