/// A time in which matching events are recorded but not notified.
package struct SilenceStatus: Codable, Equatable, Sendable {
    package var number: Int
    /// A name, or a pattern that knows `*` only.
    package var symbol: String?
    package var rule: String?
    package var severity: String?
    /// `in_force`, `over` (its time was up) or `expired` (ended before its time).
    package var state: String
    package var created: String
    /// Who made it, from the credentials of the socket.
    package var createdBy: String
    package var createdByID: Int
    package var comment: String?
    /// When its time is or was up.
    package var ends: String
    /// Whether a time of day was asked for, and not a length of time.
    package var until: Bool
    /// Since when it is over; nil while it is in force.
    package var ended: String?
    package var endedBy: String?
    package var endedByID: Int?
    /// How many alerts it matches now.
    package var alerts: Int
    /// How many of these fire.
    package var firing: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case number, symbol, rule, severity, state, created
        case createdBy = "created_by"
        case createdByID = "created_by_uid"
        case comment, ends, until, ended
        case endedBy = "ended_by"
        case endedByID = "ended_by_uid"
        case alerts, firing
    }

    package init(
        number: Int, symbol: String? = nil, rule: String? = nil, severity: String? = nil, state: String,
        created: String, createdBy: String, createdByID: Int, comment: String? = nil, ends: String, until: Bool,
        ended: String? = nil, endedBy: String? = nil, endedByID: Int? = nil, alerts: Int, firing: Int
    ) {
        self.number = number
        self.symbol = symbol
        self.rule = rule
        self.severity = severity
        self.state = state
        self.created = created
        self.createdBy = createdBy
        self.createdByID = createdByID
        self.comment = comment
        self.ends = ends
        self.until = until
        self.ended = ended
        self.endedBy = endedBy
        self.endedByID = endedByID
        self.alerts = alerts
        self.firing = firing
    }
}

/// What `AddSilence` is asked: one of `symbol`, `rule` and `severity` at least, and either a length or an end.
package struct AddSilenceParameters: Codable, Equatable, Sendable {
    package var symbol: String?
    package var rule: String?
    package var severity: String?
    package var durationMilliseconds: Int?
    /// RFC 3339.
    package var until: String?
    package var comment: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case symbol, rule, severity
        case durationMilliseconds = "duration_ms"
        case until, comment
    }

    package init(
        symbol: String? = nil, rule: String? = nil, severity: String? = nil, durationMilliseconds: Int? = nil,
        until: String? = nil, comment: String? = nil
    ) {
        self.symbol = symbol
        self.rule = rule
        self.severity = severity
        self.durationMilliseconds = durationMilliseconds
        self.until = until
        self.comment = comment
    }
}

/// What `AddSilence` answers.
package struct AddSilenceReply: Codable, Equatable, Sendable {
    package var silence: SilenceStatus
    /// Says that it matches nothing now.
    package var note: String?
    /// Whether it is in the state file.
    package var saved: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case silence, note, saved
    }

    package init(silence: SilenceStatus, note: String? = nil, saved: Bool) {
        self.silence = silence
        self.note = note
        self.saved = saved
    }
}

/// What `ListSilences` is asked.
package struct ListSilencesParameters: Codable, Equatable, Sendable {
    /// Whether those that are over are wanted as well.
    package var all: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case all
    }

    package init(all: Bool? = nil) {
        self.all = all
    }
}

/// What `ListSilences` answers.
package struct ListSilencesReply: Codable, Equatable, Sendable {
    package var silences: [SilenceStatus]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case silences
    }

    package init(silences: [SilenceStatus]) {
        self.silences = silences
    }
}

/// What `ExpireSilences` is asked: all that are in force when there are no numbers.
package struct ExpireSilencesParameters: Codable, Equatable, Sendable {
    package var numbers: [Int]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case numbers
    }

    package init(numbers: [Int]? = nil) {
        self.numbers = numbers
    }
}

/// What `ExpireSilences` answers.
package struct ExpireSilencesReply: Codable, Equatable, Sendable {
    package var silences: [SilenceStatus]
    package var saved: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case silences, saved
    }

    package init(silences: [SilenceStatus], saved: Bool) {
        self.silences = silences
        self.saved = saved
    }
}
