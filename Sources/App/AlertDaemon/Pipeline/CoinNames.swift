internal import Market

/// Which market belongs to each coin of a source, and which of that is in the store. It outlives the process, so that
/// two coins with the same ticker symbol never swap.
struct CoinNames {
    private(set) var all: [String: CoinName] = [:]
    /// The identities of those that are not in the store yet.
    private var changed: Set<String> = []

    /// What is not in the store yet.
    var unsaved: [CoinName] { changed.sorted().compactMap { all[$0] } }

    /// Takes over the names that are in the store; names that were given in the meantime stay.
    mutating func restore(_ names: [CoinName]) {
        let stored = Dictionary(names.map { ($0.identity, $0) }) { first, _ in first }
        changed = Set(all.keys.filter { stored[$0] != all[$0] })
        all.merge(stored) { given, _ in given }
    }

    /// The coin of a market; nil when there is none.
    func identity(of symbol: Symbol) -> String? {
        all.values.first { $0.symbol == symbol }?.identity
    }

    /// Notes the coins of a response.
    mutating func note(_ coins: [Coin]) {
        for coin in coins {
            let name = CoinName(identity: coin.identity, symbol: coin.symbol, name: coin.name)
            guard all.updateValue(name, forKey: coin.identity) != name else { continue }
            changed.insert(coin.identity)
        }
    }

    mutating func didSave() {
        changed = []
    }
}
