import Market
import Testing
import Time

@testable import Storage

/// The coins of price services, and their past prices.
struct CoinTests {
    private let store: Store
    private let folder: TestFolder
    private let service = SourceName(unchecked: "coinranking")

    init() throws {
        folder = try TestFolder()
        store = Store(folder: folder.path)
        _ = try store.open(at: noon)
    }

    private func name(_ identity: String, _ symbol: String, _ name: String? = nil) throws -> CoinName {
        CoinName(identity: identity, symbol: try #require(Symbol(symbol)), name: name)
    }

    private func history(
        _ identity: String, _ period: PricePeriod, at time: WallTime = noon, points: Int = 2
    ) throws -> CoinHistory {
        CoinHistory(
            identity: identity, period: period, fetched: time, changePercent: try Price("-1.5"),
            points: try (0..<points).map {
                CoinPoint(time: WallTime(milliseconds: Int64($0) * 1_000), price: try Price("1.0\($0)"))
            })
    }

    private func commit(_ histories: [CoinHistory]) throws {
        var changes = Transaction(time: noon)
        changes.coinHistories = histories.map { StoredCoinHistory($0, of: service) }
        try store.commit(changes)
    }

    @Test func namesAreKept() throws {
        let names = [try name("a", "abcusd", "First"), try name("b", "abcbusd")]
        try store.commit(Transaction(time: noon, sources: [SourceChanges(service, coins: names)]))
        try store.commit(
            Transaction(time: noon, sources: [SourceChanges(service, coins: [try name("a", "abcusd", "Renamed")])]))
        _ = try store.open(at: noon)
        let stored = try #require(try store.restore().sources.first { $0.name == service })
        #expect(stored.coins == [try name("a", "abcusd", "Renamed"), names[1]])
        #expect(try store.history(of: service).coins == stored.coins)
    }

    @Test func namesAreForgotten() throws {
        let names = [try name("a", "abcusd"), try name("b", "abcbusd")]
        try store.commit(Transaction(time: noon, sources: [SourceChanges(service, coins: names)]))
        var changes = SourceChanges(service)
        changes.forgottenCoins = ["a", "unknown"]
        #expect(!changes.isEmpty)
        try store.commit(Transaction(time: noon, sources: [changes]))
        _ = try store.open(at: noon)
        #expect(try store.restore().sources.first { $0.name == service }?.coins == [names[1]])
    }

    @Test func aNameThatMakesNoSenseIsLeftOut() throws {
        try store.commit(
            Transaction(time: noon, sources: [SourceChanges(service, coins: [try name("a", "abcusd")])]))
        try store.openDatabase().run(
            "INSERT INTO coin VALUES ((SELECT max(source) FROM coin), 'b', 'NOT A SYMBOL', NULL)")
        let state = try store.restore()
        #expect(state.sources.first { $0.name == service }?.coins.map(\.identity) == ["a"])
        #expect(state.leftOut.count == 1)
    }

    @Test func pastPricesAreReplacedByNewerOnes() throws {
        try commit([try history("a", .year), try history("a", .day), try history("b", .day)])
        let newer = try history("a", .day, at: WallTime(milliseconds: noon.milliseconds + 1), points: 3)
        try commit([newer])
        #expect(try store.coinHistories(of: "a", in: service) == [newer, try history("a", .year)])
        #expect(try store.coinHistories(of: "a", in: service, over: .day) == [newer])
        #expect(try store.coinHistories(of: "a", in: firstSource) == [])
        #expect(try store.coinFetches(in: service, since: noon).count == 3)
        #expect(try store.coinFetches(in: service, since: newer.fetched) == [newer.fetched])
    }

    @Test func theOldestPastPricesMakeRoom() throws {
        for start in stride(from: 0, to: 1_050, by: 50) {
            try commit(
                try (start..<start + 50).map {
                    try history("c\($0)", .day, at: WallTime(milliseconds: noon.milliseconds + Int64($0)))
                })
        }
        #expect(try store.openDatabase().number("SELECT count(*) FROM coin_history") == CoinTables.historyLimit)
        #expect(try store.coinHistories(of: "c49", in: service).isEmpty)
        #expect(try store.coinHistories(of: "c50", in: service).count == 1)
    }

    @Test(arguments: ["x", "1 2 3", "5 1.0\n4 1.0", "99999999999999999999 1", "1 abc", ""])
    func damagedPointsAreFetchedAgain(points: String) throws {
        try commit([try history("a", .day)])
        try store.openDatabase().run("UPDATE coin_history SET points = ?", .text(points))
        #expect(try store.coinHistories(of: "a", in: service) == [])
    }
}
