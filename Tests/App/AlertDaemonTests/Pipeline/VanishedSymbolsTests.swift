import Market
import TestSupport
import Testing
import Time

@testable import AlertDaemon

@Suite("Symbols that the last response lacks")
struct VanishedSymbolsTests {
    private static func batch(_ symbols: [String], _ seconds: Int64) throws -> TickerBatch {
        TickerBatch(
            tickers: try symbols.map { Ticker(symbol: try required(Symbol($0))) },
            received: Instant.testStart.advanced(bySeconds: seconds))
    }

    @Test func oneThatVanishesIsNotedUntilItReturns() throws {
        var vanished = VanishedSymbols()
        let both = try Self.batch(["a", "b"], 0)
        vanished.update(both, after: nil, isNamed: { _ in false })
        vanished.update(try Self.batch(["a"], 30), after: both, isNamed: { _ in false })
        #expect(vanished.all.keys.map { "\($0)" } == ["b"])
        #expect(vanished.all.values.first?.received == .testStart)
        vanished.update(both, after: try Self.batch(["a"], 30), isNamed: { _ in false })
        #expect(vanished.all.isEmpty)
    }

    @Test func junkMakesRoomForWhatVanishesLater() throws {
        var vanished = VanishedSymbols()
        let junk = try Self.batch((0..<VanishedSymbols.capacity).map { "j\($0)" }, 0)
        let real = try Self.batch(["btcinr"], 30)
        vanished.update(real, after: junk, isNamed: { _ in false })
        vanished.update(try Self.batch(["ethinr"], 60), after: real, isNamed: { _ in false })
        #expect(vanished.all.count == VanishedSymbols.capacity)
        #expect(vanished.all[try required(Symbol("btcinr"))] != nil)
    }

    @Test func onlyWhatARuleNamesIsShownForMoreThanADay() throws {
        let named = try required(Symbol("named"))
        var vanished = VanishedSymbols()
        let real = try Self.batch(["btcinr"], 30)
        vanished.update(real, after: try Self.batch(["junk", "named", "btcinr"], 0), isNamed: { $0 == named })
        vanished.update(try Self.batch(["btcinr"], 86_000), after: real, isNamed: { $0 == named })
        #expect(vanished.all.count == 2)
        vanished.update(try Self.batch(["btcinr"], 86_440), after: real, isNamed: { $0 == named })
        #expect(vanished.all.keys.map(\.self) == [named])
    }
}
