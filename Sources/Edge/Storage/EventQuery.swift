package import Events
package import Market
package import Time

/// Which events are asked for. What is nil does not matter.
package struct EventQuery: Equatable, Sendable {
    /// Numbers greater than this one.
    package var after: Int64?
    /// Numbers less than this one.
    package var before: Int64?
    /// At this time or later.
    package var since: WallTime?
    /// Before this time.
    package var until: WallTime?
    package var rule: String?
    package var symbol: SymbolPattern?
    package var kind: EventKind?
    package var severity: Severity?
    /// From the greatest number down.
    package var newestFirst: Bool
    /// How many events a page has at most.
    package var limit: Int

    package init(
        after: Int64? = nil, before: Int64? = nil, since: WallTime? = nil, until: WallTime? = nil,
        rule: String? = nil, symbol: SymbolPattern? = nil, kind: EventKind? = nil, severity: Severity? = nil,
        newestFirst: Bool = false, limit: Int = 500
    ) {
        self.after = after
        self.before = before
        self.since = since
        self.until = until
        self.rule = rule
        self.symbol = symbol
        self.kind = kind
        self.severity = severity
        self.newestFirst = newestFirst
        self.limit = limit
    }
}

/// Some of the events that were asked for.
package struct EventPage: Equatable, Sendable {
    package var events: [Event]
    /// The query for what follows; nil when there is nothing more. A page may be empty and still have a next one: each
    /// looks at ``EventPage/widest`` numbers at most, so that none takes long.
    package var next: EventQuery?

    /// Reading 10,000 events of 400 bytes takes some milliseconds.
    package static let widest: Int64 = 10_000
}

extension Store {
    /// One page of events. Nothing stays open between pages.
    ///
    /// - Parameter query: which events; ``EventPage/next`` for the pages after the first.
    /// - Returns: the page, and what to ask for the next one.
    /// - Throws: ``StorageError``.
    package func events(_ query: EventQuery) throws(StorageError) -> EventPage {
        try reading { database throws(StorageError) in try database.events(query) }
    }

    /// The numbers of the oldest and the newest event that are kept; nil when there are none.
    ///
    /// - Throws: ``StorageError``.
    package func keptNumbers() throws(StorageError) -> ClosedRange<Int64>? {
        try reading { database throws(StorageError) in try database.keptNumbers() }
    }
}

extension Database {
    func keptNumbers() throws(StorageError) -> ClosedRange<Int64>? {
        guard let first = try number("SELECT min(number) FROM event"),
            let last = try number("SELECT max(number) FROM event"), first <= last
        else { return nil }
        return first...last
    }

    func events(_ query: EventQuery) throws(StorageError) -> EventPage {
        guard let kept = try keptNumbers() else { return EventPage(events: [], next: nil) }
        let low = max(kept.lowerBound, query.after.map { $0 == .max ? $0 : $0 + 1 } ?? .min)
        let high = min(kept.upperBound, query.before.map { $0 == .min ? $0 : $0 - 1 } ?? .max)
        guard low <= high, query.limit > 0 else { return EventPage(events: [], next: nil) }
        let wide = high.subtractingReportingOverflow(low).partialValue >= EventPage.widest
        var window = low...high
        if wide {
            window = query.newestFirst ? high - EventPage.widest + 1...high : low...low + EventPage.widest - 1
        }
        let events = try events(query, in: window)
        var next = query
        if events.count == query.limit, let last = events.last?.number {
            if query.newestFirst { next.before = last } else { next.after = last }
        } else {
            guard wide else { return EventPage(events: events, next: nil) }
            if query.newestFirst { next.before = window.lowerBound } else { next.after = window.upperBound }
        }
        return EventPage(events: events, next: next)
    }

    /// The events of the query among these numbers.
    ///
    /// A pattern is compared here and not by SQLite, whose time for one may grow with every `*`.
    func events(_ query: EventQuery, in numbers: ClosedRange<Int64>) throws(StorageError) -> [Event] {
        var events: [Event] = []
        try forEachEvent(query, in: numbers) { event in
            events.append(event)
            return events.count < query.limit
        }
        return events
    }

    /// Hands each event to `body`, which says whether it wants another one; the limit of the query does not matter.
    func forEachEvent(
        _ query: EventQuery, in numbers: ClosedRange<Int64>, _ body: (Event) -> Bool
    ) throws(StorageError) {
        try read(
            query.newestFirst ? Self.newestFirst : Self.oldestFirst, .integer(numbers.lowerBound),
            .integer(numbers.upperBound), .optional(query.since?.milliseconds),
            .optional(query.until?.milliseconds), .optional(query.rule), .optional(query.kind?.rawValue),
            .optional(query.severity?.rawValue)
        ) { row throws(StorageError) in
            let symbol = try row.optionalValue(Symbol.init)
            if let pattern = query.symbol, !(symbol.map(pattern.matches) ?? false) { return true }
            return try Event(&row).map(body) ?? true
        }
    }

    /// The last events, oldest first.
    func lastEvents(_ count: Int) throws(StorageError) -> [Event] {
        guard count > 0 else { return [] }
        return try events(EventQuery(newestFirst: true, limit: count), in: .min ... .max).reversed()
    }

    /// The event of that number; nil when there is none.
    func event(_ number: Int64) throws(StorageError) -> Event? {
        try events(EventQuery(limit: 1), in: number...number).first
    }

    private static let oldestFirst: StaticString = """
        SELECT symbol, number, time, kind, rule, symbol, bound, severity, price, limit_price, currency, previous_price,
            previous_time, exchange_time, received, sample_age, notified, reason, conversion_rate, conversion_date,
            conversion_source, conversion_path, text, silence, sink, clear_price, market_price, pending, firing_since,
            window, extreme, cooldown_until, settings_limit, limit_user, limit_user_name, limit_since
        FROM event
        WHERE number BETWEEN ?1 AND ?2 AND (?3 IS NULL OR time >= ?3) AND (?4 IS NULL OR time < ?4)
            AND (?5 IS NULL OR rule = ?5) AND (?6 IS NULL OR kind = ?6) AND (?7 IS NULL OR severity = ?7)
        ORDER BY number
        """

    private static let newestFirst: StaticString = """
        SELECT symbol, number, time, kind, rule, symbol, bound, severity, price, limit_price, currency, previous_price,
            previous_time, exchange_time, received, sample_age, notified, reason, conversion_rate, conversion_date,
            conversion_source, conversion_path, text, silence, sink, clear_price, market_price, pending, firing_since,
            window, extreme, cooldown_until, settings_limit, limit_user, limit_user_name, limit_since
        FROM event
        WHERE number BETWEEN ?1 AND ?2 AND (?3 IS NULL OR time >= ?3) AND (?4 IS NULL OR time < ?4)
            AND (?5 IS NULL OR rule = ?5) AND (?6 IS NULL OR kind = ?6) AND (?7 IS NULL OR severity = ?7)
        ORDER BY number DESC
        """
}
