/// Every key that a file of rule tests may hold, as data: what the reader accepts and what is documented are one list.
package enum RuleTestReference {
    package enum Table: String, CaseIterable, Sendable {
        case file
        case test
        case expect
        case silence

        /// As it is written in a file.
        package var header: String {
            switch self {
            case .file: "the file"
            case .test: "[[test]]"
            case .expect: "an element of `expect`"
            case .silence: "an element of `silences`"
            }
        }
    }

    package struct Key: Sendable {
        package let table: Table
        package let name: String
        /// One line, without a full stop.
        package let help: String
    }

    package static let keys: [Key] =
        file.map { Key(table: .file, name: $0, help: $1) } + test.map { Key(table: .test, name: $0, help: $1) }
        + expect.map { Key(table: .expect, name: $0, help: $1) }
        + silence.map { Key(table: .silence, name: $0, help: $1) }

    package static func names(in table: Table) -> [String] {
        keys.filter { $0.table == table }.map(\.name)
    }

    private typealias Row = (name: String, help: String)

    private static let file: [Row] = [
        ("rules", "Files with rules, or folders of them, seen from the file of tests"),
        ("rule", "[[rule]] tables, as in the settings"),
        ("test", "[[test]] tables"),
        ("interval", "Time between two polls; that of the settings file among `rules`, else 30s"),
        ("max_gap", "As in [feed]; three intervals"),
        ("frozen_after", "As in [feed]; 30m"),
        ("start", "When the first poll is; 2026-01-01T00:00:00Z"),
    ]

    private static let test: [Row] = [
        ("name", "What the test shows"),
        ("series", "A table: for each symbol its prices, poll by poll, drawn as text"),
        ("rates", "A table: how much of a currency one euro is, for each currency"),
        ("silences", "A list of silences"),
        ("expect", "A list of all events that are expected; the order of those at one time is free"),
        ("only", "A list of the kinds of events that are compared; all when absent"),
    ]

    private static let expect: [Row] = [
        ("at", "How long after the first poll: 90s, 1h30m"),
        ("event", "fired, resolved, repeated, symbol_frozen, feed_stale …"),
        ("rule", "The name of the rule"),
        ("symbol", "The symbol"),
        ("bound", "min, max, within, rise, fall, cross_up or cross_down"),
        ("severity", "info, warning or critical"),
        ("price", "The price that decided"),
        ("limit", "The limit, or `low..high`"),
        ("currency", "The currency of price and limit"),
        ("told", "Whether it is told"),
        ("reason", "already_outside, cooldown, silence …"),
        ("text", "The text of the event"),
    ]

    private static let silence: [Row] = [
        ("at", "How long after the first poll it begins"),
        ("for", "How long it lasts"),
        ("symbol", "The symbol, or a pattern; all when absent"),
        ("rule", "The name of the rule; all when absent"),
        ("severity", "The severity; all when absent"),
    ]
}
