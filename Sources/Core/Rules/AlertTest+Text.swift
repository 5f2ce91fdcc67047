package import Events
internal import Market
internal import Time

extension AlertTest {
    /// The text of an event of the alert, for people: `BTC/INR ₹75,00,000.00 is at or above its maximum ₹75,00,000.00`.
    ///
    /// - Parameters:
    ///   - event: The event; its own text is not read.
    ///   - market: The market as people write it: `BTC/INR`.
    /// - Returns: The text, on one line.
    package func text(for event: Occurrence, market: String) -> String {
        let phase = EventPhase(event, self)
        // A move names its prices at the end; a resolution that is notified late is not about the present price.
        let price = move != nil || phase == .cleared ? nil : event.amounts.price
        let what = predicate(phase, event, event.amounts.limits.joined(separator: " and "))
        return [market, price, what, EventSuffix.text(for: event)].compactMap(\.self).joined(separator: " ")
    }

    private func predicate(_ phase: EventPhase, _ event: Occurrence, _ limit: String) -> String {
        switch self {
        case .min:
            bandText(phase, event, "its minimum \(limit)", sides: ("at or below", "above"), wayBack: "risen back")
        case .max:
            bandText(phase, event, "its maximum \(limit)", sides: ("at or above", "below"), wayBack: "fallen back")
        case .within: zoneText(phase, "between \(limit)")
        case .rise(let move): moveText(phase, event, move, verbs: ("rose", "up"), sides: ("at or above", "below"))
        case .fall(let move): moveText(phase, event, move, verbs: ("fell", "down"), sides: ("at or below", "above"))
        case .crossUp: event.price == event.limit?.prices.first ? "rose to \(limit)" : "crossed above \(limit)"
        case .crossDown: event.price == event.limit?.prices.first ? "fell to \(limit)" : "crossed below \(limit)"
        }
    }

    private func bandText(
        _ phase: EventPhase, _ event: Occurrence, _ limit: String, sides: (there: String, back: String),
        wayBack: String
    ) -> String {
        switch phase {
        case .breached(let isStill): "is \(isStill ? "still " : "")\(sides.there) \(limit)"
        case .held:
            "has reached \(limit) and has not yet \(wayBack)"
                + (event.amounts(of: clear).map { " to \($0.joined())" } ?? "")
        case .resolved: "is back \(sides.back) \(limit)"
        case .cleared: "was back \(sides.back) \(limit)"
        }
    }

    private func zoneText(_ phase: EventPhase, _ zone: String) -> String {
        switch phase {
        case .breached(let isStill): "is \(isStill ? "still " : "")\(zone)"
        case .held: "has been \(zone) and is still close to it"
        case .resolved: "is no longer \(zone)"
        case .cleared: "was no longer \(zone)"
        }
    }

    private func moveText(
        _ phase: EventPhase, _ event: Occurrence, _ move: Move, verbs: (past: String, state: String),
        sides: (there: String, back: String)
    ) -> String {
        let distance =
            if case .amount(let amount) = move.distance {
                event.amounts(of: .price(amount))?.joined() ?? "\(amount)"
            } else { "\(move.distance)" }
        let much = "\(distance) or more within \(move.window)"
        let amounts = event.amounts
        let place = { (verb: String, side: String) in
            guard let price = amounts.price, let limit = amounts.limits.first else { return "" }
            return ": \(price) \(verb) \(side) \(limit)"
        }
        return switch phase {
        case .breached(let isStill): "\(verbs.past) \(much)" + place(isStill ? "is still" : "is", sides.there)
        case .held: "\(verbs.past) \(much)"
        case .resolved: "is no longer \(verbs.state) \(much)" + place("is", sides.back)
        case .cleared: "was no longer \(verbs.state) \(much)"
        }
    }
}

/// Where the price of an event is, as its text says it.
private enum EventPhase: Equatable {
    /// The limit is reached; `isStill` when that was notified before.
    case breached(isStill: Bool)
    /// The alert fires, and the price is inside the hysteresis.
    case held
    case resolved
    /// The alert resolved during a silence, and is notified later: the present price says nothing about it.
    case cleared

    init(_ event: Occurrence, _ test: AlertTest) {
        switch event.kind {
        case .resolved: self = event.reason == .silenced && event.notified ? .cleared : .resolved
        default: self = test.isBreached(in: event) ? .breached(isStill: event.kind == .repeated) : .held
        }
    }
}

extension AlertTest {
    /// Whether the price of the event is at or beyond its limit, as far as both are known.
    fileprivate func isBreached(in event: Occurrence) -> Bool {
        guard let price = event.price, let limit = event.limit else { return true }
        return switch (limit, bound.approach) {
        case (.price, _) where bound.isMomentary: true
        case (.price(let limit), .fromBelow): price >= limit
        case (.price(let limit), .fromAbove): price <= limit
        case (.range(let low, let high), _): price >= low && price <= high
        case (.price, nil): true
        }
    }
}

extension Occurrence {
    /// Other amounts in its currency; nil for none.
    fileprivate func amounts(of limit: LimitValue?) -> [String]? {
        limit.map { EventAmounts(price: price, limit: $0, currency: currency, conversion: conversion).limits }
    }
}

/// What the text of an event adds about its reason.
private enum EventSuffix {
    /// Nil when the reason needs no words, or the event is recorded only.
    static func text(for event: Occurrence) -> String? {
        switch (event.reason, event.notified) {
        case (.alreadyBreached, _): "(already there when first seen)"
        case (.afterGap, _): "(seen after a gap)"
        case (.afterSuspend, _): "(seen after suspend)"
        case (.cooldown, true): "(notified now that the cooldown is over)"
        case (.silenced, true): "(notified now that the silence is over)"
        case (.disarmed, true): "(notified now that the rule is re-armed)"
        default: nil
        }
    }
}
