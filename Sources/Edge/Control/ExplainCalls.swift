internal import Engine

/// What `Explain` is asked.
package struct ExplainParameters: Codable, Equatable, Sendable {
    /// The name of the rule.
    package var rule: String
    /// Only the alerts of this symbol.
    package var symbol: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case rule, symbol
    }

    package init(rule: String, symbol: String? = nil) {
        self.rule = rule
        self.symbol = symbol
    }
}

/// What `Explain` answers.
package struct ExplainReply: Codable, Equatable, Sendable {
    package var simulated: Bool
    package var rule: RuleStatus
    /// In the order in which symbols were first seen; empty when the rule matches nothing.
    package var alerts: [AlertExplanation]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case simulated, rule, alerts
    }

    package init(simulated: Bool, rule: RuleStatus, alerts: [AlertExplanation]) {
        self.simulated = simulated
        self.rule = rule
        self.alerts = alerts
    }
}

/// Why an alert fires, does not fire, or was not notified.
package struct AlertExplanation: Codable, Equatable, Sendable {
    package var alert: AlertStatus
    /// When the price of ``alert`` was received.
    package var priceTime: String?
    /// What keeps it from evaluating, then its state, then what concerns the notifying.
    package var facts: [AlertFact]
    package var levels: [AlertLevel]
    /// What a rise or fall is measured from.
    package var windowMilliseconds: Int?
    package var lowest: String?
    package var highest: String?
    package var conversion: ConversionRecord?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case alert
        case priceTime = "price_time"
        case facts, levels
        case windowMilliseconds = "window_ms"
        case lowest, highest, conversion
    }

    package init(
        alert: AlertStatus, priceTime: String? = nil, facts: [AlertFact], levels: [AlertLevel],
        windowMilliseconds: Int? = nil, lowest: String? = nil, highest: String? = nil,
        conversion: ConversionRecord? = nil
    ) {
        self.alert = alert
        self.priceTime = priceTime
        self.facts = facts
        self.levels = levels
        self.windowMilliseconds = windowMilliseconds
        self.lowest = lowest
        self.highest = highest
        self.conversion = conversion
    }
}

/// Something that holds of an alert now.
package struct AlertFact: Codable, Equatable, Sendable {
    /// What may hold; the raw values are what is written in JSON.
    package enum Kind: String, CaseIterable, Sendable {
        // What keeps it from evaluating.
        case feedStale = "feed_stale"
        case frozen, missing, unusable, unconvertible
        case staleRate = "stale_rate"
        case expired
        // Its state.
        case noBaseline = "no_baseline"
        case windowTooShort = "window_too_short"
        case inactive, pending, firing, below, at, above
        // What concerns the notifying.
        case notified, acknowledged, suppressed, repeats
        case resolvePending = "owes_end"
        case silenced, cooldown, disarmed, expires
    }

    /// A ``Kind``; a later version may know more.
    package var kind: String
    /// Since when it holds, or when it was.
    package var since: String?
    /// Until when it holds, or when it will be.
    package var until: String?
    /// How long a breach has held, and how long it must.
    package var heldMilliseconds: Int?
    package var holdMilliseconds: Int?
    /// More in a word: the reason of `suppressed`, the price that is missing, the currencies that have no way.
    package var detail: String?
    /// The number of the silence.
    package var number: Int?
    /// Who did it.
    package var by: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case kind, since, until
        case heldMilliseconds = "held_ms"
        case holdMilliseconds = "hold_ms"
        case detail, number, by
    }

    package init(
        _ kind: Kind, since: String? = nil, until: String? = nil, heldMilliseconds: Int? = nil,
        holdMilliseconds: Int? = nil, detail: String? = nil, number: Int? = nil, by: String? = nil
    ) {
        self.kind = kind.rawValue
        self.since = since
        self.until = until
        self.heldMilliseconds = heldMilliseconds
        self.holdMilliseconds = holdMilliseconds
        self.detail = detail
        self.number = number
        self.by = by
    }
}

/// A price that decides about an alert.
package struct AlertLevel: Codable, Equatable, Sendable {
    /// `limit`: there it is breached. `clear`: there a firing is over.
    package var role: String
    /// `at_least`, `at_most`, `above` or `below`: where the price must be.
    package var comparison: String
    package var price: String
    /// Whether the price is there.
    package var reached: Bool?
    /// The level less the price, in the rule's currency and in per cent of the price.
    package var away: String?
    package var awayPercent: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case role, comparison, price, reached, away
        case awayPercent = "away_percent"
    }

    package init(
        role: String, comparison: String, price: String, reached: Bool? = nil, away: String? = nil,
        awayPercent: String? = nil
    ) {
        self.role = role
        self.comparison = comparison
        self.price = price
        self.reached = reached
        self.away = away
        self.awayPercent = awayPercent
    }
}

/// What the error `NoSuchRule` carries: no rule in force has that name.
package struct NoSuchRule: Codable, Equatable, Sendable {
    package var rule: String
    /// The rule that was probably meant.
    package var suggestion: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case rule, suggestion
    }

    package init(rule: String, suggestion: String? = nil) {
        self.rule = rule
        self.suggestion = suggestion
    }
}
