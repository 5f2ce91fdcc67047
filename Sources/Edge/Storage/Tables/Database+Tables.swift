internal import Engine
internal import Events
internal import Market
internal import Time

/// Accessors of the tables, each as a value that uses the connection.
extension Database {
    var events: EventTable { EventTable(database: self) }
    var sources: SourceTable { SourceTable(database: self) }
    func engine(_ source: Int64) -> EngineTables { EngineTables(database: self, source: source) }
    func history(_ source: Int64) -> HistoryTables { HistoryTables(database: self, source: source) }
    func polls(_ source: Int64) -> PollTable { PollTable(database: self, source: source) }
    func coins(_ source: Int64) -> CoinTables { CoinTables(database: self, source: source) }
    func gaps(_ source: Int64) -> GapTable { GapTable(database: self, source: source) }
    func candles(_ source: Int64) -> CandleTable { CandleTable(database: self, source: source) }
    var checks: CheckTable { CheckTable(database: self) }
    var facts: FactTable { FactTable(database: self) }
    var cursors: CursorTable { CursorTable(database: self) }
    var rates: RateTable { RateTable(database: self) }
    var silences: SilenceTable { SilenceTable(database: self) }
    var notifications: NotificationTable { NotificationTable(database: self) }
    var overrides: LimitOverrideTable { LimitOverrideTable(database: self) }
}

extension Database {
    /// Applies the changes to all tables. Runs inside a transaction.
    func write(_ changes: Transaction) throws(StorageError) {
        for event in changes.events { try events.write(event) }
        try write(changes.sources)
        if let boot = changes.bootID { try facts.set("boot_id", boot) }
        if !changes.cursors.isEmpty { try cursors.write(changes.cursors) }
        for rate in changes.rates { try rates.write(rate) }
        if let list = changes.silences { try silences.write(list) }
        if let list = changes.overrides { try overrides.write(list) }
        if let list = changes.checks { try checks.write(list) }
        try notifications.write(changes.queues)
        for coin in changes.coinHistories { try coins(try sources.id(of: coin.source)).write(coin.history) }
    }

    func write(_ changes: [SourceChanges]) throws(StorageError) {
        // This comes first, because a rule may have moved from one source to another.
        for changes in changes where changes.engine?.isWhole ?? false {
            try engine(sources.id(of: changes.source)).clear()
        }
        for changes in changes { try write(changes, of: sources.id(of: changes.source)) }
    }

    private func write(_ changes: SourceChanges, of id: Int64) throws(StorageError) {
        if let changes = changes.engine { try engine(id).write(changes) }
        try history(id).write(changes.history, record: changes.engine?.record)
        if changes.replacesCoins { try coins(id).clear() }
        if !changes.coins.isEmpty { try coins(id).write(changes.coins) }
        if !changes.forgottenCoins.isEmpty { try coins(id).forget(changes.forgottenCoins) }
        if !changes.gaps.isEmpty { try gaps(id).write(changes.gaps) }
        for candles in changes.candles { try self.candles(id).write(candles) }
    }

    /// Records the program that created the file, and the time.
    func writeOrigin(_ creator: String, at now: WallTime) throws(StorageError) {
        try transaction { () throws(StorageError) in
            try facts.set("created_by", creator)
            try facts.set("created_at", "\(now)")
        }
    }

    /// Reads everything that a start needs, with the last `count` events.
    func state(events count: Int) throws(StorageError) -> StoredState {
        var state = StoredState()
        _ = drainLeftOut()
        state.lastNumber = try events.lastNumber()
        state.events = try events.last(count)
        state.bootID = try facts.value("boot_id")
        for (id, name) in try sources.all() { state.sources.append(try source(id, name)) }
        state.cursors = try cursors.all()
        state.rates = try rates.all()
        state.silences = try silences.list()
        state.overrides = try overrides.all()
        state.checks = try checks.all()
        state.queues = try notifications.queues()
        state.instance = try facts.value("instance")
        state.leftOut = drainLeftOut()
        releaseMemory()
        return state
    }

    private func source(_ id: Int64, _ name: SourceName) throws(StorageError) -> StoredSource {
        var source = StoredSource(name)
        source.engine = try engine(id).snapshot()
        source.blocks = try history(id).blocks()
        source.parts = try polls(id).openRows()
        source.coins = try coins(id).names()
        source.gaps = try gaps(id).all()
        return source
    }
}

extension EngineChanges {
    /// The record of the changes that polls made, to be stored in their row, or nil if there is none.
    var record: [UInt8]? {
        guard case .part(_, .record(let record)) = self else { return nil }
        return record.bytes
    }
}
