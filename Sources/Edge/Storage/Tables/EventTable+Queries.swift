internal import Control
internal import Events
internal import JSON
internal import Market
internal import Time

extension EventTable {
    /// Returns the numbers of the oldest and the newest kept event, or nil if there are none.
    func keptNumbers() throws(StorageError) -> ClosedRange<Int64>? {
        guard let first = try database.number("SELECT min(number) FROM event"),
            let last = try database.number("SELECT max(number) FROM event"), first <= last
        else { return nil }
        return first...last
    }

    /// Returns one page of the query; see ``Store/events(_:)``.
    func page(_ query: EventQuery) throws(StorageError) -> EventPage {
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

    /// Returns the events of the query in a range of numbers.
    ///
    /// The pattern is matched here and not by SQLite, whose matching time may grow with every `*`.
    func events(_ query: EventQuery, in numbers: ClosedRange<Int64>) throws(StorageError) -> [Event] {
        var events: [Event] = []
        try forEach(query, in: numbers) { event in
            events.append(event)
            return events.count < query.limit
        }
        return events
    }

    /// Calls `body` with each event until it returns false. Ignores the limit of the query.
    func forEach(
        _ query: EventQuery, in numbers: ClosedRange<Int64>, _ body: (Event) -> Bool
    ) throws(StorageError) {
        try database.read(
            query.newestFirst ? Self.newestFirst : Self.oldestFirst, .integer(numbers.lowerBound),
            .integer(numbers.upperBound), .optional(query.since?.milliseconds),
            .optional(query.until?.milliseconds), .optional(query.rule), .optional(query.kind?.rawValue),
            .optional(query.severity?.rawValue)
        ) { row throws(StorageError) in
            let symbol = try row.optionalValue(Symbol.init)
            if let pattern = query.symbol, !(symbol.map(pattern.matches) ?? false) { return true }
            guard let event = try Event(&row) else {
                database.leaveOut(row, of: "event")
                return true
            }
            guard query.source == nil || query.source == event.occurrence.source else { return true }
            return body(event)
        }
    }

    /// Returns the last events, oldest first.
    func last(_ count: Int) throws(StorageError) -> [Event] {
        guard count > 0 else { return [] }
        return try events(EventQuery(newestFirst: true, limit: count), in: .min ... .max).reversed()
    }

    /// Returns the event with this number, or nil if there is none.
    func event(_ number: Int64) throws(StorageError) -> Event? {
        try events(EventQuery(limit: 1), in: number...number).first
    }

    private static let oldestFirst: StaticString = """
        SELECT symbol, number, json FROM event
        WHERE number BETWEEN ?1 AND ?2 AND (?3 IS NULL OR time >= ?3) AND (?4 IS NULL OR time < ?4)
            AND (?5 IS NULL OR rule = ?5) AND (?6 IS NULL OR kind = ?6) AND (?7 IS NULL OR severity = ?7)
        ORDER BY number
        """

    private static let newestFirst: StaticString = """
        SELECT symbol, number, json FROM event
        WHERE number BETWEEN ?1 AND ?2 AND (?3 IS NULL OR time >= ?3) AND (?4 IS NULL OR time < ?4)
            AND (?5 IS NULL OR rule = ?5) AND (?6 IS NULL OR kind = ?6) AND (?7 IS NULL OR severity = ?7)
        ORDER BY number DESC
        """
}

extension Event {
    /// Reads `number` and `json`. Nil if this version cannot read the JSON.
    ///
    /// - Throws: ``StorageError`` if the row is damaged.
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let number = try row.integer()
        let text = try row.text()
        do {
            var record = try EventRecord(json: JSONDocument(Array(text.utf8), limit: Self.mostBytes).root)
            record.number = Int(number)
            try self.init(record)
        } catch {
            row.reject((error as? UnreadableValue)?.text ?? text)
            return nil
        }
    }

    /// The maximum size of an event in bytes. Events are a few hundred bytes long.
    private static let mostBytes = 1 << 20
}
