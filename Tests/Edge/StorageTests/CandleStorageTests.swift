import Engine
import Events
import Market
import Testing
import Time

@testable import Storage

/// Gaps that have yet to be looked up, and candles.
struct CandleStorageTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func opened() throws -> Store {
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        return store
    }

    private func gap(_ symbol: String, _ seconds: Int64, bounds: [Bound] = [.min, .max]) throws -> PriceGap {
        let limits: [Bound: LimitValue] = [
            .min: .price(try Sample.price("1.50")), .max: .price(try Sample.price("2")),
            .within: .range(low: try Sample.price("1.2"), high: try Sample.price("1.30")),
        ]
        return PriceGap(
            id: PriceGap.ID(
                symbol: try Sample.symbol(symbol), since: noon.plus(seconds: seconds),
                until: noon.plus(seconds: seconds + 600)),
            before: try Sample.price("1.60"),
            watches: try bounds.map {
                PriceGap.Watch(
                    rule: "a ‘b’", bound: $0, limit: try #require(limits[$0]),
                    currency: $0 == .max ? try Sample.currency("SEK") : nil)
            })
    }

    private func changes(_ gaps: GapChanges, _ candles: [SymbolCandles] = []) -> Transaction {
        var source = SourceChanges(firstSource)
        (source.gaps, source.candles) = (gaps, candles)
        return Transaction(time: noon, sources: [source])
    }

    private func added(_ gaps: [PriceGap], removed: [PriceGap] = [], isWhole: Bool = false) -> GapChanges {
        var changes = GapChanges()
        (changes.added, changes.removed, changes.isWhole) = (gaps, Set(removed.map(\.id)), isWhole)
        return changes
    }

    private func candle(_ minute: Int64, volume: String = "0.5") throws -> Candle {
        Candle(
            start: noon.plus(seconds: minute * 60), open: try Sample.price("1"), high: try Sample.price("2.50"),
            low: try Sample.price("0.9"), close: try Sample.price("1.10"), volume: try Sample.price(volume))
    }

    private func stored(_ store: Store) throws -> [PriceGap] {
        try store.restore().sources.first?.gaps ?? []
    }

    @Test func gapsComeBackUntilTheyAreGone() throws {
        let gaps = [try gap("btcinr", 0, bounds: [.min, .max, .within]), try gap("btcinr", 900), try gap("ethinr", 0)]
        let store = try opened()
        try store.commit(changes(added(gaps)))
        #expect(try stored(store) == gaps)
        let less = try gap("btcinr", 900, bounds: [.max])
        try store.commit(changes(added([less], removed: [gaps[0], gaps[1]])))
        store.close()
        _ = try store.open(at: noon)
        #expect(try stored(store) == [less, gaps[2]])
        try store.commit(changes(added([gaps[0]], isWhole: true)))
        #expect(try stored(store) == [gaps[0]])
    }

    @Test func candlesWithTradesAreKept() throws {
        let symbol = try Sample.symbol("btcinr")
        let all = try [0, 1, 2, 4].map { try candle($0, volume: $0 == 1 ? "0.0" : "0.5") }
        let store = try opened()
        try store.commit(changes(GapChanges(), [SymbolCandles(symbol: symbol, candles: all)]))
        let times = noon..<noon.plus(seconds: 600)
        #expect(try store.candles(of: symbol, from: firstSource, in: times, limit: 10) == [all[0], all[2], all[3]])
        #expect(try store.candles(of: symbol, from: firstSource, in: times, limit: 2) == [all[0], all[2]])
        let late = noon.plus(seconds: 1)..<noon.plus(seconds: 240)
        #expect(try store.candles(of: symbol, from: firstSource, in: late, limit: 9) == [all[2]])
        #expect(try store.candles(of: try Sample.symbol("ethinr"), from: firstSource, in: times, limit: 9).isEmpty)
    }

    @Test func theOldestCandlesAreDropped() throws {
        let symbol = try Sample.symbol("btcinr")
        let store = try opened()
        store.options.mostCandles = 3
        let all = try (0..<5).map { try candle($0) }
        try store.commit(changes(GapChanges(), [SymbolCandles(symbol: symbol, candles: all)]))
        let times = noon..<noon.plus(seconds: 86_400)
        #expect(try store.candles(of: symbol, from: firstSource, in: times, limit: 10) == Array(all[2...]))
        store.close()
        // Nothing is left of what is too old.
        _ = try store.open(at: noon)
        store.options.keepCandles = .seconds(30)
        var later = changes(GapChanges(), [SymbolCandles(symbol: symbol, candles: [try candle(10)])])
        later.time = noon.plus(seconds: 610)
        try store.commit(later)
        #expect(
            try store.candles(of: symbol, from: firstSource, in: times, limit: 10).map(\.start) == [
                noon.plus(seconds: 600)
            ])
    }
}
