package import Events
package import Market
package import Rules
package import Time

/// All that an engine has to remember over a restart, as values that can be stored.
///
/// The columns are for readers; what the engine itself reads are the `memory` texts, whose form is its own affair. The
/// order of the elements is part of the value.
package struct EngineSnapshot: Equatable, Sendable {
    /// In file order.
    package var rules: [RuleIdentity]
    package var alerts: [AlertSnapshot]
    /// The symbols that have alerts or that a rule names.
    package var symbols: [SymbolSnapshot]
    /// What is remembered of the feed.
    package var feed: String

    package init(rules: [RuleIdentity], alerts: [AlertSnapshot], symbols: [SymbolSnapshot], feed: String) {
        self.rules = rules
        self.alerts = alerts
        self.symbols = symbols
        self.feed = feed
    }
}

/// One alert: a rule on a symbol and bound; no two have all three the same.
package struct AlertSnapshot: Equatable, Sendable {
    package var rule: String
    package var symbol: Symbol
    package var bound: Bound
    /// `waiting`, `inactive`, `pending` or `firing`.
    package var state: String
    /// Since when it has been in its state; nil while it waits.
    package var since: Instant?
    package var severity: Severity
    /// Nil where the limit moves with the price.
    package var limit: LimitValue?
    package var currency: Currency?
    package var encodedState: String

    package init(
        rule: String, symbol: Symbol, bound: Bound, state: String, since: Instant?, severity: Severity,
        limit: LimitValue?, currency: Currency?, encodedState: String
    ) {
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
        self.state = state
        self.since = since
        self.severity = severity
        self.limit = limit
        self.currency = currency
        self.encodedState = encodedState
    }
}

/// One symbol: its last usable price, whether it is frozen, what was notified of it.
package struct SymbolSnapshot: Equatable, Sendable {
    package var symbol: Symbol
    package var encodedState: String

    package init(symbol: Symbol, encodedState: String) {
        self.symbol = symbol
        self.encodedState = encodedState
    }
}

/// What of a snapshot has become different.
package enum EngineChanges: Equatable, Sendable {
    /// Other rules are in force: the snapshot takes the place of all that was stored.
    case whole(EngineSnapshot)
    /// These alerts and symbols are new or different, the rest is as it was; `feed` is nil when that is as it was, too.
    case part(alerts: [AlertSnapshot], symbols: [SymbolSnapshot], feed: String?)

    package var isEmpty: Bool { self == .part(alerts: [], symbols: [], feed: nil) }
}

/// What came of a snapshot that an engine was given.
package struct Restoration: Equatable, Sendable {
    /// How the rules in force differ from those of the snapshot.
    package var change: RuleSetChange
    /// What is to be notified of it, in order.
    package var occurrences: [Occurrence]
    /// What could not be read, in words, and therefore starts afresh: `alert “btc band” on btcinr (max)`.
    package var unreadable: [String]
}
