// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The parameters of `AddSilence`.
package struct AddSilenceParameters: Equatable, Sendable {
    /// The name of a source; all if nil. A symbol may also have its source before it: `kraken:btcusd`.
    package var source: String?
    package var symbol: String?
    package var rule: String?
    package var severity: ControlInterface.Severity?
    package var durationMilliseconds: Int?
    package var until: String?
    package var comment: String?
    /// The hours of the day in which it silences, the days on which they begin, and the time zone; without one, they
    /// are in the daemon's local time: `22:00-07:00`, `22:00-07:00 mon-fri`, `00:00-24:00 sat Asia/Tokyo`.
    package var daily: String?

    package init(
        source: String? = nil, symbol: String? = nil, rule: String? = nil, severity: ControlInterface.Severity? = nil,
        durationMilliseconds: Int? = nil, until: String? = nil, comment: String? = nil, daily: String? = nil
    ) {
        self.source = source
        self.symbol = symbol
        self.rule = rule
        self.severity = severity
        self.durationMilliseconds = durationMilliseconds
        self.until = until
        self.comment = comment
        self.daily = daily
    }
}

extension AddSilenceParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        source = try object.readIfPresent("source")
        symbol = try object.readIfPresent("symbol")
        rule = try object.readIfPresent("rule")
        severity = try object.readIfPresent("severity")
        durationMilliseconds = try object.readIfPresent("duration_ms")
        until = try object.readIfPresent("until")
        comment = try object.readIfPresent("comment")
        daily = try object.readIfPresent("daily")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", source)
        writer.member("symbol", symbol)
        writer.member("rule", rule)
        writer.member("severity", severity)
        writer.member("duration_ms", durationMilliseconds)
        writer.member("until", until)
        writer.member("comment", comment)
        writer.member("daily", daily)
        writer.endObject()
    }
}

/// The reply of `AddSilence`.
package struct AddSilenceReply: Equatable, Sendable {
    package var silence: SilenceStatus
    /// A warning if it matches nothing now.
    package var note: String?
    /// Whether it would survive a crash now; if not, it is saved as soon as possible.
    package var saved: Bool

    package init(silence: SilenceStatus, note: String? = nil, saved: Bool) {
        self.silence = silence
        self.note = note
        self.saved = saved
    }
}

extension AddSilenceReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        silence = try object.read("silence")
        note = try object.readIfPresent("note")
        saved = try object.read("saved")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("silence", silence)
        writer.member("note", note)
        writer.member("saved", saved)
        writer.endObject()
    }
}

/// The parameters of `ListSilences`.
package struct ListSilencesParameters: Equatable, Sendable {
    /// Whether to include those that ended within the last 30 days.
    package var all: Bool?
    /// The `next` of the previous page; nil for the first one.
    package var next: Int?

    package init(all: Bool? = nil, next: Int? = nil) {
        self.all = all
        self.next = next
    }
}

extension ListSilencesParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        all = try object.readIfPresent("all")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("all", all)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The reply of `ListSilences`.
package struct ListSilencesReply: Equatable, Sendable {
    package var silences: [SilenceStatus]
    /// The `next` to request the next page with; nil if this is the last one.
    package var next: Int?

    package init(silences: [SilenceStatus], next: Int? = nil) {
        self.silences = silences
        self.next = next
    }
}

extension ListSilencesReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        silences = try object.read("silences")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("silences", silences)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The parameters of `ExpireSilences`.
package struct ExpireSilencesParameters: Equatable, Sendable {
    /// All active silences if nil.
    package var numbers: [Int]?

    package init(numbers: [Int]? = nil) {
        self.numbers = numbers
    }
}

extension ExpireSilencesParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        numbers = try object.readIfPresent("numbers")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("numbers", numbers)
        writer.endObject()
    }
}

/// The reply of `ExpireSilences`.
package struct ExpireSilencesReply: Equatable, Sendable {
    /// By number; at most 200 of them.
    package var silences: [SilenceStatus]
    /// How many have ended.
    package var count: Int
    /// Whether it would survive a crash now; if not, it is saved as soon as possible.
    package var saved: Bool

    package init(silences: [SilenceStatus], count: Int, saved: Bool) {
        self.silences = silences
        self.count = count
        self.saved = saved
    }
}

extension ExpireSilencesReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        silences = try object.read("silences")
        count = try object.read("count")
        saved = try object.read("saved")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("silences", silences)
        writer.member("count", count)
        writer.member("saved", saved)
        writer.endObject()
    }
}
