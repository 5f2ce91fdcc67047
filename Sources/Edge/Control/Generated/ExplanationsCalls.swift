// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The parameters of `Explain`.
package struct ExplainParameters: Equatable, Sendable {
    package var rule: String
    /// Only the alerts on this symbol.
    package var symbol: String?

    package init(rule: String, symbol: String? = nil) {
        self.rule = rule
        self.symbol = symbol
    }
}

extension ExplainParameters: JSONReadable, JSONWritable {
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

/// The reply of `Explain`.
package struct ExplainReply: Equatable, Sendable {
    package var simulated: Bool
    package var rule: RuleStatus
    /// Empty if the rule matches nothing.
    package var alerts: [AlertExplanation]

    package init(simulated: Bool, rule: RuleStatus, alerts: [AlertExplanation]) {
        self.simulated = simulated
        self.rule = rule
        self.alerts = alerts
    }
}

extension ExplainReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        rule = try object.read("rule")
        alerts = try object.read("alerts")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("rule", rule)
        writer.member("alerts", alerts)
        writer.endObject()
    }
}
