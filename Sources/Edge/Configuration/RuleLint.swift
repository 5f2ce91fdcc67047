package import Diagnostics
internal import Engine
package import Market
package import Rules
package import Time

/// A finder of likely mistakes in rules.
package struct RuleLint {
    /// The factor by which a limit must be above or below all recorded prices to be a likely mistake: a digit too
    /// many, or the wrong currency.
    package static let farFactor: Int64 = 5

    private let rules: [(rule: Rule, source: RuleSource)]

    /// - Parameters:
    ///   - rules: Rules in the order of the files.
    ///   - sources: Their places in the files, in the same order.
    package init(_ rules: [Rule], _ sources: [RuleSource]) {
        self.rules = Array(zip(rules, sources)).map { (rule: $0, source: $1) }
    }

    /// Finds mistakes that can be seen without market data.
    ///
    /// - Parameters:
    ///   - interval: Returns the time between two polls of a rule's source.
    ///   - now: The current time.
    /// - Returns: Warnings, in the order of the rules.
    package func findings(interval: (Rule) -> Milliseconds, now: WallTime) -> [Finding] {
        var firsts: [String: Int] = [:]
        let companions = rules.map(\.rule).companions
        return rules.indices.flatMap { index -> [Finding] in
            let (rule, source) = rules[index]
            let own =
                timing(rule, source, interval: interval(rule), now: now) + doubledSymbols(rule, source)
                + lackingSymbols(rule, source, companions.isEmpty ? nil : companions[index])
            let meaning =
                (rule.source.map { "\($0) " } ?? "") + rule.meaning
                + (rule.notification.onlyWhile.map { " only_while \($0)" } ?? "")
            guard let first = firsts[meaning] else {
                firsts[meaning] = index
                return own
            }
            let (other, place) = (rules[first].rule.name, rules[first].source.begin.position)
            return own + [
                Finding(
                    .warning, at: source.begin,
                    "'\(rule.name)' is equivalent to '\(other)' at \(place.file):\(place.line)",
                    advice: "they would notify you twice; remove one")
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
                    .warning, at: source.place(of: "expires"), "`expires` is in the past: the rule is never evaluated",
                    advice: "choose a later time, or remove the rule"))
        }
        if case .day(let day)? = rule.condition.base, day.begin > now {
            findings.append(
                Finding(
                    .warning, at: source.place(of: "from"), "`from` is in the future: the alert waits until \(day)",
                    advice: "choose an earlier day, or use \"price\""))
        }
        if let length = rule.notification.repeatAfter, length < interval {
            findings.append(
                Finding(
                    .warning, at: source.place(of: "repeat"),
                    "`repeat` is \(length), shorter than the interval of \(interval): every poll notifies again",
                    advice: "use a longer one"))
        }
        if let window = rule.condition.window, rule.hold >= window {
            findings.append(
                Finding(
                    .warning, at: source.place(of: "for"),
                    "`for` is \(rule.hold), not shorter than the window of \(window): by then the price that the move "
                        + "started from has left the window", advice: "use a shorter `for`, or a longer `window`"))
        }
        return findings
    }

    /// Symbols on which the rule of `only_while` never fires, so that this one never notifies.
    private func lackingSymbols(_ rule: Rule, _ source: RuleSource, _ companion: Int?) -> [Finding] {
        guard let companion else { return [] }
        let other = rules[companion].rule
        let lacking = rule.symbols.exactSymbols.filter { !other.matches($0) }
        guard let first = lacking.first else { return [] }
        let rest = lacking.count > 1 ? " and \(lacking.count - 1) more" : ""
        return [
            Finding(
                .warning, at: source.place(of: "only_while"),
                "'\(other.name)' does not watch \(first)\(rest), so this rule never notifies about that",
                advice: "add the symbol there, or remove it here")
        ]
    }

    private func doubledSymbols(_ rule: Rule, _ source: RuleSource) -> [Finding] {
        rule.symbols.enumerated().compactMap { index, pattern in
            guard let symbol = pattern.exactSymbol,
                let other = rule.symbols.enumerated().first(where: { $0 != index && $1.matches(symbol) }),
                other.element.exactSymbol == nil || other.offset < index
            else { return nil }
            return Finding(
                .warning, at: source.place(of: "symbol"), "\(symbol) is also matched by \"\(other.element.text)\"",
                advice: "it counts only once; remove it from the list")
        }
    }

    /// Finds mistakes that can be seen only with market data.
    ///
    /// - Parameter market: The known facts.
    /// - Returns: Warnings, in the order of the rules.
    package func findings(in market: MarketFacts) -> [Finding] {
        let names = market.symbols.keys.map(\.description).sorted()
        return rules.flatMap { rule, source in
            MarketLint(rule: rule, source: source, market: market, names: names).findings
        }
    }

    /// Finds the first rule that makes the number of alerts exceed the limit.
    ///
    /// - Parameters:
    ///   - symbols: All symbols of the market.
    ///   - sourceCount: The number of sources that share the limit.
    /// - Returns: An error, or nil if the limit is not exceeded.
    package func excess(on symbols: Set<Symbol>, sourceCount: Int) -> Finding? {
        let limit = EngineSettings.alertLimit(ofEach: sourceCount)
        var count = 0
        for (rule, source) in rules {
            let matched = rule.count(of: symbols)
            count += matched * rule.condition.tests.count
            guard count > limit else { continue }
            return Finding(
                .error, at: source.place(ofKey: "symbol") ?? source.begin,
                "with '\(rule.name)' on \(matched) symbol\(matched == 1 ? "" : "s"), its source has more than "
                    + "\(limit) alerts",
                advice: "use patterns that match fewer symbols, or fewer rules")
        }
        return nil
    }

    /// Finds rules with symbols that the market does not list or whose prices cannot be converted. A reload reports
    /// these.
    ///
    /// - Parameter market: The known facts.
    /// - Returns: Warnings, in the order of the rules.
    package func blockers(in market: MarketFacts) -> [Finding] {
        let names = market.symbols.keys.map(\.description).sorted()
        return rules.flatMap { rule, source in
            MarketLint(rule: rule, source: source, market: market, names: names).blockers
        }
    }
}

extension Rule {
    /// Returns the number of symbols that the rule applies to. Every symbol that it names exactly counts, because the
    /// market may list it later.
    fileprivate func count(of symbols: Set<Symbol>) -> Int {
        let exact = self.symbols.compactMap(\.exactSymbol)
        guard exact.count < self.symbols.count else { return Set(exact).count }
        return symbols.union(exact).count(where: matches)
    }
}
