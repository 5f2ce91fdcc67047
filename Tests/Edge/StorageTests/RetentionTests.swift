import Market
import TestSupport
import Testing
import Time

@testable import Storage

/// What is deleted, and that the file does not grow without bound.
struct RetentionTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func opened(_ options: StoreOptions) throws -> Store {
        let store = Store(folder: folder.path, options: options)
        _ = try store.open(at: noon)
        return store
    }

    @Test func onlySoManyEventsAreKept() throws {
        let store = try opened(StoreOptions(mostEvents: 10))
        for number in Int64(1)...25 { try commit(Transaction(time: noon, events: [Sample.bare(number)]), to: store) }
        #expect(try store.keptNumbers() == 16...25)
    }

    @Test func eventsGoWhenTheyAreTooOld() throws {
        let store = try opened(StoreOptions(keepEvents: .seconds(100)))
        try store.commit(
            Transaction(time: noon, events: (1...5).map { Sample.bare($0, at: noon.plus(seconds: $0 * 10)) }))
        try store.tidy(at: noon.plus(seconds: 130))
        #expect(try store.keptNumbers() == 3...5)
        try store.tidy(at: noon.plus(seconds: 131))
        #expect(try store.keptNumbers() == 4...5)
    }

    /// Whoever commits an event waits for it.
    @Test func aCommitDeletesNothing() throws {
        let store = try opened(StoreOptions(keepEvents: .seconds(100), mostEvents: 2))
        for number in Int64(1)...4 {
            try store.commit(Transaction(time: noon.plus(seconds: number * 1_000), events: [Sample.bare(number)]))
        }
        #expect(try store.keptNumbers() == 1...4)
    }

    /// Without a new event, it looks once a minute.
    @Test func whatIsTidyIsNotLookedThroughAgain() throws {
        let store = try opened(StoreOptions(keepEvents: .seconds(100)))
        try store.commit(Transaction(time: noon, events: [Sample.bare(1), Sample.bare(2, at: noon.plus(seconds: 1))]))
        try store.tidy(at: noon.plus(seconds: 99))
        try store.tidy(at: noon.plus(seconds: 158))
        #expect(try store.keptNumbers() == 1...2)
        try store.tidy(at: noon.plus(seconds: 159))
        #expect(try store.keptNumbers() == nil)
    }

    @Test func whatIsDeletedDoesNotWaitForTheDisk() throws {
        let vfs = FaultVFS()
        var options = StoreOptions(mostEvents: 2)
        options.vfs = vfs.name
        let store = try opened(options)
        try store.commit(Transaction(time: noon, events: (1...5).map { Sample.bare($0) }))
        vfs.arm([.sync], which: 0, .device)
        try store.tidy(at: noon)
        #expect(vfs.calls == 0)
        #expect(try store.keptNumbers() == 4...5)
        try store.commit(Transaction(time: noon, events: [Sample.bare(6)]))
        #expect(vfs.calls == 1)
    }

    @Test func aFileThatCannotBeWrittenIsNotTidied() throws {
        try opened(StoreOptions()).commit(Transaction(time: noon, events: [Sample.bare(1)]))
        let vfs = FaultVFS()
        var options = StoreOptions(keepEvents: .seconds(1))
        options.vfs = vfs.name
        let store = try opened(options)
        vfs.arm([.write], which: 1, .noRoom)
        #expect(throws: StorageError.self) { try store.tidy(at: noon.plus(seconds: 100)) }
        #expect(try store.keptNumbers() == 1...1)
        try store.tidy(at: noon.plus(seconds: 100))
        #expect(try store.keptNumbers() == nil)
    }

    @Test func numbersHaveNoHolesWhereTheClockWasSetBack() throws {
        let store = try opened(StoreOptions(keepEvents: .seconds(100)))
        let times = [0, 50, 0, 60, 0]
        let events = times.enumerated().map {
            Sample.bare(Int64($0.offset + 1), at: noon.plus(seconds: Int64($0.element)))
        }
        try store.commit(Transaction(time: noon, events: events))
        try store.tidy(at: noon.plus(seconds: 120))
        #expect(try store.keptNumbers() == 2...5)
    }

    @Test func aNumberIsNeverUsedTwice() throws {
        let store = try opened(StoreOptions(keepEvents: .seconds(100)))
        try store.commit(Transaction(time: noon, events: (1...5).map { Sample.bare($0) }))
        try store.tidy(at: noon.plus(seconds: 1_000))
        #expect(try store.keptNumbers() == nil)
        #expect(store.lastNumber == 5)
        store.close()
        _ = try store.open(at: noon)
        #expect(store.lastNumber == 5)
        #expect(try store.restore().lastNumber == 5)
    }

    @Test func aFewAreDeletedAtATime() throws {
        let store = try opened(StoreOptions(mostEvents: 10_000))
        try commit(Transaction(time: noon, events: (1...2_000).map { Sample.bare($0) }), to: store)
        store.options.mostEvents = 10
        try store.tidy(at: noon)
        #expect(try store.keptNumbers() == 257...2_000)
        try store.commit(Transaction(time: noon, events: (2_001...2_300).map { Sample.bare($0) }))
        try commit(Transaction(time: noon, events: (2_301...2_500).map { Sample.bare($0) }), to: store)
        #expect(try store.keptNumbers() == 1_257...2_500)
    }

    @Test func ratesGoWithTheEventsButForTheLast() throws {
        let store = try opened(StoreOptions(keepEvents: .seconds(10 * 86_400)))
        let sek = try Sample.currency("SEK")
        let one = try Sample.price("1")
        func rate(_ source: String, _ date: String) throws -> StoredRate {
            let day = try #require(CivilDate(date))
            return StoredRate(source: source, date: day, currency: sek, rate: one, fetched: noon)
        }
        let old = [try rate("ecb", "2026-11-10"), try rate("other", "2026-01-01"), try rate("other", "2026-01-02")]
        try store.commit(Transaction(time: noon, rates: old + [try rate("ecb", "2026-11-11")]))
        #expect(
            try store.restore().rates.map { "\($0.source) \($0.date)" } == ["ecb 2026-11-11", "other 2026-01-02"])
    }

    @Test func theFileShrinksWhenLessIsKept() throws {
        let store = try opened(StoreOptions())
        let bytes = [UInt8](repeating: 1, count: 100_000)
        let blocks = try (1...40).map { try Sample.block($0, bytes: bytes) }
        try store.commit(Transaction(time: noon, history: HistoryChanges(sealed: blocks)))
        let before = try pages(store)
        try commit(Transaction(time: noon, history: HistoryChanges(kept: [1])), to: store)
        let after = try pages(store)
        #expect(before - after == 64)
        for _ in 0..<30 { try store.tidy(at: noon) }
        #expect(try pages(store) < before / 2)
        #expect(try store.restore().blocks.map(\.bytes) == [bytes])
    }

    @Test func newBlocksTakeTheRoomOfThoseThatWent() throws {
        let store = try opened(StoreOptions())
        let bytes = [UInt8](repeating: 1, count: 100_000)
        for id in Int64(1)...10 { try store.commit(changed(id, bytes)) }
        let before = try pages(store)
        for id in Int64(11)...60 { try store.commit(changed(id, bytes)) }
        #expect(try pages(store) <= before + 30)
    }

    /// While a reader looks at an old state, the log cannot go into the file.
    @Test func aLogThatAReaderMadeGrowIsCut() throws {
        let store = try opened(StoreOptions())
        try store.commit(try changed(1, [1]))
        let reader = try Database(path: folder.file, mode: .readOnly)
        try reader.run("BEGIN")
        #expect(try reader.number("SELECT count(*) FROM block") == 1)
        let bytes = [UInt8](repeating: 1, count: 1_000_000)
        for id in Int64(2)...14 { try store.commit(try changed(id, bytes)) }
        #expect(logSize > 12_000_000)
        try reader.run("COMMIT")
        for id in Int64(15)...18 { try store.commit(try changed(id, bytes)) }
        #expect(logSize <= 8 << 20)
    }

    /// As the daemon does: what is no longer kept goes after each commit.
    private func commit(_ changes: Transaction, to store: Store) throws {
        try store.commit(changes)
        try store.tidy(at: changes.time)
    }

    private var logSize: Int {
        contents(of: folder.file + "-wal")?.count ?? 0
    }

    private func changed(_ id: Int64, _ bytes: [UInt8]) throws -> Transaction {
        Transaction(
            time: noon, history: HistoryChanges(sealed: [try Sample.block(id, bytes: bytes)], removed: [id - 10]))
    }

    private func pages(_ store: Store) throws -> Int {
        try #require(store.openDatabase().pragma("PRAGMA page_count").flatMap { Int($0) })
    }
}
