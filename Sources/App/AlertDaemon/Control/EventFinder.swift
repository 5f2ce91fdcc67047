internal import EventLoop
internal import Events
internal import Market
internal import Storage

extension PipelineQuery {
    /// Returns the events that match a query, in the order that it asks for: stored events, and events in memory that
    /// are not stored yet.
    ///
    /// While the store cannot be read, only events in memory are returned.
    ///
    /// - Parameters:
    ///   - query: the query; its own limit is ignored.
    ///   - limit: the maximum number of events to return.
    /// - Returns: the events, and whether there are more.
    func events(_ query: EventQuery, limit: Int) async -> (events: [Event], more: Bool) {
        var found = query.newestFirst ? unsaved(query, above: nil).reversed() : []
        var rest = query
        if query.newestFirst, let oldest = found.last?.number { rest.before = oldest }
        guard let stored = await stored(rest, limit: limit + 1 - found.count) else {
            let kept = events.kept.filter(query.accepts)
            return Self.cut(query.newestFirst ? kept.reversed() : kept, to: limit)
        }
        found += stored
        if !query.newestFirst { found += unsaved(query, above: stored.last?.number) }
        return Self.cut(found, to: limit)
    }

    private func unsaved(_ query: EventQuery, above number: Int64?) -> [Event] {
        stateStore.unsaved.filter { query.accepts($0) && $0.number > number ?? 0 }
    }

    /// Returns stored events; nil if the store cannot be read. They are read in pages, so that other tasks can run in
    /// between.
    private func stored(_ query: EventQuery, limit: Int) async -> [Event]? {
        var events: [Event] = []
        var next: EventQuery? = query
        while var page = next, events.count < limit {
            page.limit = limit - events.count
            guard let found = try? stateStore.store.events(page) else { return nil }
            events += found.events
            next = found.next
            await Task.yield()
        }
        return events
    }

    private static func cut(_ events: [Event], to limit: Int) -> (events: [Event], more: Bool) {
        (Array(events.prefix(limit)), events.count > limit)
    }
}

extension EventQuery {
    /// Returns true if the event matches the query.
    func accepts(_ event: Event) -> Bool {
        let what = event.occurrence
        guard after.map({ event.number > $0 }) ?? true, before.map({ event.number < $0 }) ?? true,
            since.map({ what.time >= $0 }) ?? true, until.map({ what.time < $0 }) ?? true
        else { return false }
        guard rule.map({ what.rule == $0 }) ?? true, kind.map({ what.kind == $0 }) ?? true,
            severity.map({ what.severity == $0 }) ?? true
        else { return false }
        guard source.map({ what.source == $0 }) ?? true else { return false }
        guard let symbol else { return true }
        return what.symbol.map(symbol.matches) ?? false
    }
}
