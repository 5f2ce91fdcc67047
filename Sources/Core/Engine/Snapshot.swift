package import Events
package import Market
package import Rules
package import Time

/// Everything that an engine has to remember across restarts, as values that can be stored.
///
/// The columns are for readers; the engine itself reads only the encoded states, whose form is private to it. The order
/// of the elements is part of the value.
package struct EngineSnapshot: Equatable, Sendable {
    /// In file order.
    package var rules: [RuleIdentity]
    /// In the order of the rules.
    package var alerts: [AlertSnapshot]
    /// The symbols that have alerts or that a rule names.
    package var symbols: [SymbolSnapshot]
    /// The encoded state of the feed.
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
    /// When it entered its state; nil while it waits.
    package var since: Instant?
    package var severity: Severity
    /// Where the limit moves with the price, that of the last usable price of a firing; nil while nothing fires.
    package var limit: LimitValue?
    /// The currency of the limit; nil when not known.
    package var currency: Currency?
    /// The state, in a form that only the engine reads.
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

/// One symbol: its last usable price, whether it is frozen, and what was last notified of it.
package struct SymbolSnapshot: Equatable, Sendable {
    package var symbol: Symbol
    /// The state, in a form that only the engine reads.
    package var encodedState: String

    package init(symbol: Symbol, encodedState: String) {
        self.symbol = symbol
        self.encodedState = encodedState
    }
}

/// What has changed in a snapshot.
package enum EngineChanges: Equatable, Sendable {
    /// Everything: the snapshot replaces all that was stored.
    case whole(EngineSnapshot)
    /// These alerts and symbols are new or changed, the rest is unchanged; `feed` is nil when it is unchanged too.
    case part(alerts: [AlertSnapshot], symbols: [SymbolSnapshot], feed: String?)

    /// Whether nothing has changed.
    package var isEmpty: Bool { self == .part(alerts: [], symbols: [], feed: nil) }
}

/// The result of restoring a snapshot.
package struct Restoration: Equatable, Sendable {
    /// How the current rules differ from those of the snapshot.
    package var change: RuleSetChange
    /// What is to be notified of it, in order.
    package var occurrences: [Occurrence]
    /// What could not be read, and therefore starts over: `alert “btc band” on btcinr (max)`.
    package var unreadable: [String]
}
