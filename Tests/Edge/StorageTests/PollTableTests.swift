import Engine
import Events
import Market
import Rules
import Testing
import Time

@testable import Storage

/// What a poll changed is one row, of which each half is kept for as long as it is needed.
struct PollTableTests {
    private let folder: TestFolder
    private let store: Store

    init() throws {
        folder = try TestFolder()
        store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, engine: .whole(try Sample.engine())))
    }

    private func record(_ byte: UInt8) -> EngineChanges {
        .part(alerts: [], state: .record(EngineRecord(bytes: [byte])))
    }

    private func row(_ place: Int, of block: Int64 = 1) -> HistoryChanges {
        HistoryChanges(parts: [StoredOpenRows(block: block, firstRow: place, rowCount: 1, bytes: [UInt8(place)])])
    }

    private func rowCount() throws -> Int64? { try store.openDatabase().number("SELECT count(*) FROM poll") }

    @Test func aPollIsOneRow() throws {
        for place in 0..<5 {
            try store.commit(Transaction(time: noon, engine: record(UInt8(place)), history: row(place)))
        }
        #expect(try rowCount() == 5)
        let state = try store.restore()
        #expect(state.engine?.records == [[0], [1], [2], [3], [4]])
        #expect(state.parts.map(\.firstRow) == [0, 1, 2, 3, 4])
    }

    @Test func pricesOutliveTheCheckpoint() throws {
        try store.commit(Transaction(time: noon, engine: record(1), history: row(0)))
        try store.commit(Transaction(time: noon, engine: record(2)))
        try store.commit(Transaction(time: noon, engine: .part(alerts: [], state: .checkpoint([[9]]))))
        #expect(try rowCount() == 1)
        try store.commit(Transaction(time: noon, engine: record(3), history: row(1)))
        let state = try store.restore()
        #expect(state.engine?.records == [[3]])
        #expect(state.parts.map(\.firstRow) == [0, 1])
    }

    @Test func recordsOutliveTheBlock() throws {
        try store.commit(Transaction(time: noon, engine: record(1), history: row(0)))
        try store.commit(
            Transaction(
                time: noon, engine: record(2),
                history: HistoryChanges(sealed: [try Sample.block(1)], parts: row(0, of: 2).parts)))
        // The prices do not come back when the block is dropped.
        try store.commit(Transaction(time: noon, history: HistoryChanges(removed: [1])))
        let state = try store.restore()
        #expect(state.engine?.records == [[1], [2]])
        #expect(state.parts.map(\.block) == [2])
    }

    @Test func aRowGoesWhenNeitherHalfIsNeeded() throws {
        try store.commit(Transaction(time: noon, engine: record(1), history: row(0)))
        try store.commit(Transaction(time: noon, engine: .part(alerts: [], state: .checkpoint([[9]]))))
        try store.commit(Transaction(time: noon, history: HistoryChanges(sealed: [try Sample.block(1)])))
        #expect(try rowCount() == 0)
        // Its id is not used again: a record with the id of the checkpoint would count as part of it.
        try store.commit(Transaction(time: noon, engine: record(2), history: row(0, of: 2)))
        #expect(try store.restore().engine?.records == [[2]])
    }

    private let checkpoint = EngineChanges.part(alerts: [], state: .checkpoint([[9]]))

    /// A record with the id of the checkpoint, or a smaller one, would count as part of it.
    @Test func noIDIsUsedAgainAfterACheckpoint() throws {
        try store.commit(Transaction(time: noon, engine: record(1)))
        try store.commit(Transaction(time: noon, engine: checkpoint))
        #expect(try rowCount() == 0)
        try store.commit(Transaction(time: noon, engine: record(2)))
        try store.commit(Transaction(time: noon, engine: record(3)))
        #expect(try store.restore().engine?.records == [[2], [3]])
    }

    @Test func noIDIsUsedAgainAfterARollback() throws {
        try store.commit(Transaction(time: noon, engine: record(1)))
        try store.commit(Transaction(time: noon, engine: checkpoint))
        let database = try store.openDatabase()
        let failure = StorageError(.io, path: store.path, message: "a failure")
        #expect(throws: failure) {
            try database.transaction { () throws(StorageError) in
                try database.polls(1).write(record: [2], [])
                throw failure
            }
        }
        try store.commit(Transaction(time: noon, engine: record(3)))
        #expect(try store.restore().engine?.records == [[3]])
    }

    @Test func noIDIsUsedAgainWhenAnotherSourceForgetsItsRecords() throws {
        let second = SourceName(unchecked: "second")
        try store.commit(Transaction(time: noon, engine: record(1)))
        try store.commit(Transaction(time: noon, sources: [SourceChanges(second, engine: checkpoint)]))
        let nothing = EngineSnapshot(rules: [], alerts: [], checkpoint: [])
        try store.commit(Transaction(time: noon, engine: .whole(nothing)))
        #expect(try rowCount() == 0)
        try store.commit(Transaction(time: noon, sources: [SourceChanges(second, engine: record(2))]))
        #expect(try store.restore().sources.first { $0.name == second }?.engine?.records == [[2]])
    }

    @Test func allPricesAreReplacedAtOnce() throws {
        try store.commit(Transaction(time: noon, engine: record(1), history: row(0)))
        var changes = row(0)
        changes.replacesParts = true
        try store.commit(Transaction(time: noon, engine: record(2), history: changes))
        let state = try store.restore()
        #expect(state.engine?.records == [[1], [2]])
        #expect(state.parts.count == 1)
    }

    /// The pages that a commit changes are the pages that its notifications wait for.
    @Test(arguments: [1, 40, 450, 900], [true, false])
    func anAlertThatFiresSplitsNoPage(fired place: Int, isWhole: Bool) throws {
        let inactive = "inactive since=27079562@1795544218304"
        let firing = "firing since=27088981@1795544227724 notified=27088981@1795544227724 fired=27088981@1795544227724"
        var snapshot = try Sample.engine()
        snapshot.rules = (0..<1_000).map { (place: Int) in RuleIdentity(name: "r\(place)", meaning: "", place: place) }
        snapshot.alerts = try (0..<1_000).map { (place: Int) in
            try Sample.alert("r\(place)", "s\(place)inr", .max, encodedState: inactive)
        }
        if isWhole {
            try store.commit(Transaction(time: noon, engine: .whole(snapshot)))
        } else {
            // After a first start, the alerts come with the first poll.
            let alerts = snapshot.alerts
            snapshot.alerts = []
            try store.commit(Transaction(time: noon, engine: .whole(snapshot)))
            snapshot.alerts = alerts
            try store.commit(Transaction(time: noon, engine: .part(alerts: alerts, state: nil)))
        }
        #expect(try store.restore().engine?.alerts == snapshot.alerts)
        let before = contents(of: folder.file + "-wal")?.count ?? 0
        for place in place..<place + 3 {
            snapshot.alerts[place].state = "firing"
            snapshot.alerts[place].encodedState = firing
        }
        let fired = Array(snapshot.alerts[place..<place + 3])
        let change = EngineChanges.part(alerts: fired, state: .record(EngineRecord(bytes: [1])))
        try store.commit(Transaction(time: noon, engine: change))
        // Three rows on one page or two, and the poll.
        let pages = ((contents(of: folder.file + "-wal")?.count ?? 0) - before) / (24 + 4_096)
        #expect((2...3).contains(pages))
        #expect(try store.restore().engine?.alerts == snapshot.alerts)
    }
}
