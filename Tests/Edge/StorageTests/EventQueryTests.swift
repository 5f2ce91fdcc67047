import Events
import Market
import TestSupport
import Testing

@testable import Storage

/// Queries of events, each compared with a simple filter over all of them.
struct EventQueryTests {
    private let folder: TestFolder
    private let store: Store

    init() throws {
        folder = try TestFolder()
        store = Store(folder: folder.path)
        _ = try store.open(at: noon)
    }

    private func all(_ query: EventQuery) throws -> [Event] {
        var events: [Event] = []
        var next: EventQuery? = query
        while let query = next {
            let page = try store.events(query)
            #expect(page.events.count <= query.limit)
            events += page.events
            next = page.next
        }
        return events
    }

    private func made(_ count: Int64) throws -> [Event] {
        let rules = ["a", "b", nil]
        let symbols = try ["btcinr", "ethinr", "btcusdt", "1inchinr"].map { try Sample.symbol($0) } + [nil]
        return (1...count).map { number in
            var event = Sample.bare(number, at: noon.plus(seconds: number)).occurrence
            event.rule = rules[Int(number) % rules.count]
            event.symbol = symbols[Int(number) % symbols.count]
            event.kind = EventKind.allCases[Int(number) % EventKind.allCases.count]
            event.severity = Severity.allCases[Int(number / 2) % Severity.allCases.count]
            return Event(number: number, occurrence: event)
        }
    }

    @Test func filtersGiveWhatAPlainFilterGives() throws {
        let events = try made(300)
        try store.commit(Transaction(time: noon, events: events))
        let btc = try #require(SymbolPattern("btc*"))
        let inr = try #require(SymbolPattern("*inr"))
        let exact = try #require(SymbolPattern("ethinr"))
        let queries = [
            EventQuery(), EventQuery(after: 290), EventQuery(before: 10), EventQuery(after: 5, before: 9),
            EventQuery(since: noon.plus(seconds: 50), until: noon.plus(seconds: 60)), EventQuery(rule: "a"),
            EventQuery(symbol: btc), EventQuery(symbol: inr), EventQuery(symbol: exact),
            EventQuery(rule: "b", symbol: inr, kind: .resolved), EventQuery(kind: .fired, severity: .critical),
            EventQuery(after: .max), EventQuery(before: .min), EventQuery(after: .min, before: .max),
            EventQuery(rule: "c"), EventQuery(rule: "' OR 1 --"),
        ]
        for query in queries {
            let expected = events.filter { matches($0, query) }
            for limit in [1, 7, 300, 1_000] {
                var query = query
                query.limit = limit
                #expect(try all(query) == expected, "\(query)")
                query.newestFirst = true
                #expect(try all(query) == expected.reversed(), "\(query)")
            }
        }
    }

    private func matches(_ event: Event, _ query: EventQuery) -> Bool {
        let what = event.occurrence
        if let after = query.after, event.number <= after { return false }
        if let before = query.before, event.number >= before { return false }
        if let since = query.since, what.time < since { return false }
        if let until = query.until, what.time >= until { return false }
        if let rule = query.rule, what.rule != rule { return false }
        if let pattern = query.symbol, !(what.symbol.map(pattern.matches) ?? false) { return false }
        return (query.kind ?? what.kind) == what.kind && (query.severity ?? what.severity) == what.severity
    }

    @Test func aPageLooksAtSoManyEventsOnly() throws {
        let count = EventPage.widest * 2 + 5
        try store.commit(Transaction(time: noon, events: (1...count).map { Sample.bare($0) }))
        let page = try store.events(EventQuery(kind: .fired))
        #expect(page.events.isEmpty)
        #expect(page.next?.after == EventPage.widest)
        #expect(try all(EventQuery(kind: .fired)).isEmpty)
        #expect(
            try store.events(EventQuery(kind: .fired, newestFirst: true)).next?.before == count - EventPage.widest + 1)
    }

    @Test func theRangeThatIsKeptIsKnown() throws {
        #expect(try store.keptNumbers() == nil)
        try store.commit(Transaction(time: noon, events: [Sample.bare(4), Sample.bare(5)]))
        #expect(try store.keptNumbers() == 4...5)
    }
}
