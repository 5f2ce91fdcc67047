internal import PriceSources
internal import Receivers
internal import Rules

/// Every key that settings files may have, as data: the loader and the documentation share this list.
package enum SettingsReference {
    /// A table of settings files.
    package enum Table: String, CaseIterable, Sendable {
        case feed
        case source
        case rates
        case display
        case history
        case events
        case sinks
        case metrics
        case heartbeat
        case lease
        case receiver
        case check
        case rule

        /// The header as written in a file: `[feed]`, `[[rule]]`.
        package var header: String { hasMany ? "[[\(rawValue)]]" : "[\(rawValue)]" }

        /// True if a file may have several of these tables.
        package var hasMany: Bool { [.rule, .receiver, .source, .check].contains(self) }
    }

    /// The type of a key's value.
    package enum ValueType: String, Sendable {
        case text = "a string"
        case texts = "a string or a list of strings"
        case duration = "a duration such as \"30s\""
        case size = "a size such as \"64MiB\""
        case boolean = "true or false"
        case integer = "a whole number"
        case integers = "a whole number or a list of whole numbers"
        case textTable = "a table of strings"
        case amount = "an amount"
        case amountOrPercent = "an amount or a percentage such as \"0.5%\""
        case twoAmounts = "a list of two amounts"
        case time = "a date and time such as 2027-01-01T00:00:00Z"
        case base = "\"price\", a date such as 2026-11-01, or an amount"

        /// The type as documentation names it. Findings have their own examples.
        package var documented: String {
            self == .amount ? "\(rawValue) such as 300000 or \"160500 SEK\"" : rawValue
        }
    }

    package struct Key: Sendable {
        package let table: Table
        package let name: String
        package let type: ValueType
        /// The default as a value or a description, or nil if the key is required.
        package let absent: String?
        /// A one-line description, without a full stop.
        package let help: String

        /// True if a reload does not apply a change of the key.
        package var needsRestart: Bool { SettingsReference.needRestart.contains("\(table.rawValue).\(name)") }
    }

    /// The keys whose changes need a restart of the daemon.
    package static let needRestart =
        ["feed.source"] + SinkSettings.reference.map { "sinks.\($0.name)" }
        + LeaseSettings.reference.map { "lease.\($0.name)" }

    /// All keys, table by table, in the order in which they are documented.
    package static let keys: [Key] =
        feed.map(inTable(.feed)) + source.map(inTable(.source)) + rates.map(inTable(.rates))
        + display.map(inTable(.display))
        + history.map(inTable(.history)) + events.map(inTable(.events))
        + SinkSettings.reference.map(inTable(.sinks)) + MetricsSettings.reference.map(inTable(.metrics))
        + HeartbeatSettings.reference.map(inTable(.heartbeat)) + LeaseSettings.reference.map(inTable(.lease))
        + ReceiverTable.reference.map(inTable(.receiver))
        + check.map(inTable(.check)) + rule.map(inTable(.rule))

    /// Returns the names of a table's keys. For `[[source]]`, leaves out the keys that it shares with `[feed]`.
    package static func names(in table: Table) -> [String] {
        keys.filter { $0.table == table }.map(\.name)
    }

    /// Returns the names of all keys that a table may have.
    static func allNames(in table: Table) -> [String] {
        table == .source ? names(in: .source) + names(in: .feed).filter { $0 != "source" } : names(in: table)
    }

    /// Returns the names of a table's keys for fast lookup.
    static func nameTable(of table: Table) -> KeyTable<Void> { nameTables[table] ?? KeyTable([]) }

    private static let nameTables = Dictionary(
        uniqueKeysWithValues: Table.allCases.map { ($0, KeyTable(allNames(in: $0).map { ($0, ()) })) })

    /// Returns the tables that have a key of this name.
    package static func tables(with name: String) -> [Table] {
        keys.filter { $0.name == name }.map(\.table)
    }

    typealias Row = (name: String, type: ValueType, absent: String?, help: String)

    private static func inTable(_ table: Table) -> (Row) -> Key {
        { Key(table: table, name: $0.name, type: $0.type, absent: $0.absent, help: $0.help) }
    }

    private static let feed: [Row] = [
        ("source", .text, "\"\(PriceSource.standard.rawValue)\"", "Where prices come from: \(PriceSource.names)"),
        ("url", .text, "the address of the source", "The base address of the source's API; for json the whole address"),
        (
            "interval", .duration, "\"30s\"",
            "Time between polls, at most 1h; SOURCES lists the minimum of each source, and other defaults"
        ),
        ("max_gap", .duration, "three intervals", "Samples further apart than this have a gap between them"),
        ("frozen_after", .duration, "\"30m\"", "A market without trades or price changes for this long is frozen"),
        (
            "catch_up", .boolean, "true",
            "Whether to look up in the source's candles which limits were reached while there were no prices"
        ),
        (
            "ca_file", .text, "the system's certificate authorities",
            "Absolute path of a file with the certificate authorities to trust"
        ),
        ("allow_http", .boolean, "false", "Whether to allow unencrypted http to another machine"),
        ("seed", .integer, "1", "Seed of the simulated market; the same seed gives the same prices"),
        ("symbols", .texts, "all", "The symbols to keep, exact or patterns as in rules; the others use no memory"),
        (
            "count", .integer, "the first 100",
            "How many coins to request, the largest first, at most 1000; for coinranking"
        ),
        ("credential", .text, "coinranking", "Name of the systemd credential with the key; for coinranking"),
        (
            "items", .text, "the response is one market",
            "JSON pointer to the list of markets, / for the response itself; for json"
        ),
        (
            "symbol", .text, "the name of the market's element in an object",
            "JSON pointer to the symbol in an element, or the symbol itself; for json"
        ),
        ("last", .text, "none, required for json", "JSON pointer to the last price in an element; for json"),
        ("bid", .text, "none", "JSON pointer to the bid price in an element; for json"),
        ("ask", .text, "none", "JSON pointer to the ask price in an element; for json"),
        ("volume", .text, "none", "JSON pointer to the volume of a day in the base asset; for json"),
        ("time", .text, "none", "JSON pointer to the time in an element, a number since 1970; for json"),
        (
            "quote", .text, "not known",
            "JSON pointer to the quote asset in an element, or the asset itself such as usd; for json"
        ),
    ]

    private static let source: [Row] = [
        ("name", .text, "the type", "The name of the source in events, rules and commands; must be unique"),
        ("type", .text, "\"\(PriceSource.standard.rawValue)\"", "As `source` in [feed]: \(PriceSource.names)"),
    ]

    private static let check: [Row] = [
        ("name", .text, "its symbols", "The name of the check; must be unique"),
        (
            "symbols", .texts, nil,
            "The two markets whose prices are compared, each with its source: [\"wazirx:btcinr\", \"binance:btcusdt\"]"
        ),
        ("within", .text, nil, "The largest difference that is not reported, such as \"8%\" of the second price"),
        (
            "for", .duration, "\"0s\"",
            "How long prices must differ by more than that, or agree again, before it is reported"
        ),
        ("severity", .text, "\"warning\"", "How much it matters: info, warning or critical"),
    ]

    private static let rates: [Row] = [
        (
            "enabled", .boolean, "true, but made-up rates for the simulator",
            "Whether to fetch the European Central Bank's reference rates, several times a day"
        ),
        (
            "url", .text, "\"https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml\"",
            "Address of the file with the rates, at the bank or a mirror"
        ),
        (
            "history_url", .text, "the bank's eurofxref-hist.xml if `url` is the bank's, else none",
            "Address of the file with the rates of all dates, for conversions on past dates; fetched on demand"
        ),
        (
            "ca_file", .text, "the system's certificate authorities",
            "Absolute path of a file with the certificate authorities to trust"
        ),
    ]

    private static let display: [Row] = [
        (
            "currency", .text, "\"USD\"",
            "Currency that prices are shown in, or quote for each market's own; rules keep theirs"
        ),
        ("usdt_as", .text, "\"USD\"", "What USDT counts as, for rules as well; none to treat it like any other coin"),
    ]

    private static let history: [Row] = [
        ("keep", .duration, "\"30d\"", "How long prices are kept; at least two intervals"),
        ("memory", .size, "\"64MiB\"", "Maximum memory for prices, 1MiB to 1GiB"),
    ]

    private static let events: [Row] = [
        ("keep", .duration, "\"365d\"", "How long events are kept; at least 1h"),
        ("count", .integer, "1_000_000", "Maximum number of events, 1000 to 10000000; the oldest are deleted first"),
    ]

    private static func conditions(_ kinds: [ConditionKind]) -> [Row] {
        kinds.flatMap(\.keys).map { ($0.rawValue, ValueType($0.value), $0.absent, $0.help) }
    }

    private static let rule: [Row] =
        [
            ("name", .text, "generated from symbol and condition", "The name of the rule; must be unique"),
            (
                "source", .text, "the first source",
                "The name of the source of its symbols; \"kraken:btcusd\" in `symbol` means the same"
            ),
            ("symbol", .texts, nil, "The symbols: exact (btcinr), a pattern (*usdt), or a list of both"),
            (
                "currency", .text, "each market's quote currency",
                "The currency of the condition's amounts; an amount may also name it, as in max = \"160500 SEK\""
            ),
            ("price", .text, "\"last\"", "Which price decides: last, bid, ask, or mid, halfway between bid and ask"),
        ] + conditions(ConditionKind.allCases.filter { !$0.isMomentary }) + [
            (
                "from", .base, "none",
                "What `min` and `max` in percent refer to: the first price, the last one before a day, or an amount"
            ),
            (
                "window", .duration, nil,
                "How far back rise, fall and move look; at least two intervals, at most `keep` of [history]"
            ),
        ] + conditions(ConditionKind.allCases.filter(\.isMomentary)) + [
            (
                "hysteresis", .amountOrPercent, "none",
                "How far the price must come back from a limit before its alert resolves; for min, max and within"
            ),
            ("for", .duration, "\"0s\"", "How long the condition must hold before the alert fires; not for crossings"),
            (
                "keep_firing_for", .duration, "\"0s\"",
                "How long the price must be back, without a gap, before a firing alert resolves; not for crossings"
            ),
            (
                "repeat", .duration, "never",
                "Notifies again at this interval while the alert is firing; not for crossings"
            ),
            ("cooldown", .duration, "\"0s\"", "Minimum time between two notified firings of an alert"),
            (
                "only_while", .text, "none",
                "Another rule of the same source: notifies only while that one is firing on the same symbol"
            ),
            (
                "once", .boolean, "false",
                "Whether an alert notifies only once, until it is re-armed"
            ),
            ("expires", .time, "never", "When the rule stops being evaluated"),
            ("severity", .text, "\"warning\"", "How much it matters: info, warning or critical"),
            (
                "notify", .texts, "the receivers whose filters match",
                "The names of the receivers for its events; [] for none"
            ),
            (
                "message", .text, "generated from the evidence",
                "The text of its events, with placeholders such as {price}"
            ),
            (
                "message_repeated", .text, "that of `message`",
                "The text of its events when an alert is notified again, with placeholders such as {price}"
            ),
            (
                "message_resolved", .text, "that of `message`",
                "The text of its events when an alert resolves, with placeholders such as {price}"
            ),
        ]
}

extension SettingsReference.ValueType {
    fileprivate init(_ value: ConditionKey.Value) {
        self =
            switch value {
            case .amount: .amount
            case .twoAmounts: .twoAmounts
            case .amountOrPercent: .amountOrPercent
            }
    }
}
