internal import Events

/// A value that a template may insert: `{{ price }}`.
package enum TemplateField: String, CaseIterable, Sendable {
    case title
    case text
    case titleHTML = "title_html"
    case textHTML = "text_html"
    case titleMarkdown = "title_markdown"
    case textMarkdown = "text_markdown"
    case line
    case id
    case instance
    case receiver
    case count
    case color
    case late = "late_ms"
    case severity
    case time
    case unixTime = "unix_time"
    case number
    case kind
    case rule
    case source
    case symbol
    case market
    case bound
    case price
    case limit
    case currency
    case priceText = "price_text"
    case limitText = "limit_text"
    case previous
    case clear
    case reason
    case exchangeTime = "exchange_time"
    case received
    case firingSince = "firing_since"
    case check
    case other
    case otherPrice = "other_price"
    case difference = "difference_percent"
    case failed = "failed_receiver"
}

extension TemplateField {
    /// One sentence for the manual.
    package var help: String {
        switch self {
        case .title: "One line: `BTC/INR: maximum ₹75,00,000.00 reached`."
        case .text: "The whole text of a notification, in lines; in {{#events}} the one line of the event."
        case .titleHTML: "The title for services that show HTML: its signs are escaped."
        case .textHTML: "The text for services that show HTML."
        case .titleMarkdown:
            "The title for services that show Markdown: its signs are escaped, and nobody is mentioned."
        case .textMarkdown: "The text for services that show Markdown."
        case .line: "In {{#lines}}: one line of the text."
        case .id: "The identity that all attempts share, INSTANCE-NUMBER."
        case .instance: "The instance of the state file, 32 hexadecimal digits."
        case .receiver: "The name of the receiver."
        case .count: "The number of events."
        case .color: "Six hexadecimal digits: red, orange or blue by severity, green for an end."
        case .late: "Milliseconds from the last event to this attempt."
        case .severity: "info, warning or critical; of a notification the highest of what has not ended."
        case .time: "The time of the event, or of the last one, in RFC 3339."
        case .unixTime: "The same in whole seconds since 1970."
        case .number: "The number of the event."
        case .kind: "Its kind, such as fired."
        case .rule: "The name of its rule."
        case .source: "The name of its source of prices."
        case .symbol: "Its symbol, such as btcinr."
        case .market: "Its market as people write it, such as BTC/INR."
        case .bound: "Which limit it is about, such as max."
        case .price: "Its price, an exact decimal."
        case .limit: "Its limit, an exact decimal; 120..135 for a zone."
        case .currency: "The currency of price and limit."
        case .priceText: "The price as people read it: `₹75,00,100.00`."
        case .limitText: "The limit as people read it."
        case .previous: "The price before it."
        case .clear: "The level at which the alert resolves, if it is not the limit."
        case .reason: "What is special about it, such as after_gap."
        case .exchangeTime: "The exchange's own time of the price."
        case .received: "When the price was received."
        case .firingSince: "When the alert began to fire."
        case .check: "The name of the check that compares two prices."
        case .other: "The other market of a check, such as binance:btcusdt."
        case .otherPrice: "The price of the other market."
        case .difference: "The difference of the two prices in percent."
        case .failed: "The name of the receiver that failed or recovered."
        }
    }
}

/// A condition for a section: `{{#critical}}`. The kinds of events are conditions, too.
package struct TemplateCondition: Hashable, Sendable {
    package var name: String

    /// Nil if there is no condition of that name.
    init?(_ name: String) {
        guard Self.all.contains(where: { $0.name == name }) || EventKind(rawValue: name) != nil else { return nil }
        self.name = name
    }

    fileprivate init(unchecked name: String) { self.name = name }

    /// All conditions except the kinds of events, each with a sentence for the manual.
    package static let all: [(name: String, help: String)] = [
        ("single", "The notification has exactly one event."),
        ("ended", "The event, or all that a notification reports, has ended."),
        ("info", "The severity is info."),
        ("warning", "The severity is warning."),
        ("critical", "The severity is critical."),
        ("first", "In {{#events}} and {{#lines}}: it is the first one."),
        ("last", "In {{#events}} and {{#lines}}: it is the last one; for commas, {{^last}},{{/last}}."),
    ]

    static let single = Self(unchecked: "single")
    static let ended = Self(unchecked: "ended")
    static let first = Self(unchecked: "first")
    static let last = Self(unchecked: "last")

    static func severity(_ severity: Severity) -> Self { Self(unchecked: severity.rawValue) }
    static func kind(_ kind: EventKind) -> Self { Self(unchecked: kind.rawValue) }
}

/// A list in a template. A section named after it is repeated for each item.
package enum TemplateList: String, CaseIterable, Sendable {
    case events
    case lines

    /// One sentence for the manual.
    package var help: String {
        switch self {
        case .events: "Once for each event, with its values."
        case .lines: "Once for each line of the text, with `line`."
        }
    }
}

/// The meaning of the name in a tag.
enum TemplateName: Equatable, Sendable {
    case field(TemplateField)
    case condition(TemplateCondition)
    case list(TemplateList)

    /// Nil if there is no such name.
    init?(_ text: String) {
        if let list = TemplateList(rawValue: text) {
            self = .list(list)
        } else if let field = TemplateField(rawValue: text) {
            self = .field(field)
        } else if let condition = TemplateCondition(text) {
            self = .condition(condition)
        } else {
            return nil
        }
    }

    /// All names, for advice.
    static var all: [String] {
        TemplateField.allCases.map(\.rawValue) + TemplateList.allCases.map(\.rawValue)
            + TemplateCondition.all.map(\.name) + EventKind.allCases.map(\.rawValue)
    }
}
