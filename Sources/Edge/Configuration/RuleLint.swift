package import Diagnostics
internal import Market
package import Rules
package import Time

/// Finds what is allowed in rules but hardly meant.
package struct RuleLint {
    /// A limit so many times above or below all prices that are kept has a digit too many, or another currency.
    package static let farFactor: Int64 = 5

    private let rules: [(rule: Rule, source: RuleSource)]

    /// - Parameters:
    ///   - rules: in the order of the files.
    ///   - sources: where they stand, in the same order.
    package init(_ rules: [Rule], _ sources: [RuleSource]) {
        self.rules = Array(zip(rules, sources)).map { (rule: $0, source: $1) }
    }

    /// What can be said without a market.
    ///
    /// - Parameters:
    ///   - interval: how often prices come.
    ///   - now: the present.
    /// - Returns: a warning each, in the order of the rules.
    package func findings(interval: Milliseconds, now: WallTime) -> [Finding] {
        var firsts: [String: Int] = [:]
        return rules.indices.flatMap { index -> [Finding] in
            let (rule, source) = rules[index]
            let own = timing(rule, source, interval: interval, now: now) + doubledSymbols(rule, source)
            guard let first = firsts[rule.meaning] else {
                firsts[rule.meaning] = index
                return own
            }
            let (other, place) = (rules[first].rule.name, rules[first].source.begin.position)
            return own + [
                Finding(
                    .warning, at: source.begin,
                    "“\(rule.name)” means the same as “\(other)” at \(place.file):\(place.line)",
                    advice: "each tells of the same; remove one")
            ]
        }
    }

    private func timing(
        _ rule: Rule, _ source: RuleSource, interval: Milliseconds, now: WallTime
    ) -> [Finding] {
        var findings: [Finding] = []
        if let end = rule.expires, end <= now {
            findings.append(
                Finding(
                    .warning, at: source.place(of: "expires"), "`expires` is past: the rule never evaluates",
                    advice: "choose a later time, or remove the rule"))
        }
        if let length = rule.notification.repeatAfter, length < interval {
            findings.append(
                Finding(
                    .warning, at: source.place(of: "repeat"),
                    "`repeat` is \(length), shorter than the interval of \(interval): each poll tells again",
                    advice: "use a longer one"))
        }
        if case .move(let move) = rule.condition, rule.hold >= move.window {
            findings.append(
                Finding(
                    .warning, at: source.place(of: "for"),
                    "`for` is \(rule.hold), not shorter than the window of \(move.window): what began the move has "
                        + "left the window by then", advice: "use a shorter `for`, or a longer `window`"))
        }
        return findings
    }

    private func doubledSymbols(_ rule: Rule, _ source: RuleSource) -> [Finding] {
        rule.symbols.enumerated().compactMap { index, pattern in
            guard let symbol = pattern.exactSymbol,
                let other = rule.symbols.enumerated().first(where: { $0 != index && $1.matches(symbol) }),
                other.element.exactSymbol == nil || other.offset < index
            else { return nil }
            return Finding(
                .warning, at: source.place(of: "symbol"), "\(symbol) is matched by \"\(other.element.text)\" as well",
                advice: "it counts once; remove it from the list")
        }
    }

    /// What a market says.
    ///
    /// - Parameter market: what is known of it.
    /// - Returns: a warning each, in the order of the rules.
    package func findings(in market: MarketFacts) -> [Finding] {
        let names = market.symbols.keys.map(\.description).sorted()
        return rules.flatMap { rule, source in
            MarketLint(rule: rule, source: source, market: market, names: names).findings
        }
    }

    /// Which rules name what the market does not list, or cannot be converted: what a reload says.
    ///
    /// - Parameter market: what is known of it.
    /// - Returns: a warning each, in the order of the rules.
    package func blockers(in market: MarketFacts) -> [Finding] {
        let names = market.symbols.keys.map(\.description).sorted()
        return rules.flatMap { rule, source in
            MarketLint(rule: rule, source: source, market: market, names: names).blockers
        }
    }
}
