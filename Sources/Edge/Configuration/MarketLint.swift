internal import Diagnostics
internal import Engine
internal import Market
internal import Rules

/// Holds one rule against a market.
struct MarketLint {
    let rule: Rule
    let source: RuleSource
    let market: MarketFacts
    /// Of all symbols, sorted.
    let names: [String]

    /// The symbols that the rule matches, by name.
    private var matched: [(symbol: Symbol, facts: MarketFacts.SymbolFacts)] {
        market.symbols.filter { rule.matches($0.key) }.sorted { $0.key < $1.key }
            .map { (symbol: $0.key, facts: $0.value) }
    }

    var findings: [Finding] { blockers + frozen + limits.flatMap(findings) + steps }

    /// What keeps the rule from its work at all.
    var blockers: [Finding] { missing + unconvertible }

    private func warning(_ keys: String..., what: String, advice: String) -> Finding {
        Finding(.warning, at: keys.lazy.compactMap { source.keys[$0] }.first ?? source.begin, what, advice: advice)
    }

    private var missing: [Finding] {
        let matched = matched
        return rule.symbols.compactMap { pattern in
            guard !matched.contains(where: { pattern.matches($0.symbol) }) else { return nil }
            guard let symbol = pattern.exactSymbol else {
                return warning(
                    "symbol", what: "\"\(pattern.text)\" matches no symbol of the exchange",
                    advice: "'alertctl list' shows all there are")
            }
            let meant = nearest(to: symbol.description, among: names).map { "did you mean \"\($0)\"?" }
            return warning(
                "symbol", what: "the exchange lists no symbol \"\(symbol)\"",
                advice: meant ?? "'alertctl list' shows all there are")
        }
    }

    private var unconvertible: [Finding] {
        guard let currency = rule.currency, let one = Price(mantissa: 1, scale: 0) else { return [] }
        let quotes = Set(matched.compactMap(\.facts.quote)).filter {
            $0 != currency && market.convert(one, $0, currency) == nil
        }
        return quotes.map(\.description).sorted().map { quote in
            let of = list(matched.filter { $0.facts.quote?.description == quote }.map(\.symbol.description))
            return warning(
                "currency", what: "there is no way from \(quote) to \(currency), for \(of)",
                advice: "use another `currency`; 'alertctl rates' shows which there are")
        }
    }

    private var frozen: [Finding] {
        let symbols = matched.filter { match in
            match.facts.isFrozen && rule.symbols.contains { $0.exactSymbol == match.symbol }
        }
        guard !symbols.isEmpty else { return [] }
        return [
            warning(
                "symbol", what: "\(list(symbols.map(\.symbol.description))): no trade and no change, frozen",
                advice: "the rule waits until it is traded again")
        ]
    }

    /// `btcinr`, `btcinr and 3 others`
    private func list(_ symbols: [String]) -> String {
        let first = symbols.first ?? "none"
        return symbols.count > 1 ? "\(first) and \(symbols.count - 1) other\(symbols.count > 2 ? "s" : "")" : first
    }
}

// MARK: Limits

/// A limit and where it stands.
private struct LintedLimit {
    enum Side {
        /// Reached from below.
        case upper
        /// Reached from above.
        case lower
        /// Reached from either side, and notified of only then.
        case crossing
        /// One end of a zone.
        case zone
    }

    var key: String
    var price: Price
    var side: Side
}

extension MarketLint {
    private var limits: [LintedLimit] {
        switch rule.condition {
        case .band(let band):
            [
                band.min.map { LintedLimit(key: "min", price: $0.price, side: .lower) },
                band.max.map { LintedLimit(key: "max", price: $0.price, side: .upper) },
            ].compactMap(\.self)
        case .within(let zone):
            [zone.low.price, zone.high.price].map { LintedLimit(key: "within", price: $0, side: .zone) }
        case .cross(let crossing): [LintedLimit(key: crossing.key, price: crossing.limit, side: .crossing)]
        case .move: []
        }
    }

