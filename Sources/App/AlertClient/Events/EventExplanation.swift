internal import Control
internal import Events
internal import Market
internal import Rules
internal import Time

/// The explanation of an event, as text for people: everything that the decision was based on.
struct EventExplanation {
    private let event: EventRecord
    /// The events of the same firing or failure, including the event itself, by number.
    private let related: [EventRecord]
    private let display: PriceDisplay
    private let formatter: HumanFormatter

    init(_ event: EventRecord, _ related: [EventRecord], _ display: PriceDisplay, _ formatter: HumanFormatter) {
        self.display = display
        self.event = event
        self.related = related
        self.formatter = formatter
    }

    /// `Event 14, resolved: 'btc band' on btcinr, max`
    var headline: String {
        let rule = event.rule.map { "'\($0)'" }
        let alert = [rule, event.symbol].compactMap(\.self).joined(separator: " on ")
        let bound = event.bound.map { ", \($0.text)" } ?? ""
        return "Event \(event.number), \(event.kind.text)" + (alert.isEmpty ? "" : ": \(alert)\(bound)")
    }

    var fields: [Field] {
        let what = [("When", formatter.longTime(event.time)), ("What", event.text)]
        return (what + prices + limits + history + conversion + notification).map { title, text in
            var field = Field("", title, .text(text))
            field.isForPeople = true
            return field
        }
    }

    /// `₹75,13,000.50 ($80,498.93)`
    private func amount(_ number: String) -> String { display.fullText(number, in: event.currency) }

    private func ownText(_ number: String, in currency: String?) -> String {
        guard currency != event.currency else { return display.ownText(number, in: currency) }
        return PriceDisplay.own(hasUnicode: formatter.hasUnicode).text(number, in: currency) ?? number
    }

    private func length(_ milliseconds: Int) -> String { Milliseconds(Int64(milliseconds)).approximate }
}

// MARK: Decision

extension EventExplanation {
    private var prices: [(String, String)] {
        var lines: [(String, String)] = []
        if let price = event.price {
            let received = event.received.map { ", received \(formatter.time($0))" } ?? ""
            lines.append(("Price", amount(price) + received))
        }
        if let time = event.exchangeTime {
            let age = event.sampleAgeMilliseconds.map { ", \(length($0)) earlier" } ?? ""
            lines.append(("Priced", "\(formatter.time(time)) by the source's clock\(age)"))
        }
        if let previous = event.previous {
            lines.append(("Previous", "\(amount(previous.price)) at \(formatter.time(previous.time))"))
        }
        return lines
    }

    private var limits: [(String, String)] {
        var lines: [(String, String)] = []
        if let limit = event.limit { lines.append(("Limit", amount(limit))) }
        if let details = event.details, let by = details.limitBy {
            let since = details.limitSince.map { " at \(formatter.time($0))" } ?? ""
            let settings =
                details.settingsLimit.map { "; the configured limit was \(ownText($0, in: event.currency))" } ?? ""
            lines.append(("Limit set", "by \(by)\(since)\(settings)"))
        }
        if let details = event.details, let other = details.other {
            if let price = details.otherPrice { lines.append(("Compared", "with \(amount(price)) of \(other)")) }
            if let difference = details.differencePercent, let within = details.withinPercent {
                lines.append(("Difference", "\(difference)%, allowed \(within)%"))
            }
            if let check = details.check { lines.append(("Check", check)) }
        }
        if let clear = event.details?.clear { lines.append(("Resolves at", amount(clear))) }
        if let window = event.details?.windowMilliseconds, let extreme = event.details?.extreme {
            let what = event.bound == .rise ? "lowest" : "highest"
            lines.append(("Measured", "from \(amount(extreme)), the \(what) price within \(length(window))"))
        }
        return lines
    }

