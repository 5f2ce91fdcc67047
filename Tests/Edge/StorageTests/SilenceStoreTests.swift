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
        try store.commit(Transaction(time: noon, silences: Self.list))
        store.close()
        _ = try store.open(at: noon)
        #expect(try store.restore().silences == Self.list)
    }

    /// It would silence everything, and the table would refuse to take it back.
    @Test func aSilenceOfNothingIsLeftOut() throws {
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, silences: Self.list))
        try store.openDatabase().run("PRAGMA ignore_check_constraints = 1")
        try store.openDatabase().run("UPDATE silence SET symbols = NULL WHERE number = 3")
        try store.openDatabase().run("PRAGMA ignore_check_constraints = 0")
        let state = try store.restore()
        #expect(state.silences.records.map(\.silence.number) == [2, 5, 6])
        #expect(state.leftOut == ["a row of the table silence: a value is missing"])
        try store.commit(Transaction(time: noon, silences: state.silences))
    }

    @Test func aListReplacesTheOneBefore() throws {
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, silences: Self.list))
        let less = SilenceList(records: Array(Self.list.records.prefix(1)), lastNumber: 9)
        try store.commit(Transaction(time: noon, silences: less))
        #expect(try store.restore().silences == less)
        try store.commit(Transaction(time: noon, silences: SilenceList(lastNumber: 9)))
        #expect(try store.restore().silences == SilenceList(lastNumber: 9), "a number is never used twice")
        try store.commit(Transaction(time: noon))
        #expect(try store.restore().silences.lastNumber == 9)
    }

    /// They would match the wrong events.
    @Test func thoseOfALaterVersionAreLeftOut() throws {
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, silences: Self.list))
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

    @Test func silencesAreSalvaged() throws {
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, silences: Self.list))
        try store.openDatabase().run("DROP TABLE block_symbol")
        store.close()
        guard case .setAside? = try store.open(at: noon).first else {
            Issue.record("it was not set aside")
            return
        }
        #expect(try store.restore().silences == Self.list)
    }
}
