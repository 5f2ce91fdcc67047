internal import Market
internal import Time

/// The tables `coin` and `coin_history` of a source.
struct CoinTables {
    let database: Database
    /// The id of the source.
    let source: Int64

    /// The maximum number of kept price histories, one for each coin and period. 1,000 of about 8 kB each take 8 MB.
    static let historyLimit: Int64 = 1_000

    /// Stores names, replacing the stored names of the same coins. Runs inside a transaction.
    func write(_ names: [CoinName]) throws(StorageError) {
        for name in names {
            try database.run(
                """
                INSERT INTO coin (source, identity, symbol, name) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET symbol = excluded.symbol, name = excluded.name
                """, .integer(source), .text(name.identity), .text("\(name.symbol)"), .optional(name.name))
        }
    }

    /// Deletes all names. Runs inside a transaction.
    func clear() throws(StorageError) {
        try database.run("DELETE FROM coin WHERE source = ?", .integer(source))
    }

    /// Deletes the names of these coins. Runs inside a transaction.
    func forget(_ identities: Set<String>) throws(StorageError) {
        for identity in identities.sorted() {
            try database.run("DELETE FROM coin WHERE source = ? AND identity = ?", .integer(source), .text(identity))
        }
    }

    /// Returns the names of all coins. Leaves out names that this version cannot interpret.
    func names() throws(StorageError) -> [CoinName] {
        var names: [CoinName] = []
        try database.read(
            "SELECT identity, symbol, name FROM coin WHERE source = ? ORDER BY identity", .integer(source)
        ) { row throws(StorageError) in
            let identity = try row.text()
            let symbol = try row.value(Symbol.init)
            let name = try row.optionalText()
            if let symbol, row.isUnderstood {
                names.append(CoinName(identity: identity, symbol: symbol, name: name))
            } else {
                database.leaveOut(row, of: "coin")
            }
            return true
        }
        return names
    }

    /// Stores the past prices of a coin, replacing older ones. If there are too many histories, deletes the ones that
    /// were fetched longest ago. Runs inside a transaction.
    func write(_ history: CoinHistory) throws(StorageError) {
        let points = history.points.map { "\($0.time.milliseconds) \($0.price)" }.joined(separator: "\n")
        try database.run(
            """
            INSERT INTO coin_history (source, identity, period, fetched, change, points) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET fetched = excluded.fetched, change = excluded.change, points = excluded.points
            """, .integer(source), .text(history.identity), .text(history.period.rawValue),
            .integer(history.fetched.milliseconds), .optional(history.changePercent?.description), .text(points))
        try database.run(
            """
            DELETE FROM coin_history WHERE rowid IN
                (SELECT rowid FROM coin_history ORDER BY fetched DESC, rowid DESC LIMIT -1 OFFSET ?)
            """, .integer(Self.historyLimit))
    }

    /// Returns the past prices of a coin for one period, or for all stored periods, shortest first, if `period` is
    /// nil.
    func histories(of identity: String, over period: PricePeriod? = nil) throws(StorageError) -> [CoinHistory] {
        var histories: [CoinHistory] = []
        try database.read(
            """
            SELECT period, fetched, change, points FROM coin_history
            WHERE source = ? AND identity = ? AND period = coalesce(?, period)
            """, .integer(source), .text(identity), .optional(period?.rawValue)
        ) { row throws(StorageError) in
            let period = try row.value(PricePeriod.init)
            let fetched = try row.time()
            let change = try row.optionalPrice()
            let points = Self.points(try row.text())
            // Prices that cannot be read are fetched again.
            if let period, !points.isEmpty, row.isUnderstood {
                histories.append(
                    CoinHistory(
                        identity: identity, period: period, fetched: fetched, changePercent: change, points: points))
            }
            return true
        }
        return histories.sorted { $0.period.length < $1.period.length }
    }

    /// Returns the times since `time` at which past prices of coins were fetched.
    func fetches(since time: WallTime) throws(StorageError) -> [WallTime] {
        var times: [WallTime] = []
        try database.read(
            "SELECT fetched FROM coin_history WHERE source = ? AND fetched >= ? ORDER BY fetched", .integer(source),
            .integer(time.milliseconds)
        ) { row throws(StorageError) in
            times.append(try row.time())
            return true
        }
        return times
    }

    private static func points(_ text: String) -> [CoinPoint] {
        var points: [CoinPoint] = []
        for line in text.split(separator: "\n").prefix(CoinHistory.pointLimit) {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let time = Int64(parts[0]), time.magnitude < 1 << 50,
                let price = try? Price(String(parts[1])), points.last.map({ $0.time.milliseconds < time }) ?? true
            else { return [] }
            points.append(CoinPoint(time: WallTime(milliseconds: time), price: price))
        }
        return points
    }
}
