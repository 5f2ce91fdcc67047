internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time

/// Everything here runs inside a transaction.
extension Database {
    func write(_ changes: StoreChanges) throws(StorageError) {
        for event in changes.events { try write(event) }
        if let last = changes.events.last?.number { try noteLastNumber(last) }
        if let engine = changes.engine { try write(engine) }
        if let boot = changes.bootID { try setFact("boot_id", boot) }
        try write(changes.history)
        try write(cursors: changes.cursors)
        for rate in changes.rates { try write(rate) }
        if let silences = changes.silences { try write(silences) }
        if let overrides = changes.overrides { try write(overrides: overrides) }
    }

    func write(cursors: [String: Int64]) throws(StorageError) {
        for (name, number) in cursors.sorted(by: { $0.key < $1.key }) {
            try run(
                """
                INSERT INTO sink (name, delivered) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET delivered = excluded.delivered
                """, .text(name), .integer(number))
        }
    }

    func setFact(_ name: String, _ value: String) throws(StorageError) {
        try run(
            "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            .text(name), .text(value))
    }

    func fact(_ name: String) throws(StorageError) -> String? {
        try first("SELECT value FROM meta WHERE name = ?", .text(name)) { row throws(StorageError) in try row.text() }
    }

    func writeOrigin(_ creator: String, at now: WallTime) throws(StorageError) {
        try transaction { () throws(StorageError) in
            try setFact("created_by", creator)
            try setFact("created_at", "\(now)")
        }
    }

    func write(_ rate: StoredRate) throws(StorageError) {
        try run(
            """
            INSERT INTO rate (source, date, currency, rate, fetched) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET rate = excluded.rate, fetched = excluded.fetched
            """, .text(rate.source), .text("\(rate.date)"), .text("\(rate.currency)"), .text("\(rate.rate)"),
            .integer(rate.fetched.milliseconds))
    }
}

extension Database {
    func write(_ changes: EngineChanges) throws(StorageError) {
        switch changes {
        case .whole(let snapshot):
            try run("DELETE FROM rule")
            try run("DELETE FROM alert")
            try run("DELETE FROM symbol_state")
            for (position, rule) in snapshot.rules.enumerated() {
                try run(
                    "INSERT INTO rule (position, name, meaning) VALUES (?, ?, ?)",
                    .integer(Int64(position)), .text(rule.name), .text(rule.meaning))
            }
            try write(alerts: snapshot.alerts, symbols: snapshot.symbols)
            try setFact("feed", snapshot.feed)
        case .part(let alerts, let symbols, let feed):
            try write(alerts: alerts, symbols: symbols)
            if let feed { try setFact("feed", feed) }
        }
    }

    private func write(alerts: [AlertSnapshot], symbols: [SymbolSnapshot]) throws(StorageError) {
        for alert in alerts { try write(alert) }
        for symbol in symbols {
            try run(
                """
                INSERT INTO symbol_state (symbol, encoded_state) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET encoded_state = excluded.encoded_state
                """,
                .text("\(symbol.symbol)"), .text(symbol.encodedState))
        }
    }

    private func write(_ alert: AlertSnapshot) throws(StorageError) {
        try run(
            """
            INSERT INTO alert (
                rule, symbol, bound, state, since, since_boot, severity, limit_price, currency, encoded_state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET state = excluded.state, since = excluded.since, since_boot = excluded.since_boot,
                severity = excluded.severity, limit_price = excluded.limit_price, currency = excluded.currency,
                encoded_state = excluded.encoded_state
            """, .text(alert.rule), .text("\(alert.symbol)"), .text(alert.bound.rawValue), .text(alert.state),
            .optional(alert.since?.wall.milliseconds), .optional(alert.since?.boot.milliseconds),
            .text(alert.severity.rawValue), .optional(alert.limit.map { "\($0)" }),
            .optional(alert.currency.map { "\($0)" }), .text(alert.encodedState))
    }
}

extension Database {
    func write(_ changes: HistoryChanges) throws(StorageError) {
        for id in changes.removed { try run("DELETE FROM block WHERE id = ?", .integer(id)) }
        if let kept = changes.kept { try removeBlocks(except: kept) }
        for block in changes.sealed { try write(block) }
        if changes.replacesParts { try run("DELETE FROM open_block_row") }
        for part in changes.parts {
            try run(
                """
                INSERT INTO open_block_row (block, first_row, row_count, bytes) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET row_count = excluded.row_count, bytes = excluded.bytes
                """, .integer(part.block), .integer(Int64(part.firstRow)), .integer(Int64(part.rowCount)),
                .blob(part.bytes))
        }
    }

    private func removeBlocks(except kept: Set<Int64>) throws(StorageError) {
        for id in try blockIDs() where !kept.contains(id) { try run("DELETE FROM block WHERE id = ?", .integer(id)) }
    }

    private func write(_ block: StoredBlock) throws(StorageError) {
        try run("DELETE FROM open_block_row WHERE block = ?", .integer(block.id))
        try run("DELETE FROM block WHERE id = ?", .integer(block.id))
        try run(
            "INSERT INTO block (id, oldest, newest, row_count, bytes) VALUES (?, ?, ?, ?, ?)", .integer(block.id),
            .integer(block.oldest.milliseconds), .integer(block.newest.milliseconds), .integer(Int64(block.rowCount)),
            .blob(block.bytes))
        for blockSymbol in block.blockSymbols { try write(blockSymbol, of: block.id) }
    }

    private func write(_ blockSymbol: StoredBlockSymbol, of block: Int64) throws(StorageError) {
        try run(
            """
            INSERT INTO block_symbol (block, symbol, since, until, samples, first, lowest, highest, last)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(block), .text("\(blockSymbol.symbol)"), .integer(blockSymbol.since.milliseconds),
            .integer(blockSymbol.until.milliseconds), .integer(Int64(blockSymbol.samples)),
            .text("\(blockSymbol.first)"),
            .text("\(blockSymbol.lowest)"), .text("\(blockSymbol.highest)"), .text("\(blockSymbol.last)"))
    }
}
