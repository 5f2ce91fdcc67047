// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// An event, as on the event socket.
package struct EventRecord: Equatable, Sendable {
    /// 1, 2, 3 … without gaps.
    package var number: Int
    /// When it was decided.
    package var time: String
    /// What happened.
    package var kind: ControlInterface.EventKind
    /// The source of prices that it is about; nil if it is about none or all of them.
    package var source: String?
    /// The name of the rule, for events of an alert.
    package var rule: String?
    /// The market: `btcinr`.
    package var symbol: String?
    /// The bound of the rule, for events of an alert.
    package var bound: ControlInterface.Bound?
    /// How important it is; for events of an alert, as its rule says.
    package var severity: ControlInterface.Severity
    /// The price that the event was decided on, in `currency`.
    package var price: String?
    /// The limit itself, in `currency`, also for `resolved`; `low..high` for the bound `within`.
    package var limit: String?
    /// The currency of `price` and `limit`.
    package var currency: String?
    /// The usable price of the symbol before this one.
    package var previous: PricePoint?
    /// The exchange's own time of the price; nil if it is off by more than a day.
    package var exchangeTime: String?
    /// When the price was received.
    package var received: String?
    /// The age of the price when it was received, by the exchange's time; never negative.
    package var sampleAgeMilliseconds: Int?
    /// Whether it was notified; if not, it was suppressed.
    package var notified: Bool
    /// Why it is not an ordinary event of its kind, or why it is suppressed or notified late; nil if there is nothing
    /// to add.
    package var reason: ControlInterface.Reason?
    /// How the price was converted to `currency`; nil if it is the market's own.
    package var conversion: ConversionRecord?
    /// One line for people.
    package var text: String
    /// The number of the silence that suppressed it.
    package var silence: Int?
    /// The only sink that a drill is for; it is in the stream of all events, too.
    package var sink: String?
    /// Further details of the decision.
    package var details: EventDetails?

    package init(
        number: Int, time: String, kind: ControlInterface.EventKind, source: String? = nil, rule: String? = nil,
        symbol: String? = nil, bound: ControlInterface.Bound? = nil, severity: ControlInterface.Severity,
        price: String? = nil, limit: String? = nil, currency: String? = nil, previous: PricePoint? = nil,
        exchangeTime: String? = nil, received: String? = nil, sampleAgeMilliseconds: Int? = nil, notified: Bool,
        reason: ControlInterface.Reason? = nil, conversion: ConversionRecord? = nil, text: String, silence: Int? = nil,
        sink: String? = nil, details: EventDetails? = nil
    ) {
        self.number = number
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

extension EventRecord: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        number = try object.read("number")
        time = try object.read("time")
        kind = try object.read("kind")
        source = try object.readIfPresent("source")
        rule = try object.readIfPresent("rule")
        symbol = try object.readIfPresent("symbol")
        bound = try object.readIfPresent("bound")
        severity = try object.read("severity")
        price = try object.readIfPresent("price")
        limit = try object.readIfPresent("limit")
        currency = try object.readIfPresent("currency")
        previous = try object.readIfPresent("previous")
        exchangeTime = try object.readIfPresent("exchange_time")
        received = try object.readIfPresent("received")
        sampleAgeMilliseconds = try object.readIfPresent("sample_age_ms")
        notified = try object.read("notified")
        reason = try object.readIfPresent("reason")
        conversion = try object.readIfPresent("conversion")
        text = try object.read("text")
        silence = try object.readIfPresent("silence")
        sink = try object.readIfPresent("sink")
        details = try object.readIfPresent("details")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", number)
        writer.member("time", time)
        writer.member("kind", kind)
        writer.member("source", source)
        writer.member("rule", rule)
        writer.member("symbol", symbol)
        writer.member("bound", bound)
        writer.member("severity", severity)
        writer.member("price", price)
        writer.member("limit", limit)
        writer.member("currency", currency)
        writer.member("previous", previous)
        writer.member("exchange_time", exchangeTime)
        writer.member("received", received)
        writer.member("sample_age_ms", sampleAgeMilliseconds)
        writer.member("notified", notified)
        writer.member("reason", reason)
        writer.member("conversion", conversion)
        writer.member("text", text)
        writer.member("silence", silence)
        writer.member("sink", sink)
        writer.member("details", details)
        writer.endObject()
    }
}

/// How a price was converted from the market's currency to the rule's.
package struct ConversionRecord: Equatable, Sendable {
    /// The value of one unit of the market's currency in the rule's.
    package var rate: String
    /// The date of the reference rates, if they were used.
    package var date: String?
    /// Where the rates come from.
    package var source: String
    /// The currencies on the path: `INR>EUR>SEK`.
    package var path: String

    package init(rate: String, date: String? = nil, source: String, path: String) {
        self.rate = rate
        self.date = date
        self.source = source
        self.path = path
    }
}

extension ConversionRecord: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        rate = try object.read("rate")
        date = try object.readIfPresent("date")
        source = try object.read("source")
        path = try object.read("path")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rate", rate)
        writer.member("date", date)
        writer.member("source", source)
        writer.member("path", path)
        writer.endObject()
    }
}

