internal import Engine
internal import Events
internal import Market
internal import Time

/// The table `price_gap`: gaps in the prices of one source that have not been looked up in candles yet, with a row
/// for each alert.
struct GapTable {
    let database: Database
    let source: Int64

    /// Applies the changes. Runs inside a transaction.
    func write(_ changes: GapChanges) throws(StorageError) {
        if changes.isWhole { try database.run("DELETE FROM price_gap WHERE source = ?", .integer(source)) }
        for id in changes.removed {
            try database.run(
                "DELETE FROM price_gap WHERE source = ? AND symbol = ? AND since = ? AND until = ?", .integer(source),
                .text("\(id.symbol)"), .integer(id.since.milliseconds), .integer(id.until.milliseconds))
        }
        for gap in changes.added {
            for (position, watch) in gap.watches.enumerated() { try write(watch, at: position, of: gap) }
        }
    }

    private func write(_ watch: PriceGap.Watch, at position: Int, of gap: PriceGap) throws(StorageError) {
        try database.run(
            """
            INSERT OR REPLACE INTO price_gap
                (source, symbol, since, position, until, price, rule, bound, limit_price, currency)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(source), .text("\(gap.symbol)"), .integer(gap.id.since.milliseconds),
            .integer(Int64(position)), .integer(gap.until.milliseconds), .text("\(gap.before)"), .text(watch.rule),
            .text(watch.bound.rawValue), .text("\(watch.limit)"), .optional(watch.currency.map { "\($0)" }))
    }

    /// Returns all gaps. Leaves out rows that this version cannot interpret.
    func all() throws(StorageError) -> [PriceGap] {
        var gaps: [PriceGap] = []
        try database.read(
            """
            SELECT symbol, since, until, price, rule, bound, limit_price, currency FROM price_gap
            WHERE source = ? ORDER BY symbol, since, until, position
            """, .integer(source)
        ) { row throws(StorageError) in
            guard let gap = try PriceGap(&row) else {
                database.leaveOut(row, of: "price_gap")
                return true
            }
            if let last = gaps.indices.last, gaps[last].id == gap.id {
                gaps[last].watches += gap.watches
            } else {
                gaps.append(gap)
            }
            return true
        }
        return gaps
    }
}

extension PriceGap {
    /// Reads a gap with the watch of one row.
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let symbol = try row.value(Symbol.init)
        let since = try row.time()
        let until = try row.time()
        let price = try row.optionalPrice()
        let rule = try row.text()
        let bound = try row.value(Bound.init)
        let limit = try row.value(LimitValue.init)
        let currency = try row.optionalValue(Currency.init)
        guard let symbol, let price, let bound, let limit, row.isUnderstood else { return nil }
        self.init(
            id: ID(symbol: symbol, since: since, until: until), before: price,
            watches: [Watch(rule: rule, bound: bound, limit: limit, currency: currency)])
    }
}
