package import Market
package import Time

/// Something that happened, with the evidence for the decision: an event without its number.
package struct Occurrence: Equatable, Sendable {
    /// When it happened, by the wall clock.
    package var time: WallTime
    package var kind: EventKind
    /// The source of its prices; nil for events about all sources or the daemon.
    package var source: SourceName?
    /// The name of the rule; nil for events about the feed, a market or the daemon.
    package var rule: String?
    /// Nil for events that are not about a market.
    package var symbol: Symbol?
    /// The bound of the alert; nil for events that are not about an alert.
    package var bound: Bound?
    package var severity: Severity
    /// The price that caused the event, in ``currency``.
    package var price: Price?
    /// The limit, not the clear level, in ``currency``; also for `resolved`.
    package var limit: LimitValue?
    /// The currency of price and limit; nil if unknown.
    package var currency: Currency?
    /// The previous usable price of the symbol.
    package var previous: PreviousPrice?
    /// The exchange's timestamp; nil if it is more than a day off.
    package var exchangeTime: WallTime?
    /// When the sample that caused the event was received.
    package var received: WallTime?
    /// ``received`` minus ``exchangeTime``; never negative.
    package var sampleAge: Milliseconds?
    /// The conversion of the price into the rule's currency; nil if that is the market's currency. For a divergence,
    /// the conversion of the other market's price into the currency of this one.
    package var conversion: ConversionEvidence?
    /// Further details; empty if none apply.
    package var details: DecisionDetails
    /// True if the event is notified; otherwise it is only recorded.
    package var notified: Bool
    /// Nil for an ordinary event of its kind.
    package var reason: Reason?
    /// Number of the silence that suppresses it.
    package var silence: Int64?
    /// The only sink that gets the event, in addition to the stream of all events; nil for all sinks.
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

/// A price, and when it was received.
package struct PreviousPrice: Equatable, Sendable {
    /// In the currency of the event.
    package var price: Price
    /// When it was received, by the wall clock.
    package var time: WallTime

    package init(price: Price, time: WallTime) {
        self.price = price
        self.time = time
    }
}

/// An occurrence with a number: 1, 2, 3 … without gaps.
package struct Event: Equatable, Sendable {
    /// Counts from 1.
    package let number: Int64
    package let occurrence: Occurrence

    /// Creates an event; the number must not be used for any other event, now or later.
    package init(number: Int64, occurrence: Occurrence) {
        self.number = number
        self.occurrence = occurrence
    }
}

/// The kind of an event. The raw values are those of JSON.
package enum EventKind: String, CaseIterable, Sendable {
    /// An alert started firing.
    case fired
    /// A firing alert cleared.
    case resolved
    /// An alert is still firing after the repeat interval.
    case repeated
    /// Candles show that the price reached a limit while no prices were available.
    case touched
    /// There was no usable response for three intervals after the last response, a start, a resume from suspend, or a
    /// reload that changed the interval.
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
    /// Events and alert states are saved again, including those from the time of the failure.
    case storeRecovered = "store_recovered"
    /// A receiver has failed for some time or rejects its credential; its queue is kept.
    case receiverFailed = "receiver_failed"
    /// A receiver that had failed accepts notifications again.
    case receiverRecovered = "receiver_recovered"
    /// The prices of the two markets of a check differ by more than allowed.
    case diverged
    /// The prices are close to each other again.
    case converged
    /// A drill: nothing happened.
    case test
}

/// The reason for an unusual event. The raw values are those of JSON.
package enum Reason: String, CaseIterable, Sendable {
    /// The first usable sample of the alert was already beyond the limit.
    case alreadyBreached = "already_breached"
    /// The previous sample is older than `max_gap`, so the time at which the limit was reached is unknown.
    case afterGap = "after_gap"
    /// Like ``afterGap``, with a gap caused by suspend.
    case afterSuspend = "after_suspend"
    /// The event is known only from candles that were fetched after a gap.
    case caughtUp = "caught_up"
    /// A reload changed the rule of a firing alert, or a user changed its limit.
    case ruleChanged = "rule_changed"
    /// A reload removed the rule of a firing alert.
    case ruleRemoved = "rule_removed"
    /// The rule of a firing alert expired.
    case ruleExpired = "rule_expired"
    /// The symbol of a firing alert had vanished, and its place was needed for other symbols.
    case symbolGone = "symbol_gone"
    /// Not notified because the alert's last notified firing was too recent; or notified late for this reason.
    case cooldown
    /// Not notified because of a silence; or notified late for this reason.
    case silenced
    /// Not notified because the rule that its rule names in `only_while` did not fire; or notified late, when it did.
    case onlyWhile = "only_while"
    /// Not notified because the firing that it ends was not notified.
    case firedSuppressed = "fired_suppressed"
    /// Not notified because a one-shot rule has already notified; or notified late, after it was re-armed.
    case disarmed
}