/// Further details of the decision behind an event; nil where they do not apply.
package struct EventDetails: Equatable, Sendable {
    /// The level at which the alert clears, if it is not the limit itself.
    package var clear: String?
    /// The price in the market's own currency, if it was converted.
    package var marketPrice: String?
    /// How long the limit was breached before the alert fired.
    package var pendingMilliseconds: Int?
    /// When the firing that the event is about began.
    package var firingSince: String?
    /// The window of a rise or fall.
    package var windowMilliseconds: Int?
    /// The price in the window that the rise or fall was measured from.
    package var extreme: String?
    /// The end of the cooldown that suppressed it.
    package var cooldownUntil: String?
    /// The configured limit, if another one was set at run time, who set it and when.
    package var settingsLimit: String?
    package var limitBy: String?
    package var limitSince: String?
    /// For `touched`: the start of the first minute and the end of the last minute in which the limit was reached.
    package var touchedFrom: String?
    package var touchedUntil: String?
    /// For `diverged` and `converged`: the name of the check.
    package var check: String?
    /// For `diverged` and `converged`: the market that the event's market was compared with, such as `kraken:btcusd`.
    package var other: String?
    /// The price of that market, in `currency`.
    package var otherPrice: String?
    /// The difference in percent of that price; negative if the event's market is cheaper.
    package var differencePercent: String?
    /// The largest difference that is not reported, in percent.
    package var withinPercent: String?
    /// For `receiver_failed` and `receiver_recovered`: the name of the receiver.
    package var receiver: String?

    package init(
        clear: String? = nil, marketPrice: String? = nil, pendingMilliseconds: Int? = nil, firingSince: String? = nil,
        windowMilliseconds: Int? = nil, extreme: String? = nil, cooldownUntil: String? = nil,
        settingsLimit: String? = nil, limitBy: String? = nil, limitSince: String? = nil, touchedFrom: String? = nil,
        touchedUntil: String? = nil, check: String? = nil, other: String? = nil, otherPrice: String? = nil,
        differencePercent: String? = nil, withinPercent: String? = nil, receiver: String? = nil
    ) {
        self.clear = clear
        self.marketPrice = marketPrice
        self.pendingMilliseconds = pendingMilliseconds
        self.firingSince = firingSince
        self.windowMilliseconds = windowMilliseconds
        self.extreme = extreme
        self.cooldownUntil = cooldownUntil
        self.settingsLimit = settingsLimit
        self.limitBy = limitBy
        self.limitSince = limitSince
        self.touchedFrom = touchedFrom
        self.touchedUntil = touchedUntil
        self.check = check
        self.other = other
        self.otherPrice = otherPrice
        self.differencePercent = differencePercent
        self.withinPercent = withinPercent
        self.receiver = receiver
    }
}

extension EventDetails: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        clear = try object.readIfPresent("clear")
        marketPrice = try object.readIfPresent("market_price")
        pendingMilliseconds = try object.readIfPresent("pending_ms")
        firingSince = try object.readIfPresent("firing_since")
        windowMilliseconds = try object.readIfPresent("window_ms")
        extreme = try object.readIfPresent("extreme")
        cooldownUntil = try object.readIfPresent("cooldown_until")
        settingsLimit = try object.readIfPresent("settings_limit")
        limitBy = try object.readIfPresent("limit_by")
        limitSince = try object.readIfPresent("limit_since")
        touchedFrom = try object.readIfPresent("touched_from")
        touchedUntil = try object.readIfPresent("touched_until")
        check = try object.readIfPresent("check")
        other = try object.readIfPresent("other")
        otherPrice = try object.readIfPresent("other_price")
        differencePercent = try object.readIfPresent("difference_percent")
        withinPercent = try object.readIfPresent("within_percent")
        receiver = try object.readIfPresent("receiver")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("clear", clear)
        writer.member("market_price", marketPrice)
        writer.member("pending_ms", pendingMilliseconds)
        writer.member("firing_since", firingSince)
        writer.member("window_ms", windowMilliseconds)
        writer.member("extreme", extreme)
        writer.member("cooldown_until", cooldownUntil)
        writer.member("settings_limit", settingsLimit)
        writer.member("limit_by", limitBy)
        writer.member("limit_since", limitSince)
        writer.member("touched_from", touchedFrom)
        writer.member("touched_until", touchedUntil)
        writer.member("check", check)
        writer.member("other", other)
        writer.member("other_price", otherPrice)
        writer.member("difference_percent", differencePercent)
        writer.member("within_percent", withinPercent)
        writer.member("receiver", receiver)
        writer.endObject()
    }
}

/// The result of a drill at one sink or receiver.
package struct DrillResult: Equatable, Sendable {
    package var sink: String
    package var result: ControlInterface.DeliveryResult
    /// Details as text: `2 readers`; nil if there are none.
    package var detail: String?

    package init(sink: String, result: ControlInterface.DeliveryResult, detail: String? = nil) {
        self.sink = sink
        self.result = result
        self.detail = detail
    }
}

extension DrillResult: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        sink = try object.read("sink")
        result = try object.read("result")
        detail = try object.readIfPresent("detail")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sink", sink)
        writer.member("result", result)
        writer.member("detail", detail)
        writer.endObject()
    }
}
