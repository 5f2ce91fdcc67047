internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time

extension Store {
    /// Everything that a start needs, in one go.
    ///
    /// Alerts, events and rates that hold a word which this version does not know are left out.
    ///
    /// - Parameter events: how many of the last events.
    /// - Returns: what was stored last.
    /// - Throws: ``StorageError``.
    package func restore(events: Int = 4_096) throws(StorageError) -> StoredState {
        try reading { database throws(StorageError) in try database.state(events: events) }
    }

    /// The ids of the sealed blocks that are stored.
    ///
    /// - Throws: ``StorageError``.
    package func storedBlocks() throws(StorageError) -> Set<Int64> {
        Set(try reading { database throws(StorageError) in try database.blockIDs() })
    }
}

extension Database {
    func state(events count: Int) throws(StorageError) -> StoredState {
        var state = StoredState()
        state.lastNumber = try lastEventNumber()
        state.events = try lastEvents(count)
        state.engine = try engineSnapshot()
        state.bootID = try fact("boot_id")
        state.blocks = try blocks()
        state.parts = try parts()
        state.cursors = try cursors()
        state.rates = try rates()
        state.silences = try silences()
        state.overrides = try overrides()
        releaseMemory()
        return state
    }
}

extension Database {
    func blockIDs() throws(StorageError) -> [Int64] {
        var ids: [Int64] = []
        try read("SELECT id FROM block ORDER BY id") { row throws(StorageError) in
            ids.append(try row.integer())
            return true
        }
        return ids
    }

    /// All blocks, without their symbols.
    func blocks() throws(StorageError) -> [StoredBlock] {
        var blocks: [StoredBlock] = []
        try read("SELECT id, oldest, newest, row_count, bytes FROM block ORDER BY id") { row throws(StorageError) in
            blocks.append(try StoredBlock(&row))
            return true
        }
        return blocks
    }

    /// A block with its symbols; nil when there is none of that id.
    func block(_ id: Int64) throws(StorageError) -> StoredBlock? {
        var block = try first(
            "SELECT id, oldest, newest, row_count, bytes FROM block WHERE id = ?", .integer(id)
        ) { row throws(StorageError) in try StoredBlock(&row) }
        block?.blockSymbols = try blockSymbols(of: id)
        return block
    }

    private func blockSymbols(of block: Int64) throws(StorageError) -> [StoredBlockSymbol] {
        var blockSymbols: [StoredBlockSymbol] = []
        try read(
            """
            SELECT symbol, since, until, samples, first, lowest, highest, last
            FROM block_symbol WHERE block = ? ORDER BY symbol
            """, .integer(block)
        ) { row throws(StorageError) in
            if let blockSymbol = try StoredBlockSymbol(&row) { blockSymbols.append(blockSymbol) }
            return true
        }
        return blockSymbols
    }

    func parts() throws(StorageError) -> [StoredOpenRows] {
        var parts: [StoredOpenRows] = []
        try read(
            "SELECT block, first_row, row_count, bytes FROM open_block_row ORDER BY block, first_row"
        ) { row throws(StorageError) in
            parts.append(
                StoredOpenRows(
                    block: try row.integer(), firstRow: Int(clamping: try row.integer()),
                    rowCount: Int(clamping: try row.integer()), bytes: try row.blob()))
            return true
        }
        return parts
    }

    func cursors() throws(StorageError) -> [String: Int64] {
        var cursors: [String: Int64] = [:]
        try read("SELECT name, delivered FROM sink") { row throws(StorageError) in
            let name = try row.text()
            cursors[name] = try row.integer()
            return true
        }
        return cursors
    }

    func rates() throws(StorageError) -> [StoredRate] {
        var rates: [StoredRate] = []
        try read(
            "SELECT source, date, currency, rate, fetched FROM rate ORDER BY source, date, currency"
        ) { row throws(StorageError) in
            let source = try row.text()
            let date = try row.value(CivilDate.init)
            let currency = try row.value(Currency.init)
            let rate = try row.optionalPrice()
            let fetched = try row.time()
            if let date, let currency, let rate {
                rates.append(StoredRate(source: source, date: date, currency: currency, rate: rate, fetched: fetched))
            }
            return true
        }
        return rates
    }
}

extension Database {
    /// Nil when none was ever stored.
    func engineSnapshot() throws(StorageError) -> EngineSnapshot? {
        guard let feed = try fact("feed") else { return nil }
        return EngineSnapshot(rules: try rules(), alerts: try alerts(), symbols: try symbolStates(), feed: feed)
    }

    private func rules() throws(StorageError) -> [RuleIdentity] {
        var rules: [RuleIdentity] = []
        try read("SELECT name, meaning FROM rule ORDER BY position") { row throws(StorageError) in
            rules.append(RuleIdentity(name: try row.text(), meaning: try row.text()))
            return true
        }
        return rules
    }

    /// In the order of their rules, and of a rule in the order in which they were first stored.
    private func alerts() throws(StorageError) -> [AlertSnapshot] {
        var alerts: [AlertSnapshot] = []
        try read(
            """
            SELECT rule, symbol, bound, state, since, since_boot, severity, limit_price, currency, encoded_state
            FROM alert JOIN rule ON rule.name = alert.rule ORDER BY rule.position, alert.id
            """
        ) { row throws(StorageError) in
            if let alert = try AlertSnapshot(&row) { alerts.append(alert) }
            return true
        }
        return alerts
    }

    private func symbolStates() throws(StorageError) -> [SymbolSnapshot] {
        var states: [SymbolSnapshot] = []
        try read("SELECT symbol, encoded_state FROM symbol_state ORDER BY id") { row throws(StorageError) in
            let symbol = try row.value(Symbol.init)
            let encodedState = try row.text()
            if let symbol { states.append(SymbolSnapshot(symbol: symbol, encodedState: encodedState)) }
            return true
        }
        return states
    }
}

extension StoredBlock {
    fileprivate init(_ row: inout Row) throws(StorageError) {
        self.init(
            id: try row.integer(), oldest: try row.time(), newest: try row.time(),
            rowCount: Int(clamping: try row.integer()), bytes: try row.blob())
    }
}

extension StoredBlockSymbol {
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let symbol = try row.value(Symbol.init)
        let since = try row.time()
        let until = try row.time()
        let samples = Int(clamping: try row.integer())
        let first = try row.optionalPrice()
        let lowest = try row.optionalPrice()
        let highest = try row.optionalPrice()
        let last = try row.optionalPrice()
        guard let symbol, let first, let lowest, let highest, let last else { return nil }
        self.init(
            symbol: symbol, since: since, until: until, samples: samples, first: first, lowest: lowest,
            highest: highest, last: last)
    }
}

extension AlertSnapshot {
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let rule = try row.text()
        let symbol = try row.value(Symbol.init)
        let bound = try row.value(Bound.init)
        let state = try row.text()
        let wall = try row.optionalTime()
        let boot = try row.optionalInteger().map { BootTime(milliseconds: $0) }
        let severity = try row.value(Severity.init)
        let limit = try row.optionalValue(LimitValue.init)
        let currency = try row.optionalValue(Currency.init)
        let encodedState = try row.text()
        guard let symbol, let bound, let severity, row.isUnderstood else { return nil }
        var since: Instant?
        if let wall, let boot { since = Instant(boot: boot, wall: wall) }
        self.init(
            rule: rule, symbol: symbol, bound: bound, state: state, since: since, severity: severity, limit: limit,
            currency: currency, encodedState: encodedState)
    }
}
