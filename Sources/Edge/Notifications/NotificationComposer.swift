package import Events
package import Market
package import Receivers
internal import Rules
package import Time

/// A composer of the texts of notifications: a pure function of the events, the receiver and the facts at the time of
/// sending.
package struct NotificationComposer: Sendable {
    /// The instance of alertd: 32 hexadecimal digits.
    package var instance: String
    /// The source of the prices of events that name no source: `wazirx`.
    package var source: SourceName
    /// True if there are several sources, so that texts name the source of a market.
    package var hasSeveralSources: Bool
    /// The currency in which amounts are shown in addition to the rule's currency, or nil for none.
    package var displayCurrency: Currency?
    /// Converts an amount to ``displayCurrency``. Returns nil if there is no rate.
    package var convert: @Sendable (Price, Currency) -> Price?
    /// Formats a time for people: `2026-11-21 06:22:44`.
    package var time: @Sendable (WallTime) -> String

    package init(
        instance: String, source: SourceName, hasSeveralSources: Bool = false, displayCurrency: Currency? = nil,
        convert: @escaping @Sendable (Price, Currency) -> Price? = { _, _ in nil },
        time: @escaping @Sendable (WallTime) -> String = { "\($0)" }
    ) {
        self.instance = instance
        self.source = source
        self.hasSeveralSources = hasSeveralSources
        self.displayCurrency = displayCurrency
        self.convert = convert
        self.time = time
    }

    /// The maximum number of alerts of a group that are shown in full.
    static let shownCount = 5
    /// The maximum number of markets that are named in the line about the remaining alerts.
    static let namedCount = 20
    /// The minimum delay that a notification mentions.
    static let lateness = Milliseconds.seconds(120)

    /// Composes the notification of these events for a receiver. Returns nil without events.
    package func notification(of events: [Event], for receiver: Receiver, at now: WallTime) -> Notification? {
        guard let last = events.last else { return nil }
        let titles = events.map { title(of: $0.occurrence, for: receiver) }
        let isSingle = events.count == 1
        let headline =
            isSingle ? titles[0] : EventGroup(events.map(\.occurrence), namesSources: hasSeveralSources).headline
        var lines = isSingle ? body(of: last.occurrence, for: receiver) : groupBody(of: events, for: receiver)
        let delay = now.since(events[0].occurrence.time)
        if delay >= Self.lateness { lines.append("Delivered \(delay.approximate) after the event") }
        return Notification(
            id: "\(instance)-\(last.number)", instance: instance, events: events, title: headline, eventTitles: titles,
            body: lines.joined(separator: "\n"), now: now, source: source)
    }
}

// MARK: One event

extension NotificationComposer {
    /// Returns the title, such as `BTC/INR: maximum ₹75,00,000.00 reached`, or the text of the receiver's own
    /// template.
    func title(of event: Occurrence, for receiver: Receiver) -> String {
        if let template = receiver.title { return template.text(for: event) }
        guard let symbol = event.marketName(withSource: hasSeveralSources) else {
            return event.title(withSource: hasSeveralSources)
        }
        guard let bound = event.bound else { return "\(symbol): \(event.kind.title)" }
        let limit = bound.title(event.amounts.limits)
        return switch event.kind {
        case .resolved: "\(symbol): resolved, \(limit)"
        case .repeated: "\(symbol): still firing, \(limit)"
        case .touched: "\(symbol): \(limit) was reached"
        default: [.min, .max, .within].contains(bound) ? "\(symbol): \(limit) reached" : "\(symbol): \(limit)"
        }
    }

    /// Returns the text of the event and the evidence that it was decided on, one fact per line.
    private func body(of event: Occurrence, for receiver: Receiver) -> [String] {
        if let own = receiver.ownText(for: event) { return [own] + [reached(event)].compactMap(\.self) }
        var lines = [event.text]
        let amounts = event.amounts
        if let price = event.price, let text = amounts.price {
            lines.append("Price: \(text)\(displayed(price, event.currency))")
        }
        if let limit = event.limit, let bound = event.bound {
            let shown = limit.prices.map { displayed($0, event.currency) }
            let texts = zip(amounts.limits, shown).map { $0 + $1 }
            lines.append("Limit: \(bound.title(texts))")
            if let distance = distance(of: event, limit, bound) { lines.append("Distance: \(distance)") }
        }
        if let price = event.price, let previous = event.previous,
            let change = price.percentChange(from: previous.price)
        {
            lines.append("Change: \(signed(change))% since \(time(previous.time))")
        }
        if let other = event.details.divergence {
            let amount = event.currency.map { moneyText(other.price, $0, isRounded: true, hasUnicode: true) }
            lines.append("Compared with: \(amount ?? "\(other.price)") of \(other.source):\(other.symbol)")
            lines.append("Difference: \(signed(other.percent))%, allowed \(other.within.reduced)%")
            lines.append("Check: \(other.check) (\(event.severity.rawValue))")
        }
        if let reached = reached(event) {
            lines.append(reached)
        } else if event.rule != nil {
            lines.append("Since: \(time(event.details.firingSince ?? event.time))")
        }
        if event.price != nil {
            let age = event.sampleAge.map { ", \($0.approximate) old" } ?? ""
            lines.append("Source: \(event.source ?? source)\(age)")
        }
        if let rule = event.rule { lines.append("Rule: \(rule) (\(event.severity.rawValue))") }
        return lines
    }

