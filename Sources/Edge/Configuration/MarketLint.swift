internal import Diagnostics
internal import Engine
internal import Events
internal import Market
internal import Rules

/// A check of one rule against the facts about a market.
struct MarketLint {
    let rule: Rule
    let source: RuleSource
    let market: MarketFacts
    /// The names of all symbols, sorted.
    let names: [String]

    /// The symbols that the rule matches, sorted by name.
    private var matched: [(symbol: Symbol, facts: MarketFacts.SymbolFacts)] {
        market.symbols.filter { rule.matches($0.key) }.sorted { $0.key < $1.key }
            .map { (symbol: $0.key, facts: $0.value) }
    }

    var findings: [Finding] {
        let all = blockers + frozen + pricelessDay + rule.condition.limits.flatMap(findings) + steps
        // Both limits of a zone may have the same fault.
        return all.indices.filter { !all[..<$0].contains(all[$0]) }.map { all[$0] }
    }

    /// Findings about faults that prevent the rule from working at all.
    var blockers: [Finding] { missing + unconvertible }

    private func warning(_ keys: String..., what: String, advice: String) -> Finding {
        Finding(.warning, at: keys.lazy.compactMap(source.place(ofKey:)).first ?? source.begin, what, advice: advice)
    }

    private var missing: [Finding] {
        let matched = matched
        return rule.symbols.compactMap { pattern in
            guard !matched.contains(where: { pattern.matches($0.symbol) }) else { return nil }
            guard let symbol = pattern.exactSymbol else {
                return warning(
                    "symbol", what: "\"\(pattern.text)\" matches no symbol of the source",
                    advice: "`alertctl list` shows all symbols")
            }
            let meant = symbolMeant(by: symbol.description, among: names).map { "did you mean \"\($0)\"?" }
            return warning(
                "symbol", what: "the source lists no symbol \"\(symbol)\"",
                advice: meant ?? "`alertctl list` shows all symbols")
        }
    }

    private var unconvertible: [Finding] {
        // If no price can ever be converted, the check of the settings reports it.
        guard let currency = rule.currency, !source.currencyIsUnreachable, let one = Price(mantissa: 1, scale: 0)
        else { return [] }
        let quotes = Set(matched.compactMap(\.facts.quote)).filter {
            $0 != currency && market.convert(one, $0, currency) == nil
        }
        return quotes.map(\.description).sorted().map { quote in
            let of = list(matched.filter { $0.facts.quote?.description == quote }.map(\.symbol.description))
            return warning(
                "currency", what: "no conversion path \(quote) → \(currency) for \(of)",
                advice: "use another `currency`; `alertctl rates` lists those available")
        }
    }

    /// A finding about symbols without a recorded price before the day of `from`. Their limits stay unknown unless
    /// prices are imported.
    private var pricelessDay: [Finding] {
        guard case .day(let day)? = rule.condition.base else { return [] }
        let matched = matched
        let lacking = matched.filter { $0.facts.daysWithoutPrice.contains(day) }
        guard !lacking.isEmpty else { return [] }
        return [
            Finding(
                lacking.count == matched.count ? .error : .warning, at: source.place(ofKey: "from") ?? source.begin,
                "no recorded price of \(list(lacking.map(\.symbol.description))) is from before \(day)",
                advice: "choose another day, write the price as an amount, or import prices with 'alertctl import'")
        ]
    }

    private var frozen: [Finding] {
        let symbols = matched.filter { match in
            match.facts.isFrozen && rule.symbols.contains { $0.exactSymbol == match.symbol }
        }
        guard !symbols.isEmpty else { return [] }
        return [
            warning(
                "symbol", what: "\(list(symbols.map(\.symbol.description))): frozen (no trades and no price changes)",
                advice: "the rule waits until trading resumes")
        ]
    }

    /// Formats a list of symbols: `btcinr`, `btcinr and 3 others`.
    private func list(_ symbols: [String]) -> String {
        let first = symbols.first ?? "none"
        return symbols.count > 1 ? "\(first) and \(symbols.count - 1) other\(symbols.count > 2 ? "s" : "")" : first
    }
}

// MARK: Limits

