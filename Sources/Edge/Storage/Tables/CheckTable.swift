internal import Events
internal import Market

/// The table `price_check`: the states of the checks of prices of two sources against each other.
struct CheckTable {
    let database: Database

    /// Replaces the stored states; runs inside a transaction.
    func write(_ checks: [StoredCheck]) throws(StorageError) {
        try database.run("DELETE FROM price_check")
        for check in checks {
            try database.run(
                "INSERT INTO price_check (name, meaning, encoded_state) VALUES (?, ?, ?)", .text(check.name),
                .text(check.meaning), .text(check.encodedState))
        }
    }

    func all() throws(StorageError) -> [StoredCheck] {
        var checks: [StoredCheck] = []
        try database.read(
            "SELECT name, meaning, encoded_state FROM price_check ORDER BY name"
        ) { row throws(StorageError) in
            checks.append(
                StoredCheck(name: try row.text(), meaning: try row.text(), encodedState: try row.text()))
            return true
        }
        return checks
    }
}

extension Divergence {
    /// `binance:btcusdt 6800000 10.29 8 the name of the check`
    var stored: String { "\(source):\(symbol) \(price) \(percent) \(within) \(check)" }

    /// Reads what ``stored`` gives; nil for anything else.
    init?(stored text: String) {
        let parts = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5 else { return nil }
        let market = SourcedText(parts[0])
        guard let source = market.source.flatMap({ SourceName($0) }), let symbol = Symbol(market.symbol),
            let price = try? Price(parts[1]), let percent = try? Price(parts[2]), let within = try? Price(parts[3])
        else { return nil }
        self.init(
            check: parts[4], source: source, symbol: symbol, price: price, percent: percent, within: within)
    }
}
