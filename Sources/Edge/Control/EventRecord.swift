/// What happened; the keys are those of the event stream.
package struct EventRecord: Codable, Equatable, Sendable {
    /// 1, 2, 3 … without holes.
    package var number: Int
    package var time: String
    /// The kind: `fired`, `resolved`, `repeated`, `feed_stale`, `feed_recovered`, `symbol_frozen`,
    /// `symbol_missing`, `symbol_returned`, `rules_changed`, `store_failed`, `store_recovered` or `test`.
    package var kind: String
    package var rule: String?
    package var symbol: String?
    package var bound: String?
    package var severity: String
    /// The price that decided and the limit that it met, both in `currency`.
    package var price: String?
    package var limit: String?
    package var currency: String?
    /// The usable price of the symbol before this one.
    package var previous: PricePoint?
    package var exchangeTime: String?
    package var received: String?
    package var sampleAgeMilliseconds: Int?
    /// Whether the sinks that get notified events only were given it.
    package var notified: Bool
    /// `already_breached`, `after_gap`, `after_suspend`, `rule_changed`, `rule_removed`, `rule_expired`, or why it was
    /// not notified or is notified late: `cooldown`, `silence`, `fired_suppressed`, `disarmed`; nil when there is
    /// nothing to add.
    package var reason: String?
    /// How the price came into `currency`; nil when it is the market's own.
    package var conversion: ConversionRecord?
    /// One line for people.
    package var text: String
    /// The number of the silence that holds it back.
    package var silence: Int?
    /// Of a drill that one sink is for: its name. The stream of all events has it too.
    package var sink: String?
    /// What else an event of an alert was decided on.
    package var details: EventDetails?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case number, time, kind, rule, symbol, bound, severity, price, limit, currency, previous
        case exchangeTime = "exchange_time"
        case received
        case sampleAgeMilliseconds = "sample_age_ms"
        case notified, reason, conversion, text, silence, sink, details
    }

    package init(
        number: Int, time: String, kind: String, rule: String? = nil, symbol: String? = nil, bound: String? = nil,
        severity: String, price: String? = nil, limit: String? = nil, currency: String? = nil,
        previous: PricePoint? = nil, exchangeTime: String? = nil, received: String? = nil,
        sampleAgeMilliseconds: Int? = nil, notified: Bool, reason: String? = nil,
        conversion: ConversionRecord? = nil, text: String, silence: Int? = nil, sink: String? = nil,
        details: EventDetails? = nil
    ) {
        self.number = number
        self.time = time
        self.kind = kind
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
        self.severity = severity
        self.price = price
        self.limit = limit
        self.currency = currency
        self.previous = previous
        self.exchangeTime = exchangeTime
        self.received = received
        self.sampleAgeMilliseconds = sampleAgeMilliseconds
        self.notified = notified
        self.reason = reason
        self.conversion = conversion
        self.text = text
        self.silence = silence
        self.sink = sink
        self.details = details
    }
}

/// How a price came from the market's currency into the rule's.
package struct ConversionRecord: Codable, Equatable, Sendable {
    /// How much of the rule's currency one unit of the market's is.
    package var rate: String
    /// The day of the reference rates, when they took part.
    package var date: String?
    package var source: String
    /// The currencies on the way: `INR>EUR>SEK`.
    package var path: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case rate, date, source, path
    }

    package init(rate: String, date: String? = nil, source: String, path: String) {
        self.rate = rate
        self.date = date
        self.source = source
        self.path = path
    }
}
