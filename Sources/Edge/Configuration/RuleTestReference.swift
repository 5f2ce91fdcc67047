internal import Events

/// Every key that a file of rule tests may have, as data: the reader and the documentation share this list.
package enum RuleTestReference {
    /// The tables of a file of rule tests.
    package enum Table: String, CaseIterable, Sendable {
        case file
        case test
        case expect
        case silence
        case action

        /// The table as messages and documentation name it.
        package var header: String {
            switch self {
            case .file: "the file"
            case .test: "[[test]]"
            case .expect: "an element of `expect`"
            case .silence: "an element of `silences`"
            case .action: "an element of `acks` or `arms`"
            }
        }
    }

    package struct Key: Sendable {
        package let table: Table
        package let name: String
        /// A short description, without a full stop.
        package let help: String
    }

    /// All keys, table by table.
    package static let keys: [Key] =
        file.map { Key(table: .file, name: $0, help: $1) } + test.map { Key(table: .test, name: $0, help: $1) }
        + expect.map { Key(table: .expect, name: $0, help: $1) }
        + silence.map { Key(table: .silence, name: $0, help: $1) }
        + action.map { Key(table: .action, name: $0, help: $1) }

    package static func names(in table: Table) -> [String] {
        keys.filter { $0.table == table }.map(\.name)
    }

    private typealias Row = (name: String, help: String)

    private static let file: [Row] = [
        ("rules", "files with rules, or directories of them, relative to this file"),
        ("rule", "[[rule]] tables, as in the settings"),
        ("test", "[[test]] tables"),
        ("interval", "time between two polls; default: that of the settings file among the rules, or 30s"),
        ("max_gap", "as in [feed]; default: three intervals"),
        ("frozen_after", "as in [feed]; default: 30m"),
        ("start", "the time of the first poll; default: 2026-01-01T00:00:00Z"),
    ]

    private static let test: [Row] = [
        ("name", "what the test shows"),
        ("series", "a table: for each symbol its prices, poll by poll, written as text"),
        ("rates", "a table: the value of one euro, for each currency"),
        ("silences", "a list of silences"),
        ("acks", "a list of acknowledgements, which stop repeat notifications"),
        ("arms", "a list of times at which one-shot rules are re-armed"),
        ("expect", "a list of all expected events; those at the same time in any order"),
        ("only", "a list of the kinds of events to compare; default: all"),
    ]

    private static let expect: [Row] = [
        ("at", "how long after the first poll: 90s, 1h30m"),
        ("kind", "fired, resolved, repeated, symbol_frozen, feed_stale …"),
        ("rule", "the name of the rule"),
        ("symbol", "the symbol"),
        ("bound", Bound.list),
        ("severity", "info, warning or critical"),
        ("price", "the price that triggered the event"),
        ("limit", "the limit, or LOW..HIGH"),
        ("currency", "the currency of price and limit"),
        ("notified", "whether it is notified"),
        ("reason", "already_breached, cooldown, silenced …"),
        ("text", "the text of the event"),
    ]

    private static let action: [Row] = [
        ("at", "the time after the first poll; takes effect after the poll at that time"),
        ("rule", "the name of the rule"),
        ("symbol", "the symbol; default: all"),
    ]

    private static let silence: [Row] = [
        ("at", "how long after the first poll it starts"),
        ("for", "how long it lasts"),
        ("symbol", "the symbol, or a pattern; default: all"),
        ("rule", "the name of the rule; default: all"),
        ("severity", "the severity; default: all"),
    ]
}
