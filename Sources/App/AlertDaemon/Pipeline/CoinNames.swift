internal import Market

/// The market of each coin of a source, with a record of which names are stored. The names are saved, so that two
/// coins with the same ticker symbol never swap their markets.
///
/// The number of names is limited, whatever a response contains: the names of the coins that have been absent longest
/// are dropped, except those of markets that a rule names exactly.
struct CoinNames {
    private(set) var all: [String: CoinName] = [:]
    /// Coins whose names are in the store and must be deleted there.
    private var forgotten: Set<String> = []
    /// Coins whose names were passed on to be stored.
    private var stored: Set<String> = []
    /// Coins whose new names have not been passed on yet.
    private var changed: Set<String> = []
    /// The number of the last response with each coin, counted from the start of the process. Coins not seen since the
    /// start have no entry.
    private var seen: [String: Int] = [:]
    private var responseCount = 0

    /// Restores the stored names. Names assigned since the start take precedence.
    mutating func restore(_ names: [CoinName]) {
        let given = all
        stored = Set(names.lazy.map(\.identity))
        let known = Dictionary(names.map { ($0.identity, $0) }) { first, _ in first }
        changed = Set(given.values.filter { known[$0.identity] != $0 }.map(\.identity))
        all = known.merging(given) { $1 }
    }

    /// Returns the coin of a market; nil if there is none.
    func identity(of symbol: Symbol) -> String? {
        all.values.first { $0.symbol == symbol }?.identity
    }

    /// Records the coins of a response. `isNamed` returns true if a rule names a market exactly.
    mutating func record(_ coins: [Coin], isNamed: (Symbol) -> Bool) {
        responseCount += 1
        for coin in coins {
            let name = CoinName(identity: coin.identity, symbol: coin.symbol, name: coin.name)
            seen[coin.identity] = responseCount
            guard all[coin.identity] != name else { continue }
            all[coin.identity] = name
            changed.insert(coin.identity)
            forgotten.remove(coin.identity)
        }
        forgetExcess(isNamed)
    }

    private mutating func forgetExcess(_ isNamed: (Symbol) -> Bool) {
        guard all.count > CoinName.limit else { return }
        let others = all.values.filter { !isNamed($0.symbol) }.map { (seen[$0.identity] ?? 0, $0.identity) }
            .sorted(by: <)
        for (_, identity) in others.prefix(all.count - CoinName.limit) {
            (all[identity], seen[identity]) = (nil, nil)
            changed.remove(identity)
            if stored.contains(identity) { forgotten.insert(identity) }
        }
    }

    /// Returns the names that have changed since the last call, and the coins whose stored names must be deleted.
    mutating func takeChanges() -> (names: [CoinName], forgotten: Set<String>) {
        guard !changed.isEmpty || !forgotten.isEmpty else { return ([], []) }
        defer {
            stored = stored.subtracting(forgotten).union(changed)
            (changed, forgotten) = ([], [])
        }
        return (changed.sorted().compactMap { all[$0] }, forgotten)
    }

    /// Returns all names, which replace the stored ones.
    mutating func takeEverything() -> [CoinName] {
        (stored, changed, forgotten) = (Set(all.keys), [], [])
        return all.values.sorted { $0.identity < $1.identity }
    }
}

/// The data of a price service about its coins.
struct LaneCoins {
    var names = CoinNames()
    /// The coins of the last response, by their markets.
    private(set) var byMarket: [Symbol: Coin] = [:]
    private(set) var assetNames: [Asset: String] = [:]

    /// Ingests the coins of a response. `isNamed` returns true if a rule names a market exactly.
    mutating func ingest(_ new: [Coin], _ tickers: [Ticker], isNamed: (Symbol) -> Bool) {
        names.record(new, isNamed: isNamed)
        byMarket = Dictionary(new.map { ($0.symbol, $0) }) { first, _ in first }
        assetNames = [:]
        for ticker in tickers {
            if let base = ticker.base, let name = byMarket[ticker.symbol]?.name { assetNames[base] = name }
        }
    }
}
