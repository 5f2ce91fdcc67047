// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The state of an alert: one rule on one symbol and bound.
package struct AlertStatus: Equatable, Sendable {
    package var rule: String
    /// The name of the source of the symbol.
    package var source: String
    package var symbol: String
    package var bound: ControlInterface.Bound
    package var state: ControlInterface.AlertState
    /// Details of the state as text: `2m10s of 5m`.
    package var note: String?
    package var severity: ControlInterface.Severity
    /// A number, or `low..high`; nil while a limit that moves with the price is not known.
    package var limit: String?
    /// The level at which the alert clears, if it is not the limit itself.
    package var clear: String?
    /// The currency of `limit`, `clear` and `price`.
    package var currency: String?
    package var price: String?
    /// The distance from the price to the limit in percent of the price; positive while the limit is not reached.
    package var distancePercent: String?
    /// Since when the alert has been in its state.
    package var since: String?
    /// The number of its last event.
    package var event: Int?
    /// The matching silence that lasts longest, and when it ends.
    package var silence: Int?
    package var silenceEnds: String?
    /// Who acknowledged the firing, and when.
    package var acknowledgedBy: String?
    package var acknowledged: String?
    /// Whether the one-shot rule has already notified for this alert; it may still be firing.
    package var disarmed: Bool
    /// The limit set at run time, if it is not the configured one.
    package var override: OverrideStatus?

    package init(
        rule: String, source: String, symbol: String, bound: ControlInterface.Bound, state: ControlInterface.AlertState,
        note: String? = nil, severity: ControlInterface.Severity, limit: String? = nil, clear: String? = nil,
        currency: String? = nil, price: String? = nil, distancePercent: String? = nil, since: String? = nil,
        event: Int? = nil, silence: Int? = nil, silenceEnds: String? = nil, acknowledgedBy: String? = nil,
        acknowledged: String? = nil, disarmed: Bool, override: OverrideStatus? = nil
    ) {
        self.rule = rule
        self.source = source
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

extension AlertStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        rule = try object.read("rule")
        source = try object.read("source")
        symbol = try object.read("symbol")
        bound = try object.read("bound")
        state = try object.read("state")
        note = try object.readIfPresent("note")
        severity = try object.read("severity")
        limit = try object.readIfPresent("limit")
        clear = try object.readIfPresent("clear")
        currency = try object.readIfPresent("currency")
        price = try object.readIfPresent("price")
        distancePercent = try object.readIfPresent("distance_percent")
        since = try object.readIfPresent("since")
        event = try object.readIfPresent("event")
        silence = try object.readIfPresent("silence")
        silenceEnds = try object.readIfPresent("silence_ends")
        acknowledgedBy = try object.readIfPresent("acknowledged_by")
        acknowledged = try object.readIfPresent("acknowledged")
        disarmed = try object.read("disarmed")
        override = try object.readIfPresent("override")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", rule)
        writer.member("source", source)
        writer.member("symbol", symbol)
        writer.member("bound", bound)
        writer.member("state", state)
        writer.member("note", note)
        writer.member("severity", severity)
        writer.member("limit", limit)
        writer.member("clear", clear)
        writer.member("currency", currency)
        writer.member("price", price)
        writer.member("distance_percent", distancePercent)
        writer.member("since", since)
        writer.member("event", event)
        writer.member("silence", silence)
        writer.member("silence_ends", silenceEnds)
        writer.member("acknowledged_by", acknowledgedBy)
        writer.member("acknowledged", acknowledged)
        writer.member("disarmed", disarmed)
        writer.member("override", override)
        writer.endObject()
    }
}

/// How many symbols of a rule are in a state that keeps it from working.
package struct SymbolProblem: Equatable, Sendable {
    package var state: ControlInterface.AlertState
    package var symbols: Int

    package init(state: ControlInterface.AlertState, symbols: Int) {
        self.state = state
        self.symbols = symbols
    }
}

extension SymbolProblem: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        state = try object.read("state")
        symbols = try object.read("symbols")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("state", state)
        writer.member("symbols", symbols)
        writer.endObject()
    }
}

/// A rule that is not fully working.
package struct RuleProblem: Equatable, Sendable {
    package var rule: String
    package var state: ControlInterface.RuleState
    /// What is wrong, if the rule is `impaired`.
    package var problems: [SymbolProblem]

    package init(rule: String, state: ControlInterface.RuleState, problems: [SymbolProblem]) {
        self.rule = rule
        self.state = state
        self.problems = problems
    }
}

