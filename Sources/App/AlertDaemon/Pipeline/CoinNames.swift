internal import Market

/// Which market belongs to each coin of a source, and which of that is in the store. It outlives the process, so that
/// two coins with the same ticker symbol never swap.
struct CoinNames {
    private(set) var all: [String: CoinName] = [:]
    /// What is not in the store yet.
    private(set) var unsaved: [CoinName] = []

    /// Takes over the names that are in the store; names that were given in the meantime stay.
    mutating func restore(_ names: [CoinName]) {
        let given = all
        all = Dictionary(names.map { ($0.identity, $0) }) { first, _ in first }.merging(given) { $1 }
        unsaved = given.values.filter { names.firstIndex(of: $0) == nil }.sorted { $0.identity < $1.identity }
    }

    /// The coin of a market; nil when there is none.
    func identity(of symbol: Symbol) -> String? {
        all.values.first { $0.symbol == symbol }?.identity
    }

    /// Notes the coins of a response.
    mutating func note(_ coins: [Coin]) {
        for coin in coins {
            let name = CoinName(identity: coin.identity, symbol: coin.symbol, name: coin.name)
            guard all[coin.identity] != name else { continue }
            all[coin.identity] = name
            unsaved.removeAll { $0.identity == coin.identity }
            unsaved.append(name)
        }
    }

    mutating func didSave() {
        unsaved = []
    }
}
