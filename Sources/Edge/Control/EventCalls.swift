/// What `ListEvents` is asked: the events for which all that is said holds.
package struct ListEventsParameters: Codable, Equatable, Sendable {
    /// Only events of a greater number.
    package var after: Int?
    /// Only events of a smaller number.
    package var before: Int?
    /// RFC 3339; the first moment that belongs to it.
    package var since: String?
    /// RFC 3339; the first moment that no longer belongs to it.
    package var until: String?
    package var rule: String?
    /// A pattern that knows `*` only.
    package var symbol: String?
    package var kind: String?
    package var severity: String?
    /// At most so many; ``ListEventsReply/limit`` when nil or more.
    package var limit: Int?
    /// Whether the newest come first; the oldest when nil.
    package var newestFirst: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case after, before, since, until, rule, symbol, kind, severity, limit
        case newestFirst = "newest_first"
    }

    package init(
        after: Int? = nil, before: Int? = nil, since: String? = nil, until: String? = nil, rule: String? = nil,
        symbol: String? = nil, kind: String? = nil, severity: String? = nil, limit: Int? = nil,
        newestFirst: Bool? = nil
    ) {
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

/// What `ListEvents` answers: one page.
package struct ListEventsReply: Codable, Equatable, Sendable {
    /// The most events of one reply; some 600 bytes each, 300 kB.
    package static let limit = 500

    package var simulated: Bool
    package var source: String
    package var events: [EventRecord]
    /// Whether there are more, behind the last one in the order that was asked for.
    package var more: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case simulated, source, events, more
    }

    package init(simulated: Bool, source: String, events: [EventRecord], more: Bool) {
        self.simulated = simulated
        self.source = source
        self.events = events
        self.more = more
    }
}
