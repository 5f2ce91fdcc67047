package import Events
internal import Market
package import Time

/// The values that a template can insert: the values of a notification, and of each of its events.
package struct TemplateData: Equatable, Sendable {
    package var values: [TemplateField: String] = [:]
    package var conditions: Set<TemplateCondition> = []
    /// The events of a notification; empty for an event.
    package var events: [TemplateData] = []
    /// The lines of the text; empty for a line.
    var lines: [TemplateData] = []

    private init() {}

    /// The texts of an event.
    package struct Texts: Equatable, Sendable {
        package var title: String
        /// One line.
        package var text: String
        /// `BTC/INR`; nil for an event that is not about a market.
        package var market: String?

        package init(title: String, text: String, market: String?) {
            (self.title, self.text, self.market) = (title, text, market)
        }
    }

    /// The values of a notification as a whole.
    package struct Summary: Equatable, Sendable {
        package var id: String
        package var instance: String
        package var receiver: String
        package var title: String
        package var text: String
        package var severity: Severity
        /// True if everything that the notification reports has ended.
        package var isEnd: Bool
        /// The time of the newest event.
        package var time: WallTime
        /// The time at which the notification is sent.
        package var now: WallTime

        package init(
            id: String, instance: String, receiver: String, title: String, text: String, severity: Severity,
            isEnd: Bool, time: WallTime, now: WallTime
        ) {
            (self.id, self.instance, self.receiver) = (id, instance, receiver)
            (self.title, self.text, self.severity, self.isEnd) = (title, text, severity, isEnd)
            (self.time, self.now) = (time, now)
        }
    }

    /// Creates the values of a notification.
    ///
    /// - Parameters:
    ///   - events: the events with their texts; `isEnd` is true for an event that ends an alert or a report.
    ///   - summary: the values of the notification as a whole.
    package init(_ events: [(event: Event, texts: Texts, isEnd: Bool)], _ summary: Summary) {
        self.init()
        // A notification of one event also has the values of that event. With several events, these values are only in
        // ``events``.
        if let only = events.first, events.count == 1 {
            self = Self(only.event.occurrence, number: only.event.number)
            values[.market] = only.texts.market
            conditions.insert(.single)
        }
        values[.id] = summary.id
        set(title: summary.title, text: summary.text)
        values[.count] = "\(events.count)"
        values[.late] = "\(max(0, summary.now.since(summary.time).count))"
        set(summary.severity, isEnd: summary.isEnd, time: summary.time)
        setShared(summary)
        self.events = events.enumerated().map { index, entry in
            var data = Self(entry.event.occurrence, number: entry.event.number)
            data.values[.id] = "\(summary.instance)-\(entry.event.number)"
            data.set(title: entry.texts.title, text: entry.texts.text)
            data.values[.market] = entry.texts.market
            data.set(entry.event.occurrence.severity, isEnd: entry.isEnd, time: entry.event.occurrence.time)
            data.setShared(summary)
            return data.placed(index, of: events.count)
        }
    }

    /// Returns a copy with the conditions `first` and `last` set for its position in a list.
    private func placed(_ index: Int, of count: Int) -> Self {
        var data = self
        if index == 0 { data.conditions.insert(.first) }
        if index == count - 1 { data.conditions.insert(.last) }
        return data
    }

    private mutating func set(title: String, text: String) {
        values[.title] = title
        values[.text] = text
        values[.titleHTML] = escapedHTML(title)
        values[.textHTML] = escapedHTML(text)
        values[.titleMarkdown] = escapedMarkdown(title)
        values[.textMarkdown] = escapedMarkdown(text)
        let texts = text.split(whereSeparator: \.isNewline)
        lines = texts.enumerated().map { index, line in
            var data = Self()
            data.values[.line] = String(line)
            return data.placed(index, of: texts.count)
        }
    }

    private mutating func setShared(_ summary: Summary) {
        values[.instance] = summary.instance
        values[.receiver] = summary.receiver
    }

    private mutating func set(_ severity: Severity, isEnd: Bool, time: WallTime) {
        values[.severity] = severity.rawValue
        values[.time] = time.description
        values[.unixTime] = "\(time.milliseconds / 1_000)"
        values[.color] = isEnd ? "2EA043" : severity.color
        conditions.insert(.severity(severity))
        if isEnd { conditions.insert(.ended) }
    }

    private init(_ event: Occurrence, number: Int64) {
        self.init()
        let (amounts, details) = (event.amounts, event.details)
        values[.number] = "\(number)"
        values[.kind] = event.kind.rawValue
        values[.rule] = event.rule
        values[.source] = event.source?.description
        values[.symbol] = event.symbol?.description
        values[.bound] = event.bound?.rawValue
        values[.price] = event.price?.description
        values[.limit] = event.limit?.description
        values[.currency] = event.currency?.description
        values[.priceText] = amounts.price
        values[.limitText] = amounts.limits.isEmpty ? nil : amounts.limits.joined(separator: "–")
        values[.previous] = event.previous?.price.description
        values[.clear] = details.clear?.description
        values[.reason] = event.reason?.rawValue
        values[.exchangeTime] = event.exchangeTime?.description
        values[.received] = event.received?.description
        values[.firingSince] = details.firingSince?.description
        values[.check] = details.divergence?.check
        values[.other] = details.divergence.map { "\($0.source):\($0.symbol)" }
        values[.otherPrice] = details.divergence?.price.description
        values[.difference] = details.divergence?.percent.description
        values[.failed] = details.receiver
        conditions = [.kind(event.kind)]
    }
}

/// Escapes a text for a service that shows HTML.
private func escapedHTML(_ text: String) -> String {
    let signs: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    return text.unicodeScalars.reduce(into: "") { result, scalar in
        if let sign = signs[scalar] { result += sign } else { result.unicodeScalars.append(scalar) }
    }
}

/// Escapes a text for a service that shows Markdown. A zero-width space after an at sign prevents mentions.
private func escapedMarkdown(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
        if scalar == "@" {
            result += "@\u{200B}"
        } else {
            if "\\`*_{}[]()<>#+-.!|~".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }
}

extension Severity {
    /// Blue, orange or red, the same as in Discord messages.
    fileprivate var color: String {
        switch self {
        case .info: "388BFD"
        case .warning: "D29922"
        case .critical: "DA3633"
        }
    }
}