    /// Returns the period in which a limit was reached while there were no prices, or nil for other events.
    private func reached(_ event: Occurrence) -> String? {
        guard let from = event.details.touchedFrom, let until = event.details.touchedUntil else { return nil }
        return "Reached: between \(time(from)) and \(time(until)), while prices were not available"
    }

    /// Returns the amount in the display currency, such as ` (US$85,321.00)`. Empty if that is the rule's currency,
    /// or if there is no rate.
    private func displayed(_ amount: Price, _ currency: Currency?) -> String {
        guard let currency, let target = displayCurrency, currency != target, let converted = convert(amount, currency)
        else { return "" }
        return " (\(moneyText(converted, target, isRounded: true, hasUnicode: true)))"
    }

    /// Returns the distance of the price from the limit, before or beyond it.
    private func distance(of event: Occurrence, _ limit: LimitValue, _ bound: Bound) -> String? {
        guard let price = event.price, let left = bound.distance(to: limit, { $0.percentChange(from: price) }) else {
            return nil
        }
        if left.isZero { return "at the limit" }
        return left.isPositive ? "\(left.reduced)% from the limit" : "\(left.magnitude)% beyond the limit"
    }

    private func signed(_ change: Price) -> String {
        change.isPositive ? "+\(change.reduced)" : "\(change.reduced)"
    }
}

// MARK: Groups

extension NotificationComposer {
    /// Returns the most severe alerts and those furthest beyond their limits in full, together with other events, in
    /// order of time. The names of the remaining alerts follow.
    private func groupBody(of events: [Event], for receiver: Receiver) -> [String] {
        let group = EventGroup(events.map(\.occurrence), namesSources: hasSeveralSources)
        let (fired, resolved, others) = (group.firings, group.ends, group.others)
        let isShort = resolved.count <= Self.shownCount
        let shown = fired.prefix(Self.shownCount) + (isShort ? resolved : []) + others.prefix(Self.shownCount)
        var lines = group.inOrderOfTime(Array(shown)).map { line(of: $0, for: receiver) }
        lines += more(fired.dropFirst(Self.shownCount), "more")
        if !isShort { lines += more(resolved[...], "resolved") }
        let rest = others.count - Self.shownCount
        if rest > 0 { lines.append("… and \(rest) more events") }
        return lines
    }

    private func line(of event: Occurrence, for receiver: Receiver) -> String {
        let text = receiver.ownText(for: event) ?? event.text
        return event.severity == .critical && !event.kind.isEnd ? "• CRITICAL \(text)" : "• \(text)"
    }

    /// Lists remaining alerts: `… and 32 more: ETH/INR, SOL/INR …`.
    private func more(_ events: ArraySlice<Occurrence>, _ what: String) -> [String] {
        guard !events.isEmpty else { return [] }
        var seen: Set<String> = []
        let names = events.compactMap { $0.marketName(withSource: hasSeveralSources) }.filter {
            seen.insert($0).inserted
        }
        let rest = names.count > Self.namedCount ? " …" : ""
        let list = names.prefix(Self.namedCount).joined(separator: ", ")
        let lead = what == "more" ? "… and \(events.count) more" : "\(events.count) \(what)"
        return [list.isEmpty ? lead : "\(lead): \(list)\(rest)"]
    }
}

extension Price {
    /// The price without its sign.
    fileprivate var magnitude: Price { mantissa < 0 ? (Price.zero.subtracting(self) ?? self).reduced : reduced }
}

extension Occurrence {
    /// Returns the market as people write it: `BTC/INR`, or `BTC/INR on wazirx`. Returns nil for an event that is not
    /// about a market.
    func marketName(withSource: Bool) -> String? {
        guard let symbol else { return nil }
        // In the path of a conversion, such as BTC>INR>EUR>SEK, the second step is the quote currency of the market.
        let own = kind == .diverged || kind == .converged ? nil : conversion
        let steps = own?.path.split(separator: ">").map(String.init) ?? []
        let quote = steps.count > 1 ? steps[1] : currency?.description
        let name = symbol.marketName(quotedIn: quote.flatMap { Asset($0.lowercased()) })
        return name + (withSource ? source.map { " on \($0)" } ?? "" : "")
    }

    /// Returns the title of an event without a market: `No new prices`, or `No new prices from wazirx`.
    func title(withSource: Bool) -> String {
        kind.title + (withSource ? source.map { " from \($0)" } ?? "" : "")
    }
}

extension EventKind {
    /// The title of an event without a limit.
    var title: String {
        switch self {
        case .fired: "alert fired"
        case .resolved: "alert resolved"
        case .repeated: "alert still firing"
        case .touched: "limit was reached"
        case .feedStale: "No new prices"
        case .feedRecovered: "Prices are back"
        case .symbolFrozen: "market frozen"
        case .symbolMissing: "market missing"
        case .symbolReturned: "market is back"
        case .rulesChanged: "Rules changed"
        case .storeFailed: "State cannot be saved"
        case .storeRecovered: "State is saved again"
        case .receiverFailed: "Receiver failed"
        case .receiverRecovered: "Receiver recovered"
        case .diverged: "prices of two sources differ"
        case .converged: "prices of two sources agree again"
        case .test: "Test notification"
        }
    }
}
