package import Events
package import Market
package import Time

/// A selection of events; a nil property matches everything.
package struct EventQuery: Equatable, Sendable {
    /// The lower bound of the event number, exclusive.
    package var after: Int64?
    /// The upper bound of the event number, exclusive.
    package var before: Int64?
    /// The earliest time, inclusive.
    package var since: WallTime?
    /// The latest time, exclusive.
    package var until: WallTime?
    /// The exact name of the rule.
    package var rule: String?
    /// The source. Events without a source do not match.
    package var source: SourceName?
    /// A pattern for the symbol. Events without a symbol do not match.
    package var symbol: SymbolPattern?
    package var kind: EventKind?
    /// The exact severity.
    package var severity: Severity?
    /// True if the events are in descending order.
    package var newestFirst: Bool
    /// The maximum number of events per page.
    package var limit: Int

    /// Creates a query. Without arguments, it selects all events, oldest first, at most 500 per page.
    package init(
        after: Int64? = nil, before: Int64? = nil, since: WallTime? = nil, until: WallTime? = nil,
        rule: String? = nil, source: SourceName? = nil, symbol: SymbolPattern? = nil, kind: EventKind? = nil,
        severity: Severity? = nil,
        newestFirst: Bool = false, limit: Int = 500
    ) {
        self.after = after
        self.before = before
        self.since = since
        self.until = until
        self.rule = rule
        self.source = source
        self.symbol = symbol
        self.kind = kind
        self.severity = severity
        self.newestFirst = newestFirst
        self.limit = limit
    }
}

/// One page of the selected events.
package struct EventPage: Equatable, Sendable {
    /// The events in the order of the query. May be empty even if ``next`` is not nil.
    package var events: [Event]
    /// The query for the next page, or nil after the last page. A page covers at most ``EventPage/widest`` numbers,
    /// so that none takes long. An empty page may therefore have a next one.
    package var next: EventQuery?

    /// The range of numbers that one page covers. Reading 10,000 events of 400 bytes takes a few milliseconds.
    package static let widest: Int64 = 10_000
}

extension Store {
    /// Returns one page of events. Nothing stays open between pages.
    ///
    /// - Parameter query: The selection; ``EventPage/next`` for the pages after the first.
    /// - Returns: The page, with the query for the next one.
    /// - Throws: ``StorageError``.
    package func events(_ query: EventQuery) throws(StorageError) -> EventPage {
        try reading { database throws(StorageError) in try database.events.page(query) }
    }

    /// Returns the numbers of the oldest and the newest kept event, or nil if there are none.
    ///
    /// - Throws: ``StorageError``.
    package func keptNumbers() throws(StorageError) -> ClosedRange<Int64>? {
        try reading { database throws(StorageError) in try database.events.keptNumbers() }
    }
}
