/// What `Status` answers.
package struct StatusReply: Codable, Equatable, Sendable {
    package var status: DaemonStatus

    enum CodingKeys: String, CodingKey, CaseIterable {
        case status
    }

    package init(status: DaemonStatus) {
        self.status = status
    }
}

/// What `ListTickers` is asked: every symbol when both are nil.
package struct ListTickersParameters: Codable, Equatable, Sendable {
    /// A pattern that knows `*` only: `*inr`.
    package var match: String?
    /// The quote asset, `inr`, in either case.
    package var quote: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case match, quote
    }

    package init(match: String? = nil, quote: String? = nil) {
        self.match = match
        self.quote = quote
    }
}

/// What `ListTickers` answers.
package struct ListTickersReply: Codable, Equatable, Sendable {
    package var simulated: Bool
    package var source: String
    /// When the last usable response was received; nil when there was none yet.
    package var received: String?
    /// In the order of the response.
    package var symbols: [SymbolStatus]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case simulated, source, received, symbols
    }

    package init(simulated: Bool, source: String, received: String? = nil, symbols: [SymbolStatus]) {
        self.simulated = simulated
        self.source = source
        self.received = received
        self.symbols = symbols
    }
}

/// What `GetSymbol` is asked.
package struct GetSymbolParameters: Codable, Equatable, Sendable {
    package var symbol: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case symbol
    }

    package init(symbol: String) {
        self.symbol = symbol
    }
}

/// What `GetSymbol` answers.
package struct GetSymbolReply: Codable, Equatable, Sendable {
    package var simulated: Bool
    package var symbol: SymbolStatus
    package var alerts: [AlertStatus]
    /// Over all that is kept; nil while nothing is.
    package var window: WindowSummary?
    /// Oldest first.
    package var prices: [PricePoint]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case simulated, symbol, alerts, window, prices
    }

    package init(
        simulated: Bool, symbol: SymbolStatus, alerts: [AlertStatus], window: WindowSummary? = nil, prices: [PricePoint]
    ) {
        self.simulated = simulated
        self.symbol = symbol
        self.alerts = alerts
        self.window = window
        self.prices = prices
    }
}

/// What `ListAlerts` is asked: every alert when both are nil.
package struct ListAlertsParameters: Codable, Equatable, Sendable {
    package var firingOnly: Bool?
    package var symbol: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case firingOnly = "firing_only"
        case symbol
    }

    package init(firingOnly: Bool? = nil, symbol: String? = nil) {
        self.firingOnly = firingOnly
        self.symbol = symbol
    }
}

/// What `ListAlerts` answers.
package struct ListAlertsReply: Codable, Equatable, Sendable {
    package var simulated: Bool
    package var alerts: [AlertStatus]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case simulated, alerts
    }

    package init(simulated: Bool, alerts: [AlertStatus]) {
        self.simulated = simulated
        self.alerts = alerts
    }
}

/// What `ListRules` answers.
package struct ListRulesReply: Codable, Equatable, Sendable {
    /// In the order of the files.
    package var rules: [RuleStatus]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case rules
    }

    package init(rules: [RuleStatus]) {
        self.rules = rules
    }
}

/// What `MonitorEvents` is asked.
package struct MonitorEventsParameters: Codable, Equatable, Sendable {
    /// Begin with the first event of a greater number, as far as the daemon still has it; with the next one when nil.
    package var after: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case after
    }

    package init(after: Int? = nil) {
        self.after = after
    }
}

/// One of the many answers of `MonitorEvents`.
package struct MonitorEventsReply: Codable, Equatable, Sendable {
    /// Nil in a reply that only tells of missed events.
    package var event: EventRecord?
    /// How many events were lost before this reply, because the reader was slow or they are not kept any more.
    package var missed: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case event, missed
    }

    package init(event: EventRecord? = nil, missed: Int? = nil) {
        self.event = event
        self.missed = missed
    }
}

/// What `Reload` answers.
package struct ReloadReply: Codable, Equatable, Sendable {
    package var result: ReloadResult

    enum CodingKeys: String, CodingKey, CaseIterable {
        case result
    }

    package init(result: ReloadResult) {
        self.result = result
    }
}

/// What `Poll` answers.
package struct PollReply: Codable, Equatable, Sendable {
    package var result: PollResult

    enum CodingKeys: String, CodingKey, CaseIterable {
        case result
    }

    package init(result: PollResult) {
        self.result = result
    }
}