extension RuleProblem: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        rule = try object.read("rule")
        state = try object.read("state")
        problems = try object.read("problems")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", rule)
        writer.member("state", state)
        writer.member("problems", problems)
        writer.endObject()
    }
}

/// How far something is from a price.
package struct RuleDistance: Equatable, Sendable {
    package var value: String
    package var unit: ControlInterface.DistanceUnit

    package init(value: String, unit: ControlInterface.DistanceUnit) {
        self.value = value
        self.unit = unit
    }
}

extension RuleDistance: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        value = try object.read("value")
        unit = try object.read("unit")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("value", value)
        writer.member("unit", unit)
        writer.endObject()
    }
}

/// The condition of a rule and its modifiers, as values for programs.
package struct RuleTerms: Equatable, Sendable {
    package var kind: ControlInterface.ConditionKind
    /// The bounds of its alerts.
    package var bounds: [ControlInterface.Bound]
    /// The lower limit, or the lower end of a zone.
    package var min: String?
    /// The upper limit, or the upper end of a zone.
    package var max: String?
    /// How its limits are declared, if they are relative; `min` and `max` are then the computed limits, if these are
    /// the same for every market.
    package var relative: RelativeLimits?
    /// The limit that is crossed.
    package var cross: String?
    /// How far the price has to move.
    package var distance: RuleDistance?
    /// The time in which it has to move that far.
    package var windowMilliseconds: Int?
    package var hysteresis: RuleDistance?
    /// The currency of all amounts; nil for the quote currency of each market.
    package var currency: String?
    package var price: ControlInterface.PriceKind
    /// How long the condition must hold before the alert fires.
    package var forMilliseconds: Int
    /// The interval of repeat notifications; nil for none.
    package var repeatMilliseconds: Int?
    package var cooldownMilliseconds: Int
    package var once: Bool
    /// When the rule expires; nil for never.
    package var expires: String?
    /// The names of the receivers; nil for those whose filters match.
    package var notify: [String]?
    /// The text of its events; nil if it is made from the evidence.
    package var message: String?

    package init(
        kind: ControlInterface.ConditionKind, bounds: [ControlInterface.Bound], min: String? = nil, max: String? = nil,
        relative: RelativeLimits? = nil, cross: String? = nil, distance: RuleDistance? = nil,
        windowMilliseconds: Int? = nil, hysteresis: RuleDistance? = nil, currency: String? = nil,
        price: ControlInterface.PriceKind, forMilliseconds: Int, repeatMilliseconds: Int? = nil,
        cooldownMilliseconds: Int, once: Bool, expires: String? = nil, notify: [String]? = nil, message: String? = nil
    ) {
        self.kind = kind
        self.bounds = bounds
        self.min = min
        self.max = max
        self.relative = relative
        self.cross = cross
        self.distance = distance
        self.windowMilliseconds = windowMilliseconds
        self.hysteresis = hysteresis
        self.currency = currency
        self.price = price
        self.forMilliseconds = forMilliseconds
        self.repeatMilliseconds = repeatMilliseconds
        self.cooldownMilliseconds = cooldownMilliseconds
        self.once = once
        self.expires = expires
        self.notify = notify
        self.message = message
    }
}

extension RuleTerms: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        kind = try object.read("kind")
        bounds = try object.read("bounds")
        min = try object.readIfPresent("min")
        max = try object.readIfPresent("max")
        relative = try object.readIfPresent("relative")
        cross = try object.readIfPresent("cross")
        distance = try object.readIfPresent("distance")
        windowMilliseconds = try object.readIfPresent("window_ms")
        hysteresis = try object.readIfPresent("hysteresis")
        currency = try object.readIfPresent("currency")
        price = try object.read("price")
        forMilliseconds = try object.read("for_ms")
        repeatMilliseconds = try object.readIfPresent("repeat_ms")
        cooldownMilliseconds = try object.read("cooldown_ms")
        once = try object.read("once")
        expires = try object.readIfPresent("expires")
        notify = try object.readIfPresent("notify")
        message = try object.readIfPresent("message")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", kind)
        writer.member("bounds", bounds)
        writer.member("min", min)
        writer.member("max", max)
        writer.member("relative", relative)
        writer.member("cross", cross)
        writer.member("distance", distance)
        writer.member("window_ms", windowMilliseconds)
        writer.member("hysteresis", hysteresis)
        writer.member("currency", currency)
        writer.member("price", price)
        writer.member("for_ms", forMilliseconds)
        writer.member("repeat_ms", repeatMilliseconds)
        writer.member("cooldown_ms", cooldownMilliseconds)
        writer.member("once", once)
        writer.member("expires", expires)
        writer.member("notify", notify)
        writer.member("message", message)
        writer.endObject()
    }
}

