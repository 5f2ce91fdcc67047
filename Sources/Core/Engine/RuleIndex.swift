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
        // By number: a rule is much to copy.
        for number in rules.indices {
            let patterns = rules[number].symbols
            guard patterns.allSatisfy({ $0.exactSymbol != nil }) else {
                patterned.append(number)
                continue
            }
            for symbol in patterns.exactSymbols { exact[symbol, default: []].append(number) }
        }
    }

    /// The rules for a symbol.
    ///
    /// - Parameters:
    ///   - symbol: the symbol.
    ///   - rules: the rules that the index was made of.
    ///   - isExact: whether only rules that name the symbol count.
    /// - Returns: their numbers, in file order.
    func rules(for symbol: Symbol, in rules: [Rule], exactly isExact: Bool = false) -> [Int] {
        let others = patterned.filter { number in
            isExact
                ? rules[number].symbols.contains { $0.exactSymbol == symbol } : rules[number].matches(symbol)
        }
        return ((exact[symbol] ?? []) + others).sorted()
    }
}
