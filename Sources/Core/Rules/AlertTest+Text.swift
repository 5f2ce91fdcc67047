package import Events
internal import Market
internal import Time

extension AlertTest {
    /// Returns the text of an event of the alert, for people: `BTC/INR ₹75,00,000.00 is at or above its maximum
    /// ₹75,00,000.00`.
    ///
    /// - Parameters:
    ///   - event: The event; its own text is ignored.
    ///   - market: The market's name for people: `BTC/INR`.
    ///   - shown: The formatted price in the display currency; nil if it is the same currency.
    /// - Returns: The text, on one line.
    package func text(for event: Occurrence, market: String, shown: String? = nil) -> String {
        let phase = EventPhase(event, self)
        let aside = shown.map { " (\($0))" } ?? ""
        // A move has its prices at the end. A late resolve notification is not about the current price.
        let price = move != nil || phase == .cleared ? nil : event.amounts.price.map { $0 + aside }
        let what = predicate(phase, event, event.amounts.limits.joined(separator: " and "), aside)
        return [market, price, what, EventSuffix.text(for: event)].compactMap(\.self).joined(separator: " ")
    }

    private func predicate(_ phase: EventPhase, _ event: Occurrence, _ limit: String, _ aside: String) -> String {
        switch self {
        case .min:
            bandText(phase, event, "its minimum \(limit)", sides: ("at or below", "above"), wayBack: "risen back")
        case .max:
            bandText(phase, event, "its maximum \(limit)", sides: ("at or above", "below"), wayBack: "fallen back")
        case .within: zoneText(phase, "between \(limit)")
        case .rise(let move): moveText(phase, event, move, verbs: ("rose", "up"), back: "below", aside)
        case .fall(let move): moveText(phase, event, move, verbs: ("fell", "down"), back: "above", aside)
        case .crossUp: event.price == event.limit?.prices.first ? "rose to \(limit)" : "crossed above \(limit)"
        case .crossDown: event.price == event.limit?.prices.first ? "fell to \(limit)" : "crossed below \(limit)"
        case .undetermined: "has no \(bound.rawValue) yet"
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
        case .clear: "is back \(sides.back) \(limit), but not long enough to resolve"
        case .resolved: "is back \(sides.back) \(limit)"
        case .cleared: "was back \(sides.back) \(limit)"
        }
    }

    private func zoneText(_ phase: EventPhase, _ zone: String) -> String {
        switch phase {
        case .breached(let isStill): "is \(isStill ? "still " : "")\(zone)"
        case .held: "has been \(zone) and is still close to it"
        case .clear: "is no longer \(zone), but not long enough to resolve"
        case .resolved: "is no longer \(zone)"
        case .cleared: "was no longer \(zone)"
        }
    }

    /// Formats the change of a move: `fell 12.3% in 15m, from ₹45,12,000.00 to ₹39,57,000.00`
    private func moveText(
        _ phase: EventPhase, _ event: Occurrence, _ move: Move, verbs: (past: String, state: String), back: String,
        _ aside: String
    ) -> String {
        let much = "\(distance(of: move, in: event)) or more within \(move.window)"
        let amounts = event.amounts
        switch phase {
        case .breached(let isStill):
            guard let extreme = event.details.extreme, let price = event.price, let now = amounts.price,
                let from = event.amounts(of: .price(extreme))?.first
            else { return "\(verbs.past) \(much)" }
            let how = size(of: price, from: extreme, move, event)
            let verb = isStill ? "is still \(verbs.state)" : verbs.past
            return "\(verb) \(how) within \(move.window), from \(from) to \(now)\(aside)"
        case .held: return "\(verbs.past) \(much)"
        case .clear, .resolved:
            let end = phase == .clear ? ", but not long enough to resolve" : ""
            guard let price = amounts.price, let limit = amounts.limits.first else {
                return "is no longer \(verbs.state) \(much)\(end)"
            }
            return "is no longer \(verbs.state) \(much): \(price)\(aside) is \(back) \(limit)\(end)"
        case .cleared: return "was no longer \(verbs.state) \(much)"
        }
    }

    /// Formats the distance as the rule declares it: `5%`, `₹1,500.00`.
    private func distance(of move: Move, in event: Occurrence) -> String {
        guard case .amount(let amount) = move.distance else { return "\(move.distance)" }
        return event.amounts(of: .price(amount))?.joined() ?? "\(amount)"
    }

    /// Formats how far the price has moved: `12.3%`, or for a rule with an amount `₹5,55,000.00 (12.3%)`.
    private func size(of price: Price, from extreme: Price, _ move: Move, _ event: Occurrence) -> String {
        let percent = price.percentChange(from: extreme)?.magnitude.map { "\($0)%" }
        guard case .amount = move.distance, let amount = price.subtracting(extreme)?.magnitude,
            let text = event.amounts(of: .price(amount))?.first
        else { return percent ?? distance(of: move, in: event) }
        return text + (percent.map { " (\($0))" } ?? "")
    }
}

extension Price {
    /// The absolute value without trailing zeros; nil if it does not fit.
    fileprivate var magnitude: Price? {
        Int64(exactly: mantissa.magnitude).flatMap { Price(mantissa: $0, scale: scale) }?.reduced
    }
}

/// The position of an event's price relative to the limit, as the text describes it.
private enum EventPhase: Equatable {
    /// The limit is reached; `isStill` is true for a repeat notification.
    case breached(isStill: Bool)
    /// The alert fires, and the price is inside the hysteresis.
    case held
    /// The alert still fires, but the price has come back; it resolves if the price stays there.
    case clear
    case resolved
    /// The alert resolved during a silence and is notified late, so the current price is irrelevant.
    case cleared

    init(_ event: Occurrence, _ test: AlertTest) {
        switch event.kind {
        case .resolved: self = event.reason == .silenced && event.notified ? .cleared : .resolved
        case _ where event.details.clearFor != nil: self = .clear
        default: self = test.isBreached(in: event) ? .breached(isStill: event.kind == .repeated) : .held
        }
    }
}

extension AlertTest {
    /// True if the price of the event is at or beyond its limit, or if either is unknown.
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
    /// Formats other amounts in the event's currency; nil for none.
    fileprivate func amounts(of limit: LimitValue?) -> [String]? {
        limit.map { EventAmounts(limit: $0, currency: currency).limits }
    }
}

/// The end of an event's text, which explains its reason.
private enum EventSuffix {
    /// Returns the suffix; nil if the reason needs none, or the event is only recorded.
    static func text(for event: Occurrence) -> String? {
        switch (event.reason, event.notified) {
        case (.alreadyBreached, _): "(already there when first seen)"
        case (.afterGap, _): "(seen after a gap)"
        case (.afterSuspend, _): "(seen after suspend)"
        case (.cooldown, true): "(notified now that the cooldown is over)"
        case (.silenced, true): "(notified now that the silence is over)"
        case (.onlyWhile, true):
            event.details.onlyWhile.map { "(notified now that '\($0)' is firing, too)" } ?? "(notified late)"
        case (.disarmed, true): "(notified now that the rule is re-armed)"
        default: nil
        }
    }
}