/// Limits as changes of a price.
package struct RelativeLimits: Equatable, Sendable {
    /// The lower limit, as a change in percent: `-5`; nil if it is an amount, or absent.
    package var min: String?
    /// The upper limit, as a change in percent: `10`.
    package var max: String?
    /// What they are relative to: `price` for the first usable price, a day such as `2026-11-01` for the last price
    /// before it began in UTC, or an amount in the currency of the rule.
    package var from: String

    package init(min: String? = nil, max: String? = nil, from: String) {
        self.min = min
        self.max = max
        self.from = from
    }
}

extension RelativeLimits: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        min = try object.readIfPresent("min")
        max = try object.readIfPresent("max")
        from = try object.read("from")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("min", min)
        writer.member("max", max)
        writer.member("from", from)
        writer.endObject()
    }
}

/// One rule of the settings.
package struct RuleStatus: Equatable, Sendable {
    package var name: String
    /// The name of the source of its symbols.
    package var source: String
    /// The symbols and patterns as they are written in the settings.
    package var symbols: [String]
    /// The condition and its modifiers as text: `min 4800000 max 7500000 hysteresis 0.5% for 1m`.
    package var condition: String
    /// The same for people: amounts as their currency is written.
    package var conditionText: String
    package var currency: String?
    package var severity: ControlInterface.Severity
    /// The number of listed symbols that the rule matches.
    package var matches: Int
    /// The number of its firing alerts.
    package var firing: Int
    /// The limits that are the same for all its symbols.
    package var limits: [RuleLimit]
    package var state: ControlInterface.RuleState
    /// What is wrong, if the rule is `impaired`.
    package var problems: [SymbolProblem]
    /// Its limits that were set at run time and are in effect.
    package var overrides: [OverrideStatus]?
    /// The condition and its modifiers as values; nil from a daemon of an earlier version.
    package var terms: RuleTerms?

    package init(
        name: String, source: String, symbols: [String], condition: String, conditionText: String,
        currency: String? = nil, severity: ControlInterface.Severity, matches: Int, firing: Int, limits: [RuleLimit],
        state: ControlInterface.RuleState, problems: [SymbolProblem], overrides: [OverrideStatus]? = nil,
        terms: RuleTerms? = nil
    ) {
        self.name = name
        self.source = source
        self.symbols = symbols
        self.condition = condition
        self.conditionText = conditionText
        self.currency = currency
        self.severity = severity
        self.matches = matches
        self.firing = firing
        self.limits = limits
        self.state = state
        self.problems = problems
        self.overrides = overrides
        self.terms = terms
    }
}

extension RuleStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        name = try object.read("name")
        source = try object.read("source")
        symbols = try object.read("symbols")
        condition = try object.read("condition")
        conditionText = try object.read("condition_text")
        currency = try object.readIfPresent("currency")
        severity = try object.read("severity")
        matches = try object.read("matches")
        firing = try object.read("firing")
        limits = try object.read("limits")
        state = try object.read("state")
        problems = try object.read("problems")
        overrides = try object.readIfPresent("overrides")
        terms = try object.readIfPresent("terms")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("source", source)
        writer.member("symbols", symbols)
        writer.member("condition", condition)
        writer.member("condition_text", conditionText)
        writer.member("currency", currency)
        writer.member("severity", severity)
        writer.member("matches", matches)
        writer.member("firing", firing)
        writer.member("limits", limits)
        writer.member("state", state)
        writer.member("problems", problems)
        writer.member("overrides", overrides)
        writer.member("terms", terms)
        writer.endObject()
    }
}

/// A fixed limit of a rule.
package struct RuleLimit: Equatable, Sendable {
    package var bound: ControlInterface.Bound
    /// A number, or `low..high`.
    package var limit: String
    package var currency: String

    package init(bound: ControlInterface.Bound, limit: String, currency: String) {
        self.bound = bound
        self.limit = limit
        self.currency = currency
    }
}

extension RuleLimit: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        bound = try object.read("bound")
        limit = try object.read("limit")
        currency = try object.read("currency")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("bound", bound)
        writer.member("limit", limit)
        writer.member("currency", currency)
        writer.endObject()
    }
}
