internal import Control
internal import Events
internal import Market
internal import Rules
internal import Time

/// An event as a person reads it who wants to know all about it.
struct EventExplanation {
    private let event: EventRecord
    /// With the event itself, by number.
    private let related: [EventRecord]
    private let display: PriceDisplay
    private let formatter: HumanFormatter

    init(_ event: EventRecord, _ related: [EventRecord], _ display: PriceDisplay, _ formatter: HumanFormatter) {
        self.display = display
        self.event = event
        self.related = related
        self.formatter = formatter
    }

    /// `Event 14, resolved: “btc band” on btcinr, max`
    var headline: String {
        let rule = event.rule.map { "“\($0)”" }
        let alert = [rule, event.symbol].compactMap(\.self).joined(separator: " on ")
        let bound = event.bound.map { ", \($0)" } ?? ""
        return "Event \(event.number), \(event.kind)" + (alert.isEmpty ? "" : ": \(alert)\(bound)")
    }

    var fields: [Field] {
        let what = [("When", formatter.longTime(event.time)), ("What", event.text)]
        return (what + prices + limits + history + conversion + notification).map { title, text in
            var field = Field("", title, .text(text))
            field.isForPeople = true
            return field
        }
    }

    /// `7 513 000.5 INR ($80,359.42)`
    private func amount(_ number: String) -> String {
        formatter.number(number) + (event.currency.map { " \($0)" } ?? "") + display.aside(number, in: event.currency)
    }

    private func length(_ milliseconds: Int) -> String { Milliseconds(Int64(milliseconds)).approximate }
}

// MARK: What it was decided on

extension EventExplanation {
    private var prices: [(String, String)] {
        var lines: [(String, String)] = []
        if let price = event.price {
            let received = event.received.map { ", received \(formatter.time($0))" } ?? ""
            lines.append(("Price", amount(price) + received))
        }
        if let time = event.exchangeTime {
            let age = event.sampleAgeMilliseconds.map { ", \(length($0)) before" } ?? ""
            lines.append(("Of", "\(formatter.time(time)) by the exchange's clock\(age)"))
        }
        if let previous = event.previous {
            lines.append(("Before", "\(amount(previous.price)) at \(formatter.time(previous.time))"))
        }
        return lines
    }

    private var limits: [(String, String)] {
        var lines: [(String, String)] = []
        if let limit = event.limit { lines.append(("Limit", amount(limit))) }
        if let details = event.details, let by = details.limitBy {
            let since = details.limitSince.map { " since \(formatter.time($0))" } ?? ""
            let settings = details.settingsLimit.map { "; the settings said \(formatter.number($0))" } ?? ""
            lines.append(("Changed", "by \(by)\(since)\(settings)"))
        }
        if let clear = event.details?.clear { lines.append(("Over at", amount(clear))) }
        if let window = event.details?.windowMilliseconds, let extreme = event.details?.extreme {
            let what = event.bound == .rise ? "lowest" : "highest"
            lines.append(("Measured", "from \(amount(extreme)), the \(what) of \(length(window))"))
        }
        return lines
    }

    private var history: [(String, String)] {
        var lines: [(String, String)] = []
        if let pending = event.details?.pendingMilliseconds {
            lines.append(("Pending", "the limit was reached for \(length(pending)) before it fired"))
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
        let quote = conversion.path.split(separator: ">").first.map(String.init) ?? ""
        let from = event.details?.marketPrice.map { "\(formatter.number($0)) \(quote), " } ?? ""
        return [("Converted", "\(from)\(conversion.path) at \(formatter.number(conversion.rate)) (\(basis))")]
    }
}

// MARK: Whether it was notified

extension EventExplanation {
    private var notification: [(String, String)] {
        let why = reason.map { ", \($0)" } ?? ""
        return [("Notified", (event.notified ? "yes" : "no") + why)] + (later.map { [("Later", $0)] } ?? [])
    }

    private var reason: String? {
        switch (event.reason, event.notified) {
        case (.alreadyBreached, _): "the limit was reached already when the alert first saw a price"
        case (.afterGap, _): "after a gap: when the limit was passed is not known"
        case (.afterSuspend, _): "after the machine was suspended: when the limit was passed is not known"
        case (.ruleChanged, _): "its rule or limit was changed"
        case (.ruleRemoved, _): "its rule was removed"
        case (.ruleExpired, _): "its rule expired"
        case (.cooldown, true): "late: now that the cooldown is over"
        case (.cooldown, false):
            "within the cooldown of the firing notified before"
                + (event.details?.cooldownUntil.map { ", until \(formatter.time($0))" } ?? "")
        case (.silenced, true): "late: now that the silence is over"
        case (.silenced, false): "because of \(event.silence.map { "silence \($0)" } ?? "a silence")"
        case (.firedSuppressed, _): "as the firing that it ends was not notified"
        case (.disarmed, true): "late: now that the rule is armed again"
        case (.disarmed, false): "the rule tells once, and had"
        case (.unknown(let word), _): word
        case (nil, _): nil
        }
    }

    /// What became of an event that was not notified, or of what began with it.
    private var later: String? {
        let rest = related.filter { $0.number > event.number }
        let notified = rest.first { $0.notified && $0.kind == event.kind }
        let ends: [ControlInterface.EventKind] = [.resolved, .feedRecovered, .storeRecovered, .symbolReturned]
        let end = rest.first { ends.contains($0.kind) }
        if !event.notified, let notified {
            return "notified as event \(notified.number) at \(formatter.time(notified.time))"
        }
        let isAlert = event.kind == .fired || event.kind == .repeated
        if let end {
            return "over at \(formatter.time(end.time)), event \(end.number)"
                + (isAlert && !event.notified ? ", and never notified" : "")
        }
        let openers: [ControlInterface.EventKind] = [.feedStale, .storeFailed, .symbolFrozen, .symbolMissing]
        let isOpen = openers.contains(event.kind)
        return isOpen || (isAlert && event.details?.firingSince != nil) ? "it is not over yet" : nil
    }
}
