package import Events
package import Market
package import Rules
package import Time

/// All state that an engine keeps across restarts, as values that can be stored.
///
/// The columns of alerts are for other readers. The engine itself reads only the encoded states, whose form is
/// private to it. Two snapshots with elements in a different order are not equal.
package struct EngineSnapshot: Equatable, Sendable {
    /// In file order.
    package var rules: [RuleIdentity]
    /// In the order of the rules.
    package var alerts: [AlertSnapshot]
    /// The state of the feed and of the symbols, in parts of a few hundred kilobytes.
    package var checkpoint: [[UInt8]]
    /// The records of the polls since the checkpoint.
    package var records: [[UInt8]]

    package init(
        rules: [RuleIdentity], alerts: [AlertSnapshot], checkpoint: [[UInt8]], records: [[UInt8]] = []
    ) {
        self.rules = rules
        self.alerts = alerts
        self.checkpoint = checkpoint
        self.records = records
    }

    /// The same state with the records applied to the checkpoint; unchanged if it cannot be read.
    package var merged: EngineSnapshot {
        var unreadable: [String] = []
        guard !records.isEmpty, let state = state(&unreadable), unreadable.isEmpty else { return self }
        var merged = self
        (merged.checkpoint, merged.records) = (state.checkpoint(), [])
        return merged
    }

    /// The stored symbols; empty if they cannot be read.
    package var symbolNames: [Symbol] {
        var unreadable: [String] = []
        return state(&unreadable)?.symbols.map(\.symbol) ?? []
    }

    /// When the last response was received; nil if there was none, or it cannot be read.
    package var lastPoll: Instant? {
        var unreadable: [String] = []
        return state(&unreadable)?.header.lastPoll
    }
}

/// The stored form of one alert. The combination of rule, symbol and bound is unique.
package struct AlertSnapshot: Equatable, Sendable {
    package var rule: String
    package var symbol: Symbol
    package var bound: Bound
    /// `waiting`, `inactive`, `pending` or `firing`.
    package var state: String
    /// The start of the current state; nil while waiting.
    package var since: Instant?
    package var severity: Severity
    /// The limit. A limit that moves with the price has its value at the last usable price of the firing, and is nil
    /// while the alert does not fire.
    package var limit: LimitValue?
    /// The currency of the limit; nil if unknown.
    package var currency: Currency?
    /// The state in a form that only the engine reads.
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

/// The changes of a snapshot.
package enum EngineChanges: Equatable, Sendable {
    /// Everything: the snapshot replaces all stored state.
    case whole(EngineSnapshot)
    /// These alerts are new or changed, all others are unchanged; `state` is nil if the feed and the symbols are
    /// unchanged.
    case part(alerts: [AlertSnapshot], state: StateChange?)

    package var isEmpty: Bool { self == .part(alerts: [], state: nil) }

    package var isWhole: Bool {
        if case .whole = self { true } else { false }
    }
}

/// A change of the state of the feed and of the symbols.
package enum StateChange: Equatable, Sendable {
    /// The whole state, which replaces the previous checkpoint and all records.
    case checkpoint([[UInt8]])
    /// A record to store after all others since the checkpoint.
    case record(EngineRecord)
}

/// The changes of one or more polls.
package struct EngineRecord: Equatable, Sendable {
    /// The record in a form that only the engine reads.
    package var bytes: [UInt8]
    /// True if only the time of the last poll changed.
    package var isUnchanged: Bool

    package init(bytes: [UInt8], isUnchanged: Bool = false) {
        self.bytes = bytes
        self.isUnchanged = isUnchanged
    }
}

/// The result of restoring a snapshot.
package struct Restoration: Equatable, Sendable {
    /// The difference between the current rules and those of the snapshot.
    package var change: RuleSetChange
    /// The resulting events, in order.
    package var occurrences: [Occurrence]
    /// The unreadable parts, which start over: `alert 'btc band' on btcinr (max)`.
    package var unreadable: [String]
}
