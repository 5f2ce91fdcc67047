package import Market
package import Time

/// Something that happened, with the evidence that it was decided on.
package struct Occurrence: Equatable, Sendable {
    /// When it happened, by the wall clock.
    package var time: WallTime
    package var kind: EventKind
    /// Where the prices come from that it is about; nil for events about all sources or the daemon.
    package var source: SourceName?
    /// The name of the rule; nil for events about the feed, a market or the daemon.
    package var rule: String?
    /// Nil for events that are not about a market.
    package var symbol: Symbol?
    /// Which alert of the rule; nil for events that are not about an alert.
    package var bound: Bound?
    package var severity: Severity
    /// The price that decided, in ``currency``.
    package var price: Price?
    /// The limit itself, in ``currency``; also in a `resolved`.
    package var limit: LimitValue?
    /// The currency of price and limit; nil when not known.
    package var currency: Currency?
    /// The usable price of the symbol before this one.
    package var previous: PreviousPrice?
    /// The exchange's own time; nil when it is more than a day off.
    package var exchangeTime: WallTime?
    /// When the sample that decided was received.
    package var received: WallTime?
    /// ``received`` less ``exchangeTime``; never negative.
    package var sampleAge: Milliseconds?
    /// How the price came into the rule's currency; nil when it is the market's own. For a divergence it is how the
    /// price of the other market came into the currency of this one.
    package var conversion: ConversionEvidence?
    /// What else it was decided on; empty for events without a rule.
    package var details: DecisionDetails
    /// Whether it is notified, or only recorded.
    package var notified: Bool
    /// Nil for an ordinary event of its kind.
    package var reason: Reason?
    /// The number of the silence that suppresses it.
    package var silence: Int64?
    /// The only sink that it is for, in addition to the stream of all events; nil for all sinks.
    package var sink: String?
    /// One line for people.
    package var text: String

    package init(
        time: WallTime, kind: EventKind, source: SourceName? = nil, rule: String? = nil, symbol: Symbol? = nil,
        bound: Bound? = nil, severity: Severity, price: Price? = nil, limit: LimitValue? = nil,
        currency: Currency? = nil,
        previous: PreviousPrice? = nil, exchangeTime: WallTime? = nil, received: WallTime? = nil,
        sampleAge: Milliseconds? = nil, conversion: ConversionEvidence? = nil, notified: Bool = true,
        reason: Reason? = nil,
        silence: Int64? = nil, sink: String? = nil, details: DecisionDetails = DecisionDetails(), text: String
    ) {
        self.time = time
        self.kind = kind
        self.source = source
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
        self.sampleAge = sampleAge
        self.conversion = conversion
        self.notified = notified
        self.reason = reason
        self.silence = silence
        self.sink = sink
        self.details = details
        self.text = text
    }
}

/// A price and when it was received.
package struct PreviousPrice: Equatable, Sendable {
    /// In the currency of the event.
    package var price: Price
    /// When it happened, by the wall clock.
    package var time: WallTime

    /// A price, and when it was received.
    package init(price: Price, time: WallTime) {
        self.price = price
        self.time = time
    }
}

/// An occurrence that has its number: 1, 2, 3 … without holes.
package struct Event: Equatable, Sendable {
    /// Counts from 1.
    package let number: Int64
    package let occurrence: Occurrence

    /// Gives an occurrence its number, which no other event has or will have.
    package init(number: Int64, occurrence: Occurrence) {
        self.number = number
        self.occurrence = occurrence
    }
}

/// What happened. The raw values are those of JSON.
package enum EventKind: String, CaseIterable, Sendable {
    /// An alert enters firing.
    case fired
    /// A firing alert clears.
    case resolved
    /// It still fires some time after the last notification.
    case repeated
    /// Candles show that the price reached a limit while no prices were available.
    case touched
    /// There was no usable response for three intervals since the last one, a start, a resume from suspend, or a reload
    /// that changed the interval.
    case feedStale = "feed_stale"
    /// The first usable response after `feedStale`.
    case feedRecovered = "feed_recovered"
    /// A market that a rule names is frozen.
    case symbolFrozen = "symbol_frozen"
    /// The exchange does not list a symbol that a rule names.
    case symbolMissing = "symbol_missing"
    /// A symbol that was frozen or missing is traded again.
    case symbolReturned = "symbol_returned"
    /// A reload changed the set of rules.
    case rulesChanged = "rules_changed"
    /// Events and alert states cannot be saved; polling and notifications continue.
    case storeFailed = "store_failed"
    /// They are saved again, including those of the meantime.
    case storeRecovered = "store_recovered"
    /// A receiver has failed for some time or refuses its credential; its queue is kept.
    case receiverFailed = "receiver_failed"
    /// A receiver that had failed accepts notifications again.
    case receiverRecovered = "receiver_recovered"
    /// The prices of the two markets of a check differ by more than allowed.
    case diverged
    /// They are close to each other again.
    case converged
    /// A drill: nothing happened.
    case test
}

/// Why an event is not the ordinary one of its kind. The raw values are those of JSON.
package enum Reason: String, CaseIterable, Sendable {
    /// The first usable sample that the alert saw was already beyond the limit.
    case alreadyBreached = "already_breached"
    /// The previous sample was longer ago than `max_gap`, so it is not known when the limit was reached.
    case afterGap = "after_gap"
    /// As ``afterGap``, and the gap is there because the machine was suspended.
    case afterSuspend = "after_suspend"
    /// Known only from candles that were fetched after a gap.
    case caughtUp = "caught_up"
    /// A reload changed the rule of a firing alert.
    case ruleChanged = "rule_changed"
    /// A reload removed the rule of a firing alert.
    case ruleRemoved = "rule_removed"
    /// The rule of a firing alert reached its end.
    case ruleExpired = "rule_expired"
    /// The symbol of a firing alert had vanished, and its slot was needed for other symbols.
    case symbolGone = "symbol_gone"
    /// Not notified because the alert had notified a firing shortly before; or notified late for that reason.
    case cooldown
    /// Not notified because of a silence; or notified late for that reason.
    case silenced
    /// Not notified because the firing that it ends was not notified.
    case firedSuppressed = "fired_suppressed"
    /// Not notified because a one-shot rule has already notified; or notified late, after it was re-armed.
    case disarmed
}
