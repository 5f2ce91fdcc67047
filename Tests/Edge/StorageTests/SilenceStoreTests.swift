import Engine
import Events
import Market
import Testing
import Time

@testable import Storage

/// Silences in the state file.
struct SilenceStoreTests {
    private let folder: TestFolder
    private let store: Store
    private static let anna = UserIdentity(id: 1_000, name: "anna")

    init() throws {
        folder = try TestFolder()
        store = Store(folder: folder.path)
    }

    /// One with every field, and some with few.
    private static let list = SilenceList(
        records: [
            SilenceRecord(
                silence: Silence(
                    number: 2, symbols: SymbolPattern("*inr"), rule: "btc ‘band’", severity: .critical,
                    end: .after(BootTime(milliseconds: 77))),
                created: noon, ends: noon.plus(seconds: 60), creator: anna, comment: "wegen ‘gestern’ 🪙",
                ended: noon.plus(seconds: 30), endedBy: UserIdentity(id: 4_294_967_295, name: "root")),
            SilenceRecord(
                silence: Silence(
                    number: 3, symbols: SymbolPattern("btcinr"), end: .after(BootTime(milliseconds: -1))),
                created: noon, ends: noon.plus(seconds: 60), creator: UserIdentity(id: 0)),
            SilenceRecord(
                silence: Silence(number: 5, rule: "r", end: .at(noon.plus(seconds: 90))), created: noon,
                ends: noon.plus(seconds: 90), creator: anna, ended: noon.plus(seconds: 90)),
            SilenceRecord(
                silence: Silence(number: 6, severity: .info, end: .at(noon)), created: noon, ends: noon, creator: anna,
                daily: SilenceHours("22:00-07:00 mon-fri")),
        ], lastNumber: 9)

    @Test func everyFieldComesBack() throws {
        _ = try store.open(at: noon)
        try store.commit(StoreChanges(time: noon, silences: Self.list))
        store.close()
        _ = try store.open(at: noon)
        #expect(try store.restore().silences == Self.list)
    }

    /// It would silence everything, and the table would refuse to take it back.
    @Test func aSilenceOfNothingIsLeftOut() throws {
        _ = try store.open(at: noon)
        try store.commit(StoreChanges(time: noon, silences: Self.list))
        try store.openDatabase().run("PRAGMA ignore_check_constraints = 1")
        try store.openDatabase().run("UPDATE silence SET symbols = NULL WHERE number = 3")
        try store.openDatabase().run("PRAGMA ignore_check_constraints = 0")
        let state = try store.restore()
        #expect(state.silences.records.map(\.silence.number) == [2, 5, 6])
        #expect(state.leftOut == ["a row of the table silence: a value is missing"])
        try store.commit(StoreChanges(time: noon, silences: state.silences))
    }

    @Test func aListReplacesTheOneBefore() throws {
        _ = try store.open(at: noon)
        try store.commit(StoreChanges(time: noon, silences: Self.list))
        let less = SilenceList(records: Array(Self.list.records.prefix(1)), lastNumber: 9)
        try store.commit(StoreChanges(time: noon, silences: less))
        #expect(try store.restore().silences == less)
        try store.commit(StoreChanges(time: noon, silences: SilenceList(lastNumber: 9)))
        #expect(try store.restore().silences == SilenceList(lastNumber: 9), "a number is never used twice")
        try store.commit(StoreChanges(time: noon))
        #expect(try store.restore().silences.lastNumber == 9)
    }

    /// They would match the wrong events.
    @Test func thoseOfALaterVersionAreLeftOut() throws {
        _ = try store.open(at: noon)
        try store.commit(StoreChanges(time: noon, silences: Self.list))
        let database = try store.openDatabase()
        try database.run("UPDATE silence SET severity = 'doom' WHERE number = 2")
        try database.run("UPDATE silence SET symbols = '[x]' WHERE number = 3")
        try database.run("UPDATE silence SET creator = -1 WHERE number = 5")
        #expect(try store.restore().silences.records.map(\.number) == [6])
    }

    @Test func theFileHoldsNoSilenceOfEverything() throws {
        _ = try store.open(at: noon)
        #expect(throws: StorageError.self) {
            try store.openDatabase().run(
                "INSERT INTO silence (number, created, ends, creator) VALUES (1, 0, 0, 0)")
        }
    }

    /// A file as version 1 wrote it, with everything that it could contain.
    private func writeVersion1() throws {
        write([], to: folder.file)
        let database = try Database(path: folder.file, mode: .readWrite)
        try Schema.apply(Schema.migrations[0], of: 0, to: database)
        try database.run(
            """
            INSERT INTO event VALUES (
                7, 1795272000000, 'fired', 'btc band', 'btcinr', 'max', 'warning', '101', '100', 'INR', '99',
                1795271970000, NULL, 1795272000000, NULL, 0, 'silence', NULL, NULL, NULL, NULL, 'words')
            """)
        try database.run("INSERT INTO meta VALUES ('last_number', '9'), ('feed', 'ok'), ('boot_id', 'b')")
        try database.run("INSERT INTO rule VALUES (0, 'btc band', 'max 100')")
        try database.run(
            "INSERT INTO alert VALUES (1, 'btc band', 'btcinr', 'max', 'firing', 5, 5, 'warning', '100', 'INR', 'm')")
        try database.run("INSERT INTO sink VALUES ('journal', 7)")
    }

    private func checkWhatVersion1Held(_ state: StoredState) {
        #expect(state.lastNumber == 9 && state.cursors == ["journal": 7] && state.bootID == "b")
        #expect(state.engine?.alerts.map(\.encodedState) == ["m"])
        #expect(state.events.map(\.number) == [7])
        let event = state.events.first?.occurrence
        #expect(event?.text == "words" && event?.reason == .silenced && event?.silence == nil && event?.sink == nil)
        #expect(state.silences == SilenceList())
    }

    @Test func theVersionBeforeIsBroughtForwardWithItsData() throws {
        try writeVersion1()
        #expect(try store.open(at: noon) == [.migrated(from: 1, to: Schema.version)])
        checkWhatVersion1Held(try store.restore())
        try store.commit(StoreChanges(time: noon, events: [try Sample.full(10)], silences: Self.list))
        let state = try store.restore()
        #expect(state.events.map(\.occurrence.silence) == [nil, 3] && state.silences == Self.list)
        #expect(try store.openDatabase().number("SELECT silence FROM events WHERE number = 10") == 3)
        #expect(try store.openDatabase().number("SELECT count(*) FROM silences") == 4)
    }

    @Test func theVersionBeforeIsSalvagedToo() throws {
        try writeVersion1()
        // What is there can be read, but it is not sound: a table is missing.
        try Database(path: folder.file, mode: .readWrite).run("DROP TABLE rate")
        let notices = try store.open(at: noon)
        guard case .setAside(_, _, let salvaged)? = notices.first else {
            Issue.record("\(notices)")
            return
        }
        #expect(salvaged.events == 1)
        checkWhatVersion1Held(try store.restore())
    }

    @Test func silencesAreSalvaged() throws {
        _ = try store.open(at: noon)
        try store.commit(StoreChanges(time: noon, silences: Self.list))
        try store.openDatabase().run("DROP TABLE block_symbol")
        store.close()
        guard case .setAside? = try store.open(at: noon).first else {
            Issue.record("it was not set aside")
            return
        }
        #expect(try store.restore().silences == Self.list)
    }
}
