// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The parameters of `ListEvents`.
package struct ListEventsParameters: Equatable, Sendable {
    /// The name of a source; all if nil. A symbol may also have its source before it: `kraken:btcusd`.
    package var source: String?
    /// Only events with a greater number.
    package var after: Int?
    /// Only events with a smaller number.
    package var before: Int?
    /// The first instant that is included.
    package var since: String?
    /// The first instant that is not included.
    package var until: String?
    package var rule: String?
    /// A symbol, or a pattern in which `*` stands for any characters.
    package var symbol: String?
    package var kind: ControlInterface.EventKind?
    package var severity: ControlInterface.Severity?
    /// The largest number of events to return.
    package var limit: Int?
    /// Whether to begin with the newest event instead of the oldest.
    package var newestFirst: Bool?

    package init(
        source: String? = nil, after: Int? = nil, before: Int? = nil, since: String? = nil, until: String? = nil,
        rule: String? = nil, symbol: String? = nil, kind: ControlInterface.EventKind? = nil,
        severity: ControlInterface.Severity? = nil, limit: Int? = nil, newestFirst: Bool? = nil
    ) {
        self.source = source
        self.after = after
        self.before = before
        self.since = since
        self.until = until
        self.rule = rule
        self.symbol = symbol
        self.kind = kind
        self.severity = severity
        self.limit = limit
        self.newestFirst = newestFirst
    }
}

extension ListEventsParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        source = try object.readIfPresent("source")
        after = try object.readIfPresent("after")
        before = try object.readIfPresent("before")
        since = try object.readIfPresent("since")
        until = try object.readIfPresent("until")
        rule = try object.readIfPresent("rule")
        symbol = try object.readIfPresent("symbol")
        kind = try object.readIfPresent("kind")
        severity = try object.readIfPresent("severity")
        limit = try object.readIfPresent("limit")
        newestFirst = try object.readIfPresent("newest_first")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", source)
        writer.member("after", after)
        writer.member("before", before)
        writer.member("since", since)
        writer.member("until", until)
        writer.member("rule", rule)
        writer.member("symbol", symbol)
        writer.member("kind", kind)
        writer.member("severity", severity)
        writer.member("limit", limit)
        writer.member("newest_first", newestFirst)
        writer.endObject()
    }
}

/// The reply of `ListEvents`.
package struct ListEventsReply: Equatable, Sendable {
    package var simulated: Bool
    /// The name of the source.
    package var source: String
    package var events: [EventRecord]
    /// Whether more events match than are returned.
    package var more: Bool

    package init(simulated: Bool, source: String, events: [EventRecord], more: Bool) {
        self.simulated = simulated
        self.source = source
        self.events = events
        self.more = more
    }
}

extension ListEventsReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        source = try object.read("source")
        events = try object.read("events")
        more = try object.read("more")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("source", source)
        writer.member("events", events)
        writer.member("more", more)
        writer.endObject()
    }
}

/// The parameters of `MonitorEvents`.
package struct MonitorEventsParameters: Equatable, Sendable {
    /// Begin with the first kept event whose number is greater than this; with the next new event if nil.
    package var after: Int?

    package init(after: Int? = nil) {
        self.after = after
    }
}

extension MonitorEventsParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        after = try object.readIfPresent("after")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("after", after)
        writer.endObject()
    }
}

/// The reply of `MonitorEvents`.
package struct MonitorEventsReply: Equatable, Sendable {
    /// Nil in a reply that only reports missed events.
    package var event: EventRecord?
    /// The number of events lost before this reply, because the client was too slow or they are no longer kept.
    package var missed: Int?

    package init(event: EventRecord? = nil, missed: Int? = nil) {
        self.event = event
        self.missed = missed
    }
}

extension MonitorEventsReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        event = try object.readIfPresent("event")
        missed = try object.readIfPresent("missed")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("event", event)
        writer.member("missed", missed)
        writer.endObject()
    }
}

/// The parameters of `Drill`.
package struct DrillParameters: Equatable, Sendable {
    /// The only sink or receiver to send it to; all if nil.
    package var sink: String?

    package init(sink: String? = nil) {
        self.sink = sink
    }
}

extension DrillParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        sink = try object.readIfPresent("sink")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sink", sink)
        writer.endObject()
    }
}

/// The reply of `Drill`.
package struct DrillReply: Equatable, Sendable {
    package var event: EventRecord
    package var results: [DrillResult]
    package var saved: Bool

    package init(event: EventRecord, results: [DrillResult], saved: Bool) {
        self.event = event
        self.results = results
        self.saved = saved
    }
}

extension DrillReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        event = try object.read("event")
        results = try object.read("results")
        saved = try object.read("saved")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("event", event)
        writer.member("results", results)
        writer.member("saved", saved)
        writer.endObject()
    }
}
