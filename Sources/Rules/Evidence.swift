internal import Market

/// A sample that decides, with what came before it.
struct UsableSample {
    var ticker: Ticker
    var price: Price
    var time: Instant
    var previous: (price: Price, time: Instant)?
}

extension Occurrence {
    /// The occurrence that a sample gave rise to.
    init(_ transition: AlertMachine.Transition, of alert: Alert, _ rule: Rule, _ sample: UsableSample) {
        let (kind, reason) =
            switch transition {
            case .fired(let reason): (EventKind.fired, reason)
            case .resolved(let reason): (EventKind.resolved, reason)
            }
        let currency = rule.currency ?? sample.ticker.quote?.currency
        let exchangeTime = sample.ticker.exchangeTime
        self.init(
            time: sample.time.wall, kind: kind, rule: rule.name, symbol: sample.ticker.symbol, bound: alert.bound,
            severity: rule.severity, price: sample.price, limit: .price(alert.limit.price), currency: currency,
            previous: sample.previous.map { PreviousPrice(price: $0.price, time: $0.time.wall) },
            exchangeTime: exchangeTime, received: sample.time.wall,
            sampleAge: exchangeTime.map { max(.zero, sample.time.wall.since($0)) }, reason: reason,
            text: Self.text(kind, alert, sample.ticker.symbol, sample.price, currency, reason))
    }

    /// The end of a firing that no sample gave rise to: its rule was changed or removed.
    init(ending alert: AlertSnapshot, previous: (price: Price, time: Instant)?, at time: Instant, reason: Reason?) {
        let what = reason == .ruleRemoved ? "removed" : "changed"
        let limit = alert.limit.map { " \($0)" } ?? ""
        self.init(
            time: time.wall, kind: .resolved, rule: alert.rule, symbol: alert.symbol, bound: alert.bound,
            severity: alert.severity, price: previous?.price, limit: alert.limit, currency: alert.currency,
            previous: previous.map { PreviousPrice(price: $0.price, time: $0.time.wall) },
            received: previous?.time.wall, reason: reason,
            text: "\(alert.symbol) \(alert.bound.rawValue)\(limit): the rule was \(what)")
    }

    private static func text(
        _ kind: EventKind, _ alert: Alert, _ symbol: Symbol, _ price: Price, _ currency: Currency?, _ reason: Reason?
    ) -> String {
        let unit = currency.map { " \($0)" } ?? ""
        let what =
            switch (kind, alert.bound) {
            case (.resolved, .min): "is back above min"
            case (.resolved, .max): "is back below max"
            case (_, .min): "is at or below min"
            case (_, .max): "is at or above max"
            }
        let why =
            switch reason {
            case .alreadyOutside: ", as it was when first seen"
            case .afterGap: ", seen after a gap"
            default: ""
            }
        return "\(symbol) at \(price)\(unit) \(what) \(alert.limit.price)\(why)"
    }
}
