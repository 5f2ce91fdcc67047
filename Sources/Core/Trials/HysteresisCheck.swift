package import Engine
internal import Market
package import Rules
package import Time

/// Verification of the results of ``HysteresisSearch`` by another run: with the answer nothing flaps, with the next
/// smaller value something does.
package struct HysteresisCheck: Sendable {
    private var backtest: Backtest
    /// The names of both variants of each rule.
    private var names: [String: (good: String, less: String?)] = [:]

    /// - Parameters:
    ///   - answers: the answers by rule name.
    ///   - rules: rules with unique names; those without an answer are left out.
    ///   - settings: the settings that evaluation depends on.
    ///   - flapLength: see ``AlertTally/flaps``.
    package init(
        _ answers: [String: HysteresisAnswer], rules: [Rule], settings: EngineSettings, flapLength: Milliseconds
    ) {
        var variants: [Rule] = []
        var names: [String: (good: String, less: String?)] = [:]
        for rule in rules {
            guard let answer = answers[rule.name], let good = rule.variant(variants.count, answer.amount) else {
                continue
            }
            variants.append(good)
            let less = answer.less.flatMap { rule.variant(variants.count, $0) }
            if let less { variants.append(less) }
            names[rule.name] = (good.name, less?.name)
        }
        self.names = names
        backtest = Backtest(rules: variants, settings: settings, flapLength: flapLength)
    }

    /// Evaluates the prices of one instant, like ``Backtest/evaluate(_:at:rates:)``.
    package mutating func evaluate(_ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates? = nil) {
        _ = backtest.evaluate(prices, at: time, rates: rates)
    }

    /// Returns the names of the rules whose answer was verified.
    package func proved() -> Set<String> {
        var flaps: [String: Int] = [:]
        for tally in backtest.results() { flaps[tally.place.rule, default: 0] += tally.flaps }
        return Set(
            names.filter { _, name in
                flaps[name.good] ?? 0 == 0 && name.less.map { flaps[$0] ?? 0 > 0 } ?? true
            }.keys)
    }
}

extension Rule {
    /// Returns the rule with another hysteresis, named by a number.
    fileprivate func variant(_ number: Int, _ hysteresis: Price) -> Rule? {
        var rule = self
        rule.name = "\(number)"
        rule.notification = NotificationPolicy()
        guard let condition = condition.with(hysteresis: .amount(hysteresis)) else { return nil }
        rule.condition = condition
        return rule
    }
}
