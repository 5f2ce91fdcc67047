import Engine
import Events
import Market
import Rules
import Testing
import Time

@testable import Storage

/// What belongs to one source does not touch that of another.
struct SourceTests {
    private let store: Store
    private let folder: TestFolder
    private let second = SourceName(unchecked: "binance")

    init() throws {
        folder = try TestFolder()
        store = Store(folder: folder.path)
        _ = try store.open(at: noon)
    }

    private func engine(_ rule: String, checkpoint: [[UInt8]] = [[1]]) throws -> EngineSnapshot {
        EngineSnapshot(
            rules: [RuleIdentity(name: rule, meaning: "btcinr: max 1", place: 0)],
            alerts: [try Sample.alert(rule, "btcinr", .max, state: "firing")], checkpoint: checkpoint)
    }

    private func commit(_ sources: SourceChanges...) throws {
        try store.commit(Transaction(time: noon, sources: sources))
    }

    private func source(_ name: SourceName) throws -> StoredSource {
        try #require(try store.restore().sources.first { $0.name == name })
    }

    @Test func eachHasItsOwnRowsUnderTheSameNumbers() throws {
        let rows = StoredOpenRows(block: 2, firstRow: 0, rowCount: 1, bytes: [7])
        for (name, rule) in [(firstSource, "a"), (second, "b")] {
            try commit(
                SourceChanges(
                    name, engine: .whole(try engine(rule)),
                    history: HistoryChanges(sealed: [try Sample.block(1)], parts: [rows])))
        }
        for (name, rule) in [(firstSource, "a"), (second, "b")] {
            let stored = try source(name)
            #expect(stored.engine == (try engine(rule)))
            #expect(stored.blocks.map(\.id) == [1] && stored.parts == [rows])
        }
        try commit(SourceChanges(second, history: HistoryChanges(removed: [1], replacesParts: true)))
        #expect(try source(firstSource).blocks.map(\.id) == [1])
        #expect(try source(firstSource).parts == [rows])
        #expect(try source(second).blocks.isEmpty && source(second).parts.isEmpty)
        #expect(try store.storedBlocks() == [firstSource: [1], second: []])
        #expect(try store.openDatabase().number("SELECT count(*) FROM prices WHERE source = 'wazirx'") == 1)
        #expect(try store.openDatabase().number("SELECT count(*) FROM prices") == 1)
    }

    @Test func aCheckpointOfOneKeepsTheRecordsOfTheOther() throws {
        try commit(
            SourceChanges(firstSource, engine: .whole(try engine("a"))),
            SourceChanges(second, engine: .whole(try engine("b"))))
        for number: UInt8 in 1...3 {
            try commit(
                SourceChanges(firstSource, engine: .part(alerts: [], state: .record(EngineRecord(bytes: [number])))))
            try commit(
                SourceChanges(second, engine: .part(alerts: [], state: .record(EngineRecord(bytes: [number + 10])))))
        }
        try commit(SourceChanges(second, engine: .part(alerts: [], state: .checkpoint([[9]]))))
        try commit(SourceChanges(firstSource, engine: .part(alerts: [], state: .record(EngineRecord(bytes: [4])))))
        #expect(try source(firstSource).engine?.records == [[1], [2], [3], [4]])
        #expect(try source(second).engine?.checkpoint == [[9]])
        #expect(try source(second).engine?.records == [])
    }

    @Test func aRuleMovesFromOneToTheOther() throws {
        try commit(SourceChanges(firstSource, engine: .whole(try engine("a"))))
        try commit(
            SourceChanges(second, engine: .whole(try engine("a"))),
            SourceChanges(firstSource, engine: .whole(EngineSnapshot(rules: [], alerts: [], checkpoint: [[2]]))))
        #expect(try source(second).engine == (try engine("a")))
        #expect(try source(firstSource).engine?.alerts == [])
    }

    @Test func nothingIsLeftOfTheAlertsOfARemovedOne() throws {
        let rows = StoredOpenRows(block: 1, firstRow: 0, rowCount: 1, bytes: [7])
        try commit(SourceChanges(second, engine: .whole(try engine("b"))))
        try commit(
            SourceChanges(
                second, engine: .part(alerts: [], state: .record(EngineRecord(bytes: [1]))),
                history: HistoryChanges(parts: [rows])))
        try commit(SourceChanges(second, engine: .part(alerts: [], state: .record(EngineRecord(bytes: [2])))))
        try commit(
            SourceChanges(second, engine: .whole(EngineSnapshot(rules: [], alerts: [], checkpoint: []))))
        #expect(try source(second).engine == nil)
        #expect(try source(second).parts == [rows], "its prices stay")
        #expect(try store.openDatabase().number("SELECT count(*) FROM poll") == 1)
        #expect(try store.history(of: second).parts == [rows])
    }

    @Test func eventsAreFoundByTheirSource() throws {
        var event = Sample.bare(2)
        event = Event(
            number: 2,
            occurrence: Occurrence(
                time: noon, kind: .feedStale, source: second, severity: .info, notified: false, text: ""))
        let plain = Sample.bare(3, kind: .test)
        try store.commit(Transaction(time: noon, events: [try Sample.full(1), event, plain]))
        #expect(try store.events(EventQuery(source: second)).events == [event])
        #expect(try store.events(EventQuery(source: firstSource)).events.map(\.number) == [1])
        #expect(try store.events(EventQuery()).events == [try Sample.full(1), event, plain])
    }
}