    private var history: [(String, String)] {
        var lines: [(String, String)] = []
        if let from = event.details?.touchedFrom, let until = event.details?.touchedUntil {
            lines.append(("Reached", "between \(formatter.time(from)) and \(formatter.time(until))"))
        }
        if let pending = event.details?.pendingMilliseconds {
            lines.append(("Pending", "the limit was breached for \(length(pending)) before it fired"))
        }
        if let clear = event.details?.clearMilliseconds {
            let how = event.kind == .resolved ? " before it resolved" : ", not long enough to resolve"
            lines.append(("Clear", "for \(length(clear))\(how)"))
        }
        if let since = event.details?.firingSince, let begin = WallTime(rfc3339: since),
            let time = WallTime(rfc3339: event.time), time > begin
        {
            lines.append(("Firing", "since \(formatter.time(since)), for \(time.since(begin).approximate)"))
        }
        return lines
    }

    private var conversion: [(String, String)] {
        guard let conversion = event.conversion else { return [] }
        let basis = [conversion.source, conversion.date].compactMap(\.self).joined(separator: ", ")
        let currencies = conversion.path.split(separator: ">").map(String.init)
        let from = event.details?.marketPrice.map { "from \(ownText($0, in: currencies.first)), " } ?? ""
        let path = currencies.joined(separator: formatter.hasUnicode ? " → " : " to ")
        return [("Converted", "\(from)\(path) at \(formatter.number(conversion.rate)) (\(basis))")]
    }
}

// MARK: Notification

extension EventExplanation {
    private var notification: [(String, String)] {
        let why = suppression.map { ", \($0)" } ?? ""
        return (reason.map { [("Reason", $0)] } ?? []) + [("Notified", (event.notified ? "yes" : "no") + why)]
            + (later.map { [("Later", $0)] } ?? [])
    }

    /// The reason for an unusual event, such as one after a gap; nil for an ordinary one.
    private var reason: String? {
        switch event.reason {
        case .alreadyBreached: "the price was already beyond the limit when the alert first saw it"
        case .afterGap: "after a gap, so it is not known when the limit was reached"
        case .afterSuspend: "after the machine was suspended, so it is not known when the limit was reached"
        case .caughtUp: "found in candles of the source, after a gap in the prices"
        case .ruleChanged: "its rule or limit was changed"
        case .ruleRemoved: "its rule was removed"
        case .ruleExpired: "its rule expired"
        case .symbolGone: "its symbol had vanished from its source, and its slot was needed for another symbol"
        case .unknown(let word): word
        case .cooldown, .silenced, .onlyWhile, .firedSuppressed, .disarmed, nil: nil
        }
    }

    /// The reason that the event was suppressed or notified late; nil if it was notified in time.
    private var suppression: String? {
        switch (event.reason, event.notified) {
        case (.cooldown, true): "late, when the cooldown ended"
        case (.cooldown, false):
            "within the cooldown of the previous notification"
                + (event.details?.cooldownUntil.map { ", until \(formatter.time($0))" } ?? "")
        case (.silenced, true): "late, when the silence ended"
        case (.silenced, false): "suppressed by \(event.silence.map { "silence \($0)" } ?? "a silence")"
        case (.onlyWhile, true): "late, when \(companion) was firing, too"
        case (.onlyWhile, false): "because \(companion) was not firing"
        case (.firedSuppressed, _): "because the firing that it ends was not notified"
        case (.disarmed, true): "late, when the rule was re-armed"
        case (.disarmed, false): "the one-shot rule had already notified"
        default: nil
        }
    }

    /// The name of the rule that must fire as well, in quotes.
    private var companion: String { event.details?.onlyWhile.map { "'\($0)'" } ?? "another rule" }

    /// A later event that belongs to this one: a late notification, or the end of the firing or failure; nil if there
    /// is none.
    private var later: String? {
        let rest = related.filter { $0.number > event.number }
        let notified = rest.first { $0.notified && $0.kind == event.kind }
        let end = rest.first { $0.kind.isEnd }
        if !event.notified, let notified {
            return "notified as event \(notified.number) at \(formatter.time(notified.time))"
        }
        let isAlert = event.kind == .fired || event.kind == .repeated
        if let end {
            return "\(isAlert ? "resolved" : "ended") at \(formatter.time(end.time)), event \(end.number)"
                + (isAlert && !event.notified ? "; never notified" : "")
        }
        let isOpen = event.kind.isStart && !event.kind.counterparts.isEmpty
        return isOpen || (isAlert && event.details?.firingSince != nil) ? "not resolved yet" : nil
    }
}
