package import Market

/// What can be said of an alert now.
package enum AlertCondition: String, Sendable {
    case firing
    case inactive
    /// No usable sample yet.
    case waiting
    case frozen
    /// Not in the last response.
    case missing
    /// No price greater than 0 in the last response.
    case unusable
    /// The rule's currency is not the market's, and there is no way to convert.
    case unconvertible
}

/// An alert as it is now.
package struct AlertView: Sendable {
    package let rule: Rule
    package let symbol: Symbol
    package let bound: Bound
    package let condition: AlertCondition
    package let limit: Limit
    package let currency: Currency?
    /// The last usable price.
    package let price: Price?
    package let since: Instant?
}

/// What can be said of a symbol now.
package enum SymbolCondition: String, Sendable {
    case ok
    case frozen
    case missing
    case unusable
}

extension RuleEngine {
    /// Whether there was no usable response for too long.
    package var isFeedStale: Bool { feed.isStale }

    /// How many alerts fire.
    package var firingCount: Int {
        tracks.reduce(0) { $0 + $1.alerts.count { $0.machine.isFiring } }
    }

    /// How many alerts of the symbol fire.
    package func firingCount(of symbol: Symbol) -> Int {
        track(of: symbol)?.alerts.count { $0.machine.isFiring } ?? 0
    }

    /// What can be said of the symbol now; nil when it was never seen.
    package func condition(of symbol: Symbol) -> SymbolCondition? {
        track(of: symbol).map(condition)
    }

    /// All alerts in the order of the rules, and of a rule in the order in which symbols were first seen. Symbols that
    /// a rule names but that were never seen have an alert too: it is `missing`, or `waiting` before the first poll.
    package func alerts(of symbol: Symbol? = nil) -> [AlertView] {
        var views: [(rule: Int, view: AlertView)] = []
        for track in tracks where symbol == nil || track.symbol == symbol {
            views += track.alerts.map { ($0.rule, view(of: $0, in: track)) }
        }
        for watch in watches where table.number(of: watch.symbol) == nil {
            guard symbol == nil || watch.symbol == symbol else { continue }
            views += unseen(watch.symbol)
        }
        return views.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element.view)
    }

    private func track(of symbol: Symbol) -> MarketTrack? {
        table.number(of: symbol).map { tracks[$0] }
    }

    private func condition(of track: MarketTrack) -> SymbolCondition {
        if track.lastPoll != pollCount { return .missing }
        if track.activity.frozenSince != nil { return .frozen }
        return track.hasPrice ? .ok : .unusable
    }

    private func view(of alert: Alert, in track: MarketTrack) -> AlertView {
        let rule = rules[alert.rule]
        let condition: AlertCondition =
            if alert.machine.isFiring {
                .firing
            } else if !alert.isConvertible {
                .unconvertible
            } else {
                switch self.condition(of: track) {
                case .missing: .missing
                case .frozen: .frozen
                case .unusable: .unusable
                case .ok: alert.machine.since == nil ? .waiting : .inactive
                }
            }
        return AlertView(
            rule: rule, symbol: track.symbol, bound: alert.bound, condition: condition, limit: alert.limit,
            currency: rule.currency ?? track.quote?.currency, price: track.previous?.price, since: alert.machine.since)
    }

    private func unseen(_ symbol: Symbol) -> [(rule: Int, view: AlertView)] {
        let naming = index.rules(for: symbol, in: rules).filter { number in
            rules[number].symbols.contains { $0.exactSymbol == symbol }
        }
        return naming.flatMap { number in
            rules[number].condition.limits.map { bound, limit in
                let condition = pollCount == 0 ? AlertCondition.waiting : .missing
                let view = AlertView(
                    rule: rules[number], symbol: symbol, bound: bound, condition: condition, limit: limit,
                    currency: rules[number].currency, price: nil, since: nil)
                return (number, view)
            }
        }
    }
}

extension RuleEngine {
    /// The limits that rules have for a symbol in the market's own currency, in the order of the rules.
    package func limits(for symbol: Symbol) -> [(bound: Bound, limit: Limit)] {
        track(of: symbol)?.alerts.filter(\.isConvertible).map { ($0.bound, $0.limit) } ?? []
    }
}
