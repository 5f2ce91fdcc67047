internal import Market
internal import Time

/// The table `candle`: the prices of one source in gaps, minute by minute.
struct CandleTable {
    let database: Database
    let source: Int64

    /// Writes candles, replacing the stored candles of the same minutes. Leaves out minutes without trades. Runs
    /// inside a transaction.
    func write(_ candles: SymbolCandles) throws(StorageError) {
        for candle in candles.candles where candle.volume.isPositive {
            try database.run(
                """
                INSERT OR REPLACE INTO candle (source, symbol, start, open, high, low, close, volume)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, .integer(source), .text("\(candles.symbol)"), .integer(candle.start.milliseconds),
                .text("\(candle.open)"), .text("\(candle.high)"), .text("\(candle.low)"), .text("\(candle.close)"),
                .text("\(candle.volume)"))
        }
    }

    /// Returns the candles of a symbol that begin in a time range, oldest first: the first `limit` of them.
    func candles(of symbol: Symbol, in times: Range<WallTime>, limit: Int) throws(StorageError) -> [Candle] {
        var candles: [Candle] = []
        try database.read(
            """
            SELECT start, open, high, low, close, volume FROM candle
            WHERE source = ? AND symbol = ? AND start >= ? AND start < ? ORDER BY start LIMIT ?
            """, .integer(source), .text("\(symbol)"), .integer(times.lowerBound.milliseconds),
            .integer(times.upperBound.milliseconds), .integer(Int64(limit))
        ) { row throws(StorageError) in
            if let candle = try Candle(&row) { candles.append(candle) } else { database.leaveOut(row, of: "candle") }
            return true
        }
        return candles
    }
}

extension Database {
    /// Deletes the oldest candles of all sources if they are too old or too many. Scans all of them, which takes
    /// about 10 ms for ``StoreOptions/mostCandles``.
    func retainCandles(_ options: StoreOptions, at now: WallTime) throws(StorageError) {
        let oldest = now.milliseconds.subtractingReportingOverflow(options.keepCandles.count)
        if !oldest.overflow { try run("DELETE FROM candle WHERE start < ?", .integer(oldest.partialValue)) }
        let excess = (try number("SELECT count(*) FROM candle") ?? 0) - options.mostCandles
        guard excess > 0 else { return }
        try run(
            "DELETE FROM candle WHERE start <= (SELECT start FROM candle ORDER BY start LIMIT 1 OFFSET ?)",
            .integer(excess - 1))
    }
}

extension Candle {
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let start = try row.time()
        let open = try row.optionalPrice()
        let high = try row.optionalPrice()
        let low = try row.optionalPrice()
        let close = try row.optionalPrice()
        let volume = try row.optionalPrice()
        guard let open, let high, let low, let close, let volume, row.isUnderstood else { return nil }
        self.init(start: start, open: open, high: high, low: low, close: close, volume: volume)
    }
}
