internal import Market
internal import Rules

/// An index that finds the rules for a symbol without testing every rule.
struct RuleIndex: Sendable {
    private var exact: [Symbol: [Int]] = [:]
    /// Rules with a pattern, which must be tested one by one.
    private var patterned: [Int] = []

    /// Number of rules that must be tested for each symbol.
    var patternCount: Int { patterned.count }

    init(_ rules: [Rule]) {
        // Iterates over numbers, because copying a rule is expensive.
        for number in rules.indices {
            let patterns = rules[number].symbols
            guard patterns.allSatisfy({ $0.exactSymbol != nil }) else {
                patterned.append(number)
                continue
            }
            for symbol in patterns.exactSymbols { exact[symbol, default: []].append(number) }
        }
    }

    /// Returns the rules for a symbol.
    ///
    /// - Parameters:
    ///   - symbol: the symbol.
    ///   - rules: the rules that the index was made from.
    ///   - isExact: true to include only rules that name the symbol exactly.
    /// - Returns: the numbers of the rules, in file order.
    func rules(for symbol: Symbol, in rules: [Rule], exactly isExact: Bool = false) -> [Int] {
        let others = patterned.filter { number in
            isExact
                ? rules[number].symbols.contains { $0.exactSymbol == symbol } : rules[number].matches(symbol)
        }
        return ((exact[symbol] ?? []) + others).sorted()
    }
}
