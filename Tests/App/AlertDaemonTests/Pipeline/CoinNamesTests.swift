import Market
import TestSupport
import Testing

@testable import AlertDaemon

struct CoinNamesTests {
    private func coins(_ numbers: Range<Int>, name: String = "x") throws -> [Coin] {
        try numbers.map { number in
            var coin = Coin(identity: "c\(number)", symbol: try required(Symbol("c\(number)usd")))
            coin.name = name
            return coin
        }
    }

    @Test func newAndChangedNamesAreSavedOnce() throws {
        var names = CoinNames()
        names.record(try coins(0..<3)) { _ in false }
        #expect(names.takeChanges().names.map(\.identity) == ["c0", "c1", "c2"])
        #expect(names.takeChanges().names.isEmpty)
        names.record(try coins(1..<2, name: "renamed")) { _ in false }
        let symbol = try required(Symbol("c2usd"))
        #expect(names.takeChanges().names.map(\.name) == ["renamed"] && names.identity(of: symbol) == "c2")
    }

    /// A response of any content changes nothing for good.
    @Test func theNamesOfCoinsThatAreGoneMakeRoom() throws {
        var names = CoinNames()
        let stored = try coins(0..<3).map { CoinName(identity: $0.identity, symbol: $0.symbol, name: $0.name) }
        names.restore(stored)
        #expect(names.takeChanges().names.isEmpty)
        let isNamed = { (symbol: Symbol) in symbol.description == "c1usd" }
        names.record(try coins(2..<3), isNamed: isNamed)
        names.record(try coins(10..<CoinName.limit + 10), isNamed: isNamed)
        // The first is gone for longest, the second is named by a rule, and there is one more than there may be.
        #expect(names.all.count == CoinName.limit && names.all["c0"] == nil && names.all["c2"] == nil)
        #expect(names.all["c1"] != nil)
        for start in stride(from: 20_000, to: 100_000, by: 10_000) {
            names.record(try coins(start..<start + 10_000), isNamed: isNamed)
            #expect(names.all.count == CoinName.limit && names.all["c1"] != nil)
        }
        // What was never stored need not be deleted.
        let changes = names.takeChanges()
        #expect(changes.forgotten == ["c0", "c2"] && changes.names.count == CoinName.limit - 1)
        #expect(names.takeChanges().forgotten.isEmpty)
        #expect(names.takeEverything().count == CoinName.limit && names.takeChanges().names.isEmpty)
    }
}
