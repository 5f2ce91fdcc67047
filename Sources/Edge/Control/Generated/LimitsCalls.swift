// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The parameters of `SetLimit`.
package struct SetLimitParameters: Equatable, Sendable {
    package var symbol: String
    /// Required if several rules have such a limit for the symbol.
    package var rule: String?
    /// A number, or a change of the current limit: `+2%`, `-5000`. With a percentage, more than 12 significant digits
    /// are rounded half to even.
    package var min: String?
    package var max: String?
    /// The currency of amounts in `min` and `max`; that of the rule if absent. Amounts in another currency are
    /// converted once, at the current exchange rates, and rounded half to even to 12 significant digits.
    package var currency: String?

    package init(symbol: String, rule: String? = nil, min: String? = nil, max: String? = nil, currency: String? = nil) {
        self.symbol = symbol
        self.rule = rule
        self.min = min
        self.max = max
        self.currency = currency
    }
}

extension SetLimitParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        symbol = try object.read("symbol")
        rule = try object.readIfPresent("rule")
        min = try object.readIfPresent("min")
        max = try object.readIfPresent("max")
        currency = try object.readIfPresent("currency")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("symbol", symbol)
        writer.member("rule", rule)
        writer.member("min", min)
        writer.member("max", max)
        writer.member("currency", currency)
        writer.endObject()
    }
}

/// The reply of `SetLimit`.
package struct SetLimitReply: Equatable, Sendable {
    package var simulated: Bool
    package var changes: [LimitChangeStatus]
    /// Whether it would survive a crash now; if not, it is saved as soon as possible.
    package var saved: Bool

    package init(simulated: Bool, changes: [LimitChangeStatus], saved: Bool) {
        self.simulated = simulated
        self.changes = changes
        self.saved = saved
    }
}

extension SetLimitReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        changes = try object.read("changes")
        saved = try object.read("saved")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("changes", changes)
        writer.member("saved", saved)
        writer.endObject()
    }
}

/// The reply of `ListOverrides`.
package struct ListOverridesReply: Equatable, Sendable {
    package var overrides: [OverrideStatus]

    package init(overrides: [OverrideStatus]) {
        self.overrides = overrides
    }
}

extension ListOverridesReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        overrides = try object.read("overrides")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("overrides", overrides)
        writer.endObject()
    }
}

/// The parameters of `ResetLimits`.
package struct ResetLimitsParameters: Equatable, Sendable {
    package var symbol: String?
    package var rule: String?
    /// Whether to reset all limits if neither symbol nor rule is given.
    package var all: Bool?

    package init(symbol: String? = nil, rule: String? = nil, all: Bool? = nil) {
        self.symbol = symbol
        self.rule = rule
        self.all = all
    }
}

extension ResetLimitsParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        symbol = try object.readIfPresent("symbol")
        rule = try object.readIfPresent("rule")
        all = try object.readIfPresent("all")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("symbol", symbol)
        writer.member("rule", rule)
        writer.member("all", all)
        writer.endObject()
    }
}

/// The reply of `ResetLimits`.
package struct ResetLimitsReply: Equatable, Sendable {
    /// The limits that were removed.
    package var reset: [OverrideStatus]
    package var saved: Bool

    package init(reset: [OverrideStatus], saved: Bool) {
        self.reset = reset
        self.saved = saved
    }
}

extension ResetLimitsReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        reset = try object.read("reset")
        saved = try object.read("saved")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("reset", reset)
        writer.member("saved", saved)
        writer.endObject()
    }
}
