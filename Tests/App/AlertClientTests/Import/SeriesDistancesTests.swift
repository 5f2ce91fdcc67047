import Market
import TestSupport
import Testing
import Time

@testable import AlertClient

struct SeriesDistancesTests {
    /// The most frequent distance, and the smaller of equals, in whatever order they come.
    @Test(arguments: 0..<60)
    func theMostFrequentIsFound(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let symbol = try #require(Symbol("btcinr"))
        var distances = SeriesDistances()
        var counts: [Int64: Int] = [:]
        var time: Int64 = 1_000_000
        distances.record(symbol, time)
        for _ in 0..<Int.random(in: 1...9, using: &random) {
            let distance = ([10, 20, 30] as [Int64]).randomElement(using: &random) ?? 10
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                time += distance
                distances.record(symbol, time)
                counts[distance, default: 0] += 1
            }
        }
        let most = counts.values.max()
        let expected = try #require(counts.filter { $0.value == most }.keys.min())
        #expect(distances.usual == [symbol: Milliseconds(expected)], "\(counts)")
    }

    @Test func oneTimeHasNoDistance() throws {
        var distances = SeriesDistances()
        for _ in 0..<3 { distances.record(try #require(Symbol("btcinr")), 5) }
        #expect(distances.usual.isEmpty)
    }
}
