// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// A time in which matching events are recorded but suppressed. It matches everything that all given matchers match; at
/// least one of `source`, `symbol`, `rule` and `severity` is given.
package struct SilenceStatus: Equatable, Sendable {
    /// Identifies the silence; events that it suppressed refer to it.
    package var number: Int
    /// The name of a source.
    package var source: String?
    /// A name, or a pattern in which `*` stands for any characters.
    package var symbol: String?
    package var rule: String?
    package var severity: ControlInterface.Severity?
    package var state: ControlInterface.SilenceState
    package var created: String
    /// Who created it, from the credentials of the socket.
    package var createdBy: String
    package var createdByUID: Int
    /// Why it was created.
    package var comment: String?
    /// When it is or was due to end.
    package var ends: String
    /// Whether it was created with an end instead of a duration.
    package var until: Bool
    /// When it ended; nil while it is active.
    package var ended: String?
    package var endedBy: String?
    package var endedByUID: Int?
    /// The number of alerts that it matches now, and of those that are firing.
    package var alerts: Int
    package var firing: Int
    /// The hours of the day in which it silences, in the time zone that is named last, else in the daemon's local time:
    /// `22:00-07:00 mon-fri`, `22:00-07:00 Europe/Stockholm`; nil for at any time.
    package var daily: String?

    package init(
        number: Int, source: String? = nil, symbol: String? = nil, rule: String? = nil,
        severity: ControlInterface.Severity? = nil, state: ControlInterface.SilenceState, created: String,
        createdBy: String, createdByUID: Int, comment: String? = nil, ends: String, until: Bool, ended: String? = nil,
        endedBy: String? = nil, endedByUID: Int? = nil, alerts: Int, firing: Int, daily: String? = nil
    ) {
        self.number = number
        self.source = source
        self.symbol = symbol
        self.rule = rule
        self.severity = severity
        self.state = state
        self.created = created
        self.createdBy = createdBy
        self.createdByUID = createdByUID
        self.comment = comment
        self.ends = ends
        self.until = until
        self.ended = ended
        self.endedBy = endedBy
        self.endedByUID = endedByUID
        self.alerts = alerts
        self.firing = firing
        self.daily = daily
    }
}

extension SilenceStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        number = try object.read("number")
        source = try object.readIfPresent("source")
        symbol = try object.readIfPresent("symbol")
        rule = try object.readIfPresent("rule")
        severity = try object.readIfPresent("severity")
        state = try object.read("state")
        created = try object.read("created")
        createdBy = try object.read("created_by")
        createdByUID = try object.read("created_by_uid")
        comment = try object.readIfPresent("comment")
        ends = try object.read("ends")
        until = try object.read("until")
        ended = try object.readIfPresent("ended")
        endedBy = try object.readIfPresent("ended_by")
        endedByUID = try object.readIfPresent("ended_by_uid")
        alerts = try object.read("alerts")
        firing = try object.read("firing")
        daily = try object.readIfPresent("daily")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", number)
        writer.member("source", source)
        writer.member("symbol", symbol)
        writer.member("rule", rule)
        writer.member("severity", severity)
        writer.member("state", state)
        writer.member("created", created)
        writer.member("created_by", createdBy)
        writer.member("created_by_uid", createdByUID)
        writer.member("comment", comment)
        writer.member("ends", ends)
        writer.member("until", until)
        writer.member("ended", ended)
        writer.member("ended_by", endedBy)
        writer.member("ended_by_uid", endedByUID)
        writer.member("alerts", alerts)
        writer.member("firing", firing)
        writer.member("daily", daily)
        writer.endObject()
    }
}
