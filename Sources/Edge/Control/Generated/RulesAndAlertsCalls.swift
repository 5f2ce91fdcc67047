// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The parameters of `ListAlerts`.
package struct ListAlertsParameters: Equatable, Sendable {
    /// The name of a source; all if nil. A symbol may also have its source before it: `kraken:btcusd`.
    package var source: String?
    /// Whether to return only the alerts that are firing.
    package var firingOnly: Bool?
    package var symbol: String?
    /// The `next` of the previous page; nil for the first one.
    package var next: Int?

    package init(source: String? = nil, firingOnly: Bool? = nil, symbol: String? = nil, next: Int? = nil) {
        self.source = source
        self.firingOnly = firingOnly
        self.symbol = symbol
        self.next = next
    }
}

extension ListAlertsParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        source = try object.readIfPresent("source")
        firingOnly = try object.readIfPresent("firing_only")
        symbol = try object.readIfPresent("symbol")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", source)
        writer.member("firing_only", firingOnly)
        writer.member("symbol", symbol)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The reply of `ListAlerts`.
package struct ListAlertsReply: Equatable, Sendable {
    package var simulated: Bool
    package var alerts: [AlertStatus]
    /// The `next` to request the next page with; nil if this is the last one.
    package var next: Int?

    package init(simulated: Bool, alerts: [AlertStatus], next: Int? = nil) {
        self.simulated = simulated
        self.alerts = alerts
        self.next = next
    }
}

extension ListAlertsReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        alerts = try object.read("alerts")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("alerts", alerts)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The parameters of `ListRules`.
package struct ListRulesParameters: Equatable, Sendable {
    /// The `next` of the previous page; nil for the first one.
    package var next: Int?

    package init(next: Int? = nil) {
        self.next = next
    }
}

extension ListRulesParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("next", next)
        writer.endObject()
    }
}

/// The reply of `ListRules`.
package struct ListRulesReply: Equatable, Sendable {
    package var rules: [RuleStatus]
    /// The `next` to request the next page with; nil if this is the last one.
    package var next: Int?

    package init(rules: [RuleStatus], next: Int? = nil) {
        self.rules = rules
        self.next = next
    }
}

extension ListRulesReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        rules = try object.read("rules")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rules", rules)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The parameters of `Acknowledge`.
package struct AcknowledgeParameters: Equatable, Sendable {
    package var event: Int?
    package var rule: String?
    package var symbol: String?
    /// Whether to resume repeat notifications instead.
    package var undo: Bool?

    package init(event: Int? = nil, rule: String? = nil, symbol: String? = nil, undo: Bool? = nil) {
        self.event = event
        self.rule = rule
        self.symbol = symbol
        self.undo = undo
    }
}

extension AcknowledgeParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        event = try object.readIfPresent("event")
        rule = try object.readIfPresent("rule")
        symbol = try object.readIfPresent("symbol")
        undo = try object.readIfPresent("undo")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("event", event)
        writer.member("rule", rule)
        writer.member("symbol", symbol)
        writer.member("undo", undo)
        writer.endObject()
    }
}

/// The reply of `Acknowledge`.
package struct AcknowledgeReply: Equatable, Sendable {
    /// The alerts concerned, in their new state; at most 500.
    package var alerts: [AlertStatus]
    /// The number of alerts that were changed.
    package var changed: Int
    /// Whether the change would survive a crash now; if not, it is saved as soon as possible.
    package var saved: Bool

    package init(alerts: [AlertStatus], changed: Int, saved: Bool) {
        self.alerts = alerts
        self.changed = changed
        self.saved = saved
    }
}

extension AcknowledgeReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        alerts = try object.read("alerts")
        changed = try object.read("changed")
        saved = try object.read("saved")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("alerts", alerts)
        writer.member("changed", changed)
        writer.member("saved", saved)
        writer.endObject()
    }
}

/// The parameters of `Arm`.
package struct ArmParameters: Equatable, Sendable {
    package var rule: String
    package var symbol: String?

    package init(rule: String, symbol: String? = nil) {
        self.rule = rule
        self.symbol = symbol
    }
}

extension ArmParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        rule = try object.read("rule")
        symbol = try object.readIfPresent("symbol")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", rule)
        writer.member("symbol", symbol)
        writer.endObject()
    }
}

/// The reply of `Arm`.
package struct ArmReply: Equatable, Sendable {
    /// The alerts that were disarmed, in their new state; at most 500.
    package var alerts: [AlertStatus]
    package var saved: Bool

    package init(alerts: [AlertStatus], saved: Bool) {
        self.alerts = alerts
        self.saved = saved
    }
}

extension ArmReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        alerts = try object.read("alerts")
        saved = try object.read("saved")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("alerts", alerts)
        writer.member("saved", saved)
        writer.endObject()
    }
}

/// The parameters of the error `NoSuchRule`. There is no rule of that name.
package struct NoSuchRule: Equatable, Sendable {
    package var rule: String
    /// The rule that was probably meant.
    package var suggestion: String?

    package init(rule: String, suggestion: String? = nil) {
        self.rule = rule
        self.suggestion = suggestion
    }
}

extension NoSuchRule: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        rule = try object.read("rule")
        suggestion = try object.readIfPresent("suggestion")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", rule)
        writer.member("suggestion", suggestion)
        writer.endObject()
    }
}
