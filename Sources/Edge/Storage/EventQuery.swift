package import Events
package import Market
package import Time

/// A selection of events; a nil property matches everything.
package struct EventQuery: Equatable, Sendable {
    /// Numbers greater than this one.
    package var after: Int64?
    /// Numbers less than this one.
    package var before: Int64?
    /// At this time or later.
    package var since: WallTime?
    /// Before this time.
    package var until: WallTime?
    /// The exact name of the rule.
    package var rule: String?
    /// The source; events without one do not match.
    package var source: SourceName?
    /// A pattern that the symbol has to match; events without a symbol do not match.
    package var symbol: SymbolPattern?
    /// The kind of event.
    package var kind: EventKind?
    /// Exactly this severity.
    package var severity: Severity?
    /// Whether the events are in descending order.
    package var newestFirst: Bool
    /// The maximum number of events per page.
    package var limit: Int

    /// Without arguments: all events, oldest first, at most 500 per page.
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
    /// In the order of the query; may be empty even if ``next`` is not nil.
    package var events: [Event]
    /// The query for the next page; nil after the last one. A page may be empty and still have a next one, because each
    /// covers at most ``EventPage/widest`` numbers, so that none takes long.
    package var next: EventQuery?

    /// The range of numbers that one page covers: reading 10,000 events of 400 bytes takes a few milliseconds.
    package static let widest: Int64 = 10_000
}

extension Store {
    /// One page of events. Nothing stays open between pages.
    ///
    /// - Parameter query: the selection; ``EventPage/next`` for the pages after the first.
    /// - Returns: the page, with the query for the next one.
    /// - Throws: ``StorageError``.
    package func events(_ query: EventQuery) throws(StorageError) -> EventPage {
        try reading { database throws(StorageError) in try database.events.page(query) }
    }

    /// The numbers of the oldest and the newest event that are kept; nil when there are none.
    ///
    /// - Throws: ``StorageError``.
    package func keptNumbers() throws(StorageError) -> ClosedRange<Int64>? {
        try reading { database throws(StorageError) in try database.events.keptNumbers() }
    }
}
