internal import Market
internal import Rules

/// Finds the rules for a symbol without testing every rule.
struct RuleIndex: Sendable {
    private var exact: [Symbol: [Int]] = [:]
    /// Rules with a pattern, each of which has to be tested.
    private var patterned: [Int] = []

    /// How many rules have to be tested for each symbol.
    var patternCount: Int { patterned.count }

    init(_ rules: [Rule]) {
        for (number, rule) in rules.enumerated() {
            let symbols = rule.symbols.map(\.exactSymbol)
            if symbols.contains(nil) {
                patterned.append(number)
                continue
            }
            for symbol in Set(symbols.compactMap(\.self)) {
                exact[symbol, default: []].append(number)
            }
        }
    }

    /// The numbers of the rules for a symbol, in file order.
    func rules(for symbol: Symbol, in rules: [Rule]) -> [Int] {
        ((exact[symbol] ?? []) + patterned.filter { rules[$0].matches(symbol) }).sorted()
    }
}
