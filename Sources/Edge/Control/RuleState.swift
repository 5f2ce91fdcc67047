/// One rule on one symbol and bound.
package struct AlertStatus: Codable, Equatable, Sendable {
    package var rule: String
    package var symbol: String
    /// `min`, `max`, `within`, `rise`, `fall`, `cross_up` or `cross_down`.
    package var bound: String
    /// `inactive`, `pending`, `firing`, or why it cannot say: `waiting` (no baseline yet), `frozen`, `missing`,
    /// `unusable`, `unconvertible`, `stale_rate`, `expired`, `disarmed`.
    package var state: String
    /// Why, or how long: `2m10s of 5m`.
    package var note: String?
    /// `info`, `warning` or `critical`.
    package var severity: String
    /// A number, or `low..high`; nil while a limit that moves with the price is not known.
    package var limit: String?
    /// Where it clears, when that is not the limit itself.
    package var clear: String?
    /// What `limit`, `clear` and `price` are counted in.
    package var currency: String?
    package var price: String?
    /// How far the price is from the limit, in per cent of the price; positive while the limit is not reached.
    package var distancePercent: String?
    /// Since when it has been in its state.
    package var since: String?
    /// The number of the event that notified of it last.
    package var event: Int?
    /// The silence in force that matches and lasts longest, and when it ends.
    package var silence: Int?
    package var silenceEnds: String?
    /// Who stopped the repeats of its firing, and when.
    package var acknowledgedBy: String?
    package var acknowledged: String?
    /// Whether it has notified its once; it may fire all the same.
    package var disarmed: Bool
    /// Who changed the limit, where it is not that of the settings.
    package var override: OverrideState?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case rule, symbol, bound, state, note, severity, limit, clear, currency, price
        case distancePercent = "distance_percent"
        case since, event, silence
        case silenceEnds = "silence_ends"
        case acknowledgedBy = "acknowledged_by"
        case acknowledged, disarmed, override
    }

    package init(
        rule: String, symbol: String, bound: String, state: String, note: String? = nil, severity: String,
        limit: String? = nil, clear: String? = nil, currency: String? = nil, price: String? = nil,
        distancePercent: String? = nil, since: String? = nil, event: Int? = nil, silence: Int? = nil,
        silenceEnds: String? = nil, acknowledgedBy: String? = nil, acknowledged: String? = nil, disarmed: Bool = false,
        override: OverrideState? = nil
    ) {
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
        self.state = state
        self.note = note
        self.severity = severity
        self.limit = limit
        self.clear = clear
        self.currency = currency
        self.price = price
        self.distancePercent = distancePercent
        self.since = since
        self.event = event
        self.silence = silence
        self.silenceEnds = silenceEnds
        self.acknowledgedBy = acknowledgedBy
        self.acknowledged = acknowledged
        self.disarmed = disarmed
        self.override = override
    }
}

/// One rule of the settings files.
package struct RuleStatus: Codable, Equatable, Sendable {
    package var name: String
    /// The symbols and patterns as they were written.
    package var symbols: [String]
    /// The condition and its modifiers in words: `min 4800000 max 7500000 hysteresis 0.5% for 1m`.
    package var condition: String
    package var currency: String?
    package var severity: String
    /// How many symbols of the exchange it matches now.
    package var matches: Int
    package var firing: Int
    /// The limits that are the same on all its symbols, also in their currency.
    package var limits: [RuleLimit]
    /// `ok`, or what keeps it from its work: `matches nothing`, `2 frozen`, `1 missing`,
    /// `1 unconvertible`, `1 expired`.
    package var state: String
    /// Its limits that were changed at run time and are in force; nil from a daemon that knows of none.
    package var overrides: [OverrideState]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, symbols, condition, currency, severity, matches, firing, limits, state, overrides
    }

    package init(
        name: String, symbols: [String], condition: String, currency: String? = nil, severity: String, matches: Int,
        firing: Int, limits: [RuleLimit] = [], state: String, overrides: [OverrideState]? = nil
    ) {
        self.name = name
        self.symbols = symbols
        self.condition = condition
        self.currency = currency
        self.severity = severity
        self.matches = matches
        self.firing = firing
        self.limits = limits
        self.state = state
        self.overrides = overrides
    }
}

/// A limit of a rule that does not move.
package struct RuleLimit: Codable, Hashable, Sendable {
    package var bound: String
    /// A number, or `low..high`.
    package var limit: String
    package var currency: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case bound, limit, currency
    }

    package init(bound: String, limit: String, currency: String) {
        self.bound = bound
        self.limit = limit
        self.currency = currency
    }
}