    private func findings(_ limit: LintedLimit) -> [Finding] {
        [breached(limit), far(limit), finer(limit.price, key: limit.key)].compactMap(\.self)
    }

    private func breached(_ limit: LintedLimit) -> Finding? {
        guard limit.side == .upper || limit.side == .lower else { return nil }
        let symbols = matched.filter { match in
            guard !match.facts.isFrozen, let price = price(match.facts) else { return false }
            return limit.side == .upper ? price >= limit.price : price <= limit.price
        }
        guard let first = symbols.first, let price = price(first.facts) else { return nil }
        return warning(
            limit.key,
            what: "`\(limit.key)` is reached already on \(list(symbols.map(\.symbol.description))): "
                + "\(first.symbol) is at \(price)",
            advice: "it fires with the first price")
    }

    private func far(_ limit: LintedLimit) -> Finding? {
        let factor = Price(mantissa: RuleLint.farFactor, scale: 0) ?? .zero
        let symbols = matched.filter { match in
            guard let lowest = inRule(match.facts.lowest, match.facts),
                let highest = inRule(match.facts.highest, match.facts)
            else { return false }
            let isAbove = highest.multiplied(by: factor).map { limit.price >= $0 } ?? false
            let isBelow = limit.price.multiplied(by: factor).map { $0 <= lowest } ?? false
            return (isAbove && limit.side != .lower) || (isBelow && limit.side != .upper)
        }
        guard let first = symbols.first, let lowest = inRule(first.facts.lowest, first.facts),
            let highest = inRule(first.facts.highest, first.facts)
        else { return nil }
        return warning(
            limit.key,
            what: "`\(limit.key)` is far from every price that is kept of \(list(symbols.map(\.symbol.description))): "
                + "\(lowest) to \(highest)",
            advice: "count the digits, and see which currency is meant")
    }

    /// Amounts that have more digits than prices.
    private var steps: [Finding] {
        let amounts: [(String, Distance)] =
            switch rule.condition {
            case .band(let band): band.hysteresis.map { [("hysteresis", $0)] } ?? []
            case .within(let zone): zone.hysteresis.map { [("hysteresis", $0)] } ?? []
            case .move(let move): [(move.key, move.distance)]
            case .cross: []
            }
        return amounts.compactMap { key, distance in
            if case .amount(let amount) = distance { finer(amount, key: key) } else { nil }
        }
    }

    private func finer(_ amount: Price, key: String) -> Finding? {
        let digits = Int(amount.reduced.scale)
        let symbols = matched.filter { match in
            let isNative = rule.currency == nil || rule.currency == match.facts.quote
            return isNative && match.facts.decimals.map { digits > $0 } ?? false
        }
        // What is for all of many markets need not fit each of them.
        guard let first = symbols.first, symbols.count == matched.count else { return nil }
        let most = symbols.compactMap(\.facts.decimals).max() ?? 0
        return warning(
            key,
            what: "`\(key)` is finer than prices of \(list(symbols.map(\.symbol.description))), which have "
                + (most == 0 ? "no digits after the point" : "\(most) digit\(most == 1 ? "" : "s") after the point"),
            advice: "no price of \(first.symbol) stands on it")
    }

    /// The price that the rule looks at, in its currency.
    private func price(_ facts: MarketFacts.SymbolFacts) -> Price? {
        let price: Price? =
            switch rule.price {
            case .last: facts.last
            case .bid: facts.bid
            case .ask: facts.ask
            case .mid: facts.bid.flatMap { bid in facts.ask.flatMap { bid.midpoint(to: $0) } }
            }
        return inRule(price, facts)
    }

    /// A price of the market in the rule's currency.
    private func inRule(_ price: Price?, _ facts: MarketFacts.SymbolFacts) -> Price? {
        guard let price, price.isPositive, let quote = facts.quote else { return nil }
        guard let currency = rule.currency, currency != quote else { return price }
        return market.convert(price, quote, currency)
    }
}
