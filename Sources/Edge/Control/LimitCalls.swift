/// What `SetLimit` is asked: another limit for a symbol, in place of that of the settings.
package struct SetLimitParameters: Codable, Equatable, Sendable {
    package var symbol: String
    /// Which rule; not needed where only one has such a limit for the symbol.
    package var rule: String?
    /// The new limits: a number (`7600000`), or what is to be added to the limit in force (`+2%`, `-5000`).
    package var min: String?
    package var max: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case symbol, rule, min, max
    }

    package init(symbol: String, rule: String? = nil, min: String? = nil, max: String? = nil) {
        self.symbol = symbol
        self.rule = rule
        self.min = min
        self.max = max
    }
}

/// What `SetLimit` answers.
package struct SetLimitReply: Codable, Equatable, Sendable {
    package var simulated: Bool
    package var changes: [LimitChangeStatus]
    /// Whether it would outlive a crash now; else it is saved as soon as that can be done.
    package var saved: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case simulated, changes, saved
    }

    package init(simulated: Bool, changes: [LimitChangeStatus], saved: Bool) {
        self.simulated = simulated
        self.changes = changes
        self.saved = saved
    }
}

/// A limit that was changed, and what it was before.
package struct LimitChangeStatus: Codable, Equatable, Sendable {
    package var override: OverrideState
    package var before: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case override, before
    }

    package init(override: OverrideState, before: String) {
        self.override = override
        self.before = before
    }
}

/// A limit that was changed at run time.
package struct OverrideState: Codable, Equatable, Sendable {
    package var rule: String
    package var symbol: String
    /// `min` or `max`.
    package var bound: String
    package var limit: String
    /// What the settings say; nil where they have no such limit any more.
    package var settingsLimit: String?
    /// Nil where it is not known yet.
    package var currency: String?
    /// The user's name, and the number of the user.
    package var by: String
    package var user: Int
    package var since: String
    /// `in_force`, or why it is not: `no_rule`, `other_symbols`, `no_limit`, `other_currency`, `faulty`.
    package var state: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case rule, symbol, bound, limit
        case settingsLimit = "settings_limit"
        case currency, by, user, since, state
    }

    package init(
        rule: String, symbol: String, bound: String, limit: String, settingsLimit: String? = nil,
        currency: String? = nil, by: String, user: Int, since: String, state: String
    ) {
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
        self.limit = limit
        self.settingsLimit = settingsLimit
        self.currency = currency
        self.by = by
        self.user = user
        self.since = since
        self.state = state
    }
}

/// What `ListOverrides` answers.
package struct ListOverridesReply: Codable, Equatable, Sendable {
    /// In the order in which they were set.
    package var overrides: [OverrideState]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case overrides
    }

    package init(overrides: [OverrideState]) {
        self.overrides = overrides
    }
}

/// What `ResetLimits` is asked: the overrides for which all that is said holds; none when nothing is said.
package struct ResetLimitsParameters: Codable, Equatable, Sendable {
    package var symbol: String?
    package var rule: String?
    /// Whether all go where nothing else is said.
    package var all: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case symbol, rule, all
    }

    package init(symbol: String? = nil, rule: String? = nil, all: Bool? = nil) {
        self.symbol = symbol
        self.rule = rule
        self.all = all
    }
}

/// What `ResetLimits` answers: the overrides that are no more.
package struct ResetLimitsReply: Codable, Equatable, Sendable {
    package var reset: [OverrideState]
    /// Whether it would outlive a crash now; else it is saved as soon as that can be done.
    package var saved: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case reset, saved
    }

    package init(reset: [OverrideState], saved: Bool) {
        self.reset = reset
        self.saved = saved
    }
}
