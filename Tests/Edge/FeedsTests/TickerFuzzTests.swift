import FuzzEntries
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TickerFuzzTests {
    @Test func seedsAreTaken() throws {
        let entry = try #require(FuzzEntry.named("tickers"))
        #expect(entry.seeds().contains(where: entry.run))
        #expect(!entry.run([]))
        #expect(!entry.run([0]))
    }

    /// What the fuzzer does, for a moment.
    @Test func damagedSeedsDoNoHarm() throws {
        let entry = try #require(FuzzEntry.named("tickers"))
        var random = SplitMix(seed: 5)
        for seed in entry.seeds() {
            for _ in 0..<100 {
                var damaged = seed
                for _ in 0..<Int.random(in: 1...4, using: &random) where damaged.count > 1 {
                    let place = Int.random(in: 1..<damaged.count, using: &random)
                    switch UInt8.random(in: 0...2, using: &random) {
                    case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: damaged.remove(at: place)
                    default: damaged.insert(Array("\"[]{}:,.\\9e-".utf8).randomElement(using: &random) ?? 0, at: place)
                    }
                }
                _ = entry.run(damaged)
            }
        }
    }
}