extension MarketLint {
    private func findings(_ limit: ConditionLimit) -> [Finding] {
        [breached(limit), far(limit), finer(limit.price, key: limit.key.rawValue)].compactMap(\.self)
    }

    private func breached(_ limit: ConditionLimit) -> Finding? {
        guard let approach = limit.approach else { return nil }
        let symbols = matched.filter { match in
            guard !match.facts.isFrozen, let price = price(match.facts) else { return false }
            return approach == .fromBelow ? price >= limit.price : price <= limit.price
        }
        guard let first = symbols.first, let price = price(first.facts) else { return nil }
        return warning(
            limit.key.rawValue,
            what: "`\(limit.key.rawValue)` is already reached on \(list(symbols.map(\.symbol.description))): "
                + "\(first.symbol) is at \(text(price, first.facts))",
            advice: "the alert fires as soon as the rule is loaded")
    }

    private func far(_ limit: ConditionLimit) -> Finding? {
        let factor = Price(mantissa: RuleLint.farFactor, scale: 0) ?? .zero
        let symbols = matched.filter { match in
            guard let lowest = inRule(match.facts.lowest, match.facts),
                let highest = inRule(match.facts.highest, match.facts)
            else { return false }
            let isAbove = highest.multiplied(by: factor).map { limit.price >= $0 } ?? false
            let isBelow = limit.price.multiplied(by: factor).map { $0 <= lowest } ?? false
            return (isAbove && limit.approach != .fromAbove) || (isBelow && limit.approach != .fromBelow)
        }
        guard let first = symbols.first, let lowest = inRule(first.facts.lowest, first.facts),
            let highest = inRule(first.facts.highest, first.facts)
        else { return nil }
        let range = [text(lowest, first.facts), text(highest, first.facts)]
        return warning(
            limit.key.rawValue,
            what:
                "`\(limit.key.rawValue)` is far from every recorded price of "
                + "\(list(symbols.map(\.symbol.description))): "
                + (range[0] == range[1] ? range[0] : range.joined(separator: " to ")),
            advice: "check the number of digits and the currency")
    }

    /// Findings about amounts that have more digits than prices.
    private var steps: [Finding] {
        let amounts =
            [rule.condition.hysteresis.map { (ConditionModifier.hysteresis.rawValue, $0) }]
            + [rule.condition.distance.map { ($0.key.rawValue, $0.distance) }]
        return amounts.compactMap(\.self).compactMap { key, distance in
            if case .amount(let amount) = distance { finer(amount, key: key) } else { nil }
        }
    }

    private func finer(_ amount: Price, key: String) -> Finding? {
        let digits = Int(amount.reduced.scale)
        let symbols = matched.filter { match in
            let isNative = rule.currency == nil || rule.currency == match.facts.quote
            return isNative && match.facts.decimals.map { digits > $0 } ?? false
        }
        // A rule for many symbols is fine if the amount fits at least one of them.
        guard let first = symbols.first, symbols.count == matched.count else { return nil }
        let most = symbols.compactMap(\.facts.decimals).max() ?? 0
        return warning(
            key,
            what: "`\(key)` has more digits than prices of \(list(symbols.map(\.symbol.description))), which have "
                + (most == 0 ? "no digits after the point" : "\(most) digit\(most == 1 ? "" : "s") after the point"),
            advice: "no price of \(first.symbol) can equal it")
    }

    /// Returns the price that the rule evaluates, in the rule's currency.
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

    /// Formats a price in the rule's currency for people, as that currency is written.
    private func text(_ price: Price, _ facts: MarketFacts.SymbolFacts) -> String {
        guard let currency = rule.currency ?? facts.quote else { return "\(price)" }
        return moneyText(price, currency, isRounded: currency != facts.quote, hasUnicode: true)
    }

    /// Converts a price of the market to the rule's currency. Returns nil if that is impossible.
    private func inRule(_ price: Price?, _ facts: MarketFacts.SymbolFacts) -> Price? {
        guard let price, price.isPositive, let quote = facts.quote else { return nil }
        guard let currency = rule.currency, currency != quote else { return price }
        return market.convert(price, quote, currency)
    }
}
