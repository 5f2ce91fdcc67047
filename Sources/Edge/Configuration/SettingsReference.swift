internal import PriceSources

/// Every key that the settings files may hold, as data: what the loader accepts and what is documented are one list.
package enum SettingsReference {
    /// Where a key belongs.
    package enum Table: String, CaseIterable, Sendable {
        case feed
        case rates
        case display
        case history
        case events
        case sinks
        case rule

        /// As it is written in a file: `[feed]`, `[[rule]]`.
        package var header: String { self == .rule ? "[[rule]]" : "[\(rawValue)]" }
    }

    /// What is written as the value of a key.
    package enum ValueType: String, Sendable {
        case text = "a string"
        case texts = "a string or a list of strings"
        case duration = "a duration such as \"30s\""
        case size = "a size such as \"64MiB\""
        case boolean = "true or false"
        case integer = "a whole number"
        case amount = "a number"
        case amountOrPercent = "a number or a percentage such as \"0.5%\""
        case twoAmounts = "a list of two numbers"
        case time = "a date and time such as 2027-01-01T00:00:00Z"
    }

    /// One key.
    package struct Key: Sendable {
        package let table: Table
        package let name: String
        package let type: ValueType
        /// What holds when the key is absent, as it would be written, or in words; nil when the key must be there.
        package let absent: String?
        /// One line, without a full stop.
        package let help: String

        /// Whether a reload leaves it as it is.
        package var needsRestart: Bool { SettingsReference.needRestart.contains("\(table.rawValue).\(name)") }
    }

    /// The keys that only a restart of the daemon changes.
    package static let needRestart = ["feed.source"] + SinkSettings.reference.map { "sinks.\($0.name)" }

    /// All keys, table by table, in the order in which they are documented.
    package static let keys: [Key] =
        feed.map(inTable(.feed)) + rates.map(inTable(.rates)) + display.map(inTable(.display))
        + history.map(inTable(.history)) + events.map(inTable(.events))
        + SinkSettings.reference.map(inTable(.sinks))
        + rule.map(inTable(.rule))

    /// The names of a table's keys.
    package static func names(in table: Table) -> [String] {
        keys.filter { $0.table == table }.map(\.name)
    }

    /// The tables that have a key of that name.
    package static func tables(with name: String) -> [Table] {
        keys.filter { $0.name == name }.map(\.table)
    }

    typealias Row = (name: String, type: ValueType, absent: String?, help: String)

    private static func inTable(_ table: Table) -> (Row) -> Key {
        { Key(table: table, name: $0.name, type: $0.type, absent: $0.absent, help: $0.help) }
    }

    private static let feed: [Row] = [
        ("source", .text, "\"\(PriceSource.standard.rawValue)\"", "Where prices come from: \(PriceSource.list)"),
        ("url", .text, "\"\(FeedSettings().url)\"", "Where the exchange's interface begins"),
        (
            "interval", .duration, "\"30s\"",
            "Time between polls, at most 1h; at least \(PriceSource.limitedHosts), "
                + "\(SourceProfile.otherHostMinimum) for other hosts, \(SourceProfile.localMinimum) for this machine"
        ),
        ("max_gap", .duration, "three intervals", "Samples further apart than this have a gap between them"),
        ("frozen_after", .duration, "\"30m\"", "A market without trade that does not move for so long is frozen"),
        ("ca_file", .text, "the system's authorities", "A file with the certificates to trust, by its full path"),
        ("allow_http", .boolean, "false", "Whether http without encryption may leave this machine"),
        ("seed", .integer, "1", "What the simulated market is made from; the same seed gives the same prices"),
    ]

    private static let rates: [Row] = [
        (
            "enabled", .boolean, "true, but false for the simulator",
            "Whether the reference rates of the European Central Bank are fetched, some times a day"
        ),
        (
            "url", .text, "\"https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml\"",
            "The file with the rates, at the bank or at a mirror"
        ),
        ("ca_file", .text, "the system's authorities", "A file with the certificates to trust, by its full path"),
    ]

    private static let display: [Row] = [
        ("currency", .text, "\"USD\"", "What people read prices in, or quote for each market's own; rules keep theirs"),
        ("usdt_as", .text, "\"USD\"", "What USDT counts as, by declaration, for rules too; none for nothing"),
    ]

    private static let history: [Row] = [
        ("keep", .duration, "\"30d\"", "How far back prices are kept; at least two intervals"),
        ("memory", .size, "\"64MiB\"", "The most memory that kept prices may take, 1MiB to 1GiB"),
    ]

    private static let events: [Row] = [
        ("keep", .duration, "\"365d\"", "How long events are kept; at least 1h"),
        ("count", .integer, "1_000_000", "The most events that are kept, 1000 to 10000000; the oldest go first"),
    ]

    private static let rule: [Row] = [
        ("name", .text, "made from symbol and condition", "What the rule is called; no two rules share a name"),
        ("symbol", .texts, nil, "The markets: exact (btcinr), a pattern (*usdt), or a list of both"),
        ("currency", .text, "each market's quote currency", "The currency of the condition's amounts"),
        ("price", .text, "\"last\"", "Which price decides: last, bid, ask, or mid, half way between those two"),
        ("min", .amount, "no lower limit", "Fires when the price is at or below this"),
        ("max", .amount, "no upper limit", "Fires when the price is at or above this"),
        ("within", .twoAmounts, "no zone", "Fires when the price is between two limits, a touched one included"),
        ("rise", .amountOrPercent, "no rise", "Fires when the price is that far above the lowest of the window"),
        ("fall", .amountOrPercent, "no fall", "Fires when the price is that far below the highest of the window"),
        ("move", .amountOrPercent, "no move", "Stands for rise and fall"),
        ("window", .duration, nil, "How far back rise, fall and move look; at least two intervals, at most `keep`"),
        ("cross", .amount, "no crossing", "Tells each time the price goes over this limit, up or down"),
        ("cross_up", .amount, "no crossing", "Tells each time the price goes over this limit upward"),
        ("cross_down", .amount, "no crossing", "Tells each time the price goes over this limit downward"),
        (
            "hysteresis", .amountOrPercent, "none",
            "How far the price must come back from a limit before its alert is over; for min, max and within"
        ),
        ("for", .duration, "\"0s\"", "How long the condition must hold before it counts; not for crossings"),
        ("repeat", .duration, "never", "Tells again after this time while it still fires; not for crossings"),
        ("cooldown", .duration, "\"0s\"", "At least this long between two notified firings of an alert"),
        ("once", .boolean, "false", "Whether an alert tells one firing only, until it is armed again by hand"),
        ("expires", .time, "never", "From when on the rule no longer evaluates"),
        ("severity", .text, "\"warning\"", "How much it matters: info, warning or critical"),
        ("message", .text, "made from the evidence", "The text of its events, with placeholders such as {price}"),
    ]
}
