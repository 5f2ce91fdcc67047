// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The parameters of `Explain`.
package struct ExplainParameters: Equatable, Sendable {
    package var rule: String
    /// Only the alerts on this symbol.
    package var symbol: String?
    /// The `next` of the previous page; nil for the first one.
    package var next: Int?

    package init(rule: String, symbol: String? = nil, next: Int? = nil) {
        self.rule = rule
        self.symbol = symbol
        self.next = next
    }
}

extension ExplainParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        rule = try object.read("rule")
        symbol = try object.readIfPresent("symbol")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", rule)
        writer.member("symbol", symbol)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The reply of `Explain`.
package struct ExplainReply: Equatable, Sendable {
    package var simulated: Bool
    package var rule: RuleStatus
    /// Empty if the rule matches nothing.
    package var alerts: [AlertExplanation]
    /// The `next` to request the next page with; nil if this is the last one.
    package var next: Int?

    package init(simulated: Bool, rule: RuleStatus, alerts: [AlertExplanation], next: Int? = nil) {
        self.simulated = simulated
        self.rule = rule
        self.alerts = alerts
        self.next = next
    }
}

extension ExplainReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        rule = try object.read("rule")
        alerts = try object.read("alerts")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("rule", rule)
        writer.member("alerts", alerts)
        writer.member("next", next)
        writer.endObject()
    }
}
