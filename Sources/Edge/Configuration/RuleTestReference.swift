/// Every key that a file of rule tests may hold, as data: what the reader accepts and what is documented are one list.
package enum RuleTestReference {
    package enum Table: String, CaseIterable, Sendable {
        case file
        case test
        case expect
        case silence
        case deed

        /// As it is written in a file.
        package var header: String {
            switch self {
            case .file: "the file"
            case .test: "[[test]]"
            case .expect: "an element of `expect`"
            case .silence: "an element of `silences`"
            case .deed: "an element of `acks` or `arms`"
            }
        }
    }

    package struct Key: Sendable {
        package let table: Table
        package let name: String
        /// A few words that can stand in brackets.
        package let help: String
    }

    package static let keys: [Key] =
        file.map { Key(table: .file, name: $0, help: $1) } + test.map { Key(table: .test, name: $0, help: $1) }
        + expect.map { Key(table: .expect, name: $0, help: $1) }
        + silence.map { Key(table: .silence, name: $0, help: $1) } + deed.map { Key(table: .deed, name: $0, help: $1) }

    package static func names(in table: Table) -> [String] {
        keys.filter { $0.table == table }.map(\.name)
    }

    private typealias Row = (name: String, help: String)

    private static let file: [Row] = [
        ("rules", "files with rules, or folders of them, seen from the file of tests"),
        ("rule", "[[rule]] tables, as in the settings"),
        ("test", "[[test]] tables"),
        ("interval", "time between two polls; that of the settings file among `rules`, else 30s"),
        ("max_gap", "as in [feed]; three intervals"),
        ("frozen_after", "as in [feed]; 30m"),
        ("start", "when the first poll is; 2026-01-01T00:00:00Z"),
    ]

    private static let test: [Row] = [
        ("name", "what the test shows"),
        ("series", "a table: for each symbol its prices, poll by poll, drawn as text"),
        ("rates", "a table: how much of a currency one euro is, for each currency"),
        ("silences", "a list of silences"),
        ("acks", "a list of acknowledgements, which stop the repeats of what fires"),
        ("arms", "a list of what arms rules with `once` again"),
        ("expect", "a list of all events that are expected; the order of those at one time is free"),
        ("only", "a list of the kinds of events that are compared; all when absent"),
    ]

    private static let expect: [Row] = [
        ("at", "how long after the first poll: 90s, 1h30m"),
        ("kind", "fired, resolved, repeated, symbol_frozen, feed_stale …"),
        ("rule", "the name of the rule"),
        ("symbol", "the symbol"),
        ("bound", "min, max, within, rise, fall, cross_up or cross_down"),
        ("severity", "info, warning or critical"),
        ("price", "the price that decided"),
        ("limit", "the limit, or `low..high`"),
        ("currency", "the currency of price and limit"),
        ("notified", "whether it is notified"),
        ("reason", "already_breached, cooldown, silence …"),
        ("text", "the text of the event"),
    ]

    private static let deed: [Row] = [
        ("at", "how long after the first poll; a poll of that time comes before it"),
        ("rule", "the name of the rule"),
        ("symbol", "the symbol; all when absent"),
    ]

    private static let silence: [Row] = [
        ("at", "how long after the first poll it begins"),
        ("for", "how long it lasts"),
        ("symbol", "the symbol, or a pattern; all when absent"),
        ("rule", "the name of the rule; all when absent"),
        ("severity", "the severity; all when absent"),
    ]
}
