package import Events
package import Market
package import Rules
package import Time

/// Everything that an engine has to remember across restarts, as values that can be stored.
///
/// The columns of alerts are for readers; the engine itself reads only the encoded states, whose form is private to it.
/// The order of the elements is part of the value.
package struct EngineSnapshot: Equatable, Sendable {
    /// In file order.
    package var rules: [RuleIdentity]
    /// In the order of the rules.
    package var alerts: [AlertSnapshot]
    /// The state of the feed and of the symbols, in parts of a few hundred kilobytes.
    package var checkpoint: [[UInt8]]
    /// What polls have changed since then.
    package var records: [[UInt8]]

    package init(
        rules: [RuleIdentity], alerts: [AlertSnapshot], checkpoint: [[UInt8]], records: [[UInt8]] = []
    ) {
        self.rules = rules
        self.alerts = alerts
        self.checkpoint = checkpoint
        self.records = records
    }

    /// The same state with the records applied to the checkpoint; itself when it cannot be read.
    package var merged: EngineSnapshot {
        var unreadable: [String] = []
        guard !records.isEmpty, let state = state(&unreadable), unreadable.isEmpty else { return self }
        var merged = self
        (merged.checkpoint, merged.records) = (state.checkpoint(), [])
        return merged
    }

    /// The symbols that are stored; none when they cannot be read.
    package var symbolNames: [Symbol] {
        var unreadable: [String] = []
        return state(&unreadable)?.symbols.map(\.symbol) ?? []
    }

    /// When the last response was received; nil when there was none, or it cannot be read.
    package var lastPoll: Instant? {
        var unreadable: [String] = []
        return state(&unreadable)?.header.lastPoll
    }
}

/// One alert: a rule on a symbol and bound; no two have all three the same.
package struct AlertSnapshot: Equatable, Sendable {
    /// The name of its rule.
    package var rule: String
    package var symbol: Symbol
    package var bound: Bound
    /// `waiting`, `inactive`, `pending` or `firing`.
    package var state: String
    /// When it entered its state; nil while it waits.
    package var since: Instant?
    /// That of its rule.
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

/// What has changed in a snapshot.
package enum EngineChanges: Equatable, Sendable {
    /// Everything: the snapshot replaces all that was stored.
    case whole(EngineSnapshot)
    /// These alerts are new or changed, the rest is unchanged; `state` is nil when nothing else has changed.
    case part(alerts: [AlertSnapshot], state: StateChange?)

    /// Whether nothing has changed.
    package var isEmpty: Bool { self == .part(alerts: [], state: nil) }

    /// Whether it replaces all that was stored.
    package var isWhole: Bool {
        if case .whole = self { true } else { false }
    }
}

/// A change of the state of the feed and of the symbols.
package enum StateChange: Equatable, Sendable {
    /// The whole state, which replaces the checkpoint before and all records.
    case checkpoint([[UInt8]])
    /// To be kept after all others since the checkpoint.
    case record(EngineRecord)
}

/// What polls have changed.
package struct EngineRecord: Equatable, Sendable {
    /// The record, in a form that only the engine reads.
    package var bytes: [UInt8]
    /// Whether nothing changed but the time of the last poll.
    package var isUnchanged: Bool

    /// An unchanged record only moves the time of the last poll.
    package init(bytes: [UInt8], isUnchanged: Bool = false) {
        self.bytes = bytes
        self.isUnchanged = isUnchanged
    }
}

/// The result of restoring a snapshot.
package struct Restoration: Equatable, Sendable {
    /// How the current rules differ from those of the snapshot.
    package var change: RuleSetChange
    /// What is to be notified of it, in order.
    package var occurrences: [Occurrence]
    /// What could not be read, and therefore starts over: `alert 'btc band' on btcinr (max)`.
    package var unreadable: [String]
}
