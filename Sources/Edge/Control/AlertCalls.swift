/// What `Acknowledge` is asked: the firing that an event tells of, or those of a rule.
package struct AcknowledgeParameters: Codable, Equatable, Sendable {
    package var event: Int?
    package var rule: String?
    package var symbol: String?
    /// Whether repeats are to go on.
    package var undo: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case event, rule, symbol, undo
    }

    package init(event: Int? = nil, rule: String? = nil, symbol: String? = nil, undo: Bool? = nil) {
        self.event = event
        self.rule = rule
        self.symbol = symbol
        self.undo = undo
    }
}

/// What `Acknowledge` answers.
package struct AcknowledgeReply: Codable, Equatable, Sendable {
    /// Those that it is about, as they are now.
    package var alerts: [AlertStatus]
    /// How many of them are not as they were.
    package var changed: Int
    package var saved: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case alerts, changed, saved
    }

    package init(alerts: [AlertStatus], changed: Int, saved: Bool) {
        self.alerts = alerts
        self.changed = changed
        self.saved = saved
    }
}

/// What `Arm` is asked.
package struct ArmParameters: Codable, Equatable, Sendable {
    package var rule: String
    package var symbol: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case rule, symbol
    }

    package init(rule: String, symbol: String? = nil) {
        self.rule = rule
        self.symbol = symbol
    }
}

/// What `Arm` answers.
package struct ArmReply: Codable, Equatable, Sendable {
    /// Those that were disarmed, as they are now.
    package var alerts: [AlertStatus]
    package var saved: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case alerts, saved
    }

    package init(alerts: [AlertStatus], saved: Bool) {
        self.alerts = alerts
        self.saved = saved
    }
}

/// What `Drill` is asked.
package struct DrillParameters: Codable, Equatable, Sendable {
    /// The only sink that it is for; all of them when nil.
    package var sink: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case sink
    }

    package init(sink: String? = nil) {
        self.sink = sink
    }
}

/// What became of a drill at one sink.
package struct DrillResult: Codable, Equatable, Sendable {
    package var sink: String
    /// `delivered`, `waiting` (kept until there is room) or `failed`.
    package var result: String
    package var detail: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case sink, result, detail
    }

    package init(sink: String, result: String, detail: String? = nil) {
        self.sink = sink
        self.result = result
        self.detail = detail
    }
}

/// What `Drill` answers.
package struct DrillReply: Codable, Equatable, Sendable {
    package var event: EventRecord
    package var results: [DrillResult]
    package var saved: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case event, results, saved
    }

    package init(event: EventRecord, results: [DrillResult], saved: Bool) {
        self.event = event
        self.results = results
        self.saved = saved
    }
}

/// What the error `NoSuchThing` carries.
package struct NoSuchThing: Codable, Equatable, Sendable {
    /// `event`, `silence` or `sink`.
    package var kind: String
    package var name: String
    /// What was probably meant.
    package var suggestion: String?
    /// The names that there are, when they are few.
    package var known: [String]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case kind, name, suggestion, known
    }

    package init(kind: String, name: String, suggestion: String? = nil, known: [String]? = nil) {
        self.kind = kind
        self.name = name
        self.suggestion = suggestion
        self.known = known
    }
}

/// What the error `Refused` carries: it cannot be done as things are.
package struct Refused: Codable, Equatable, Sendable {
    /// Why, and what to do.
    package var message: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case message
    }

    package init(message: String) {
        self.message = message
    }
}
