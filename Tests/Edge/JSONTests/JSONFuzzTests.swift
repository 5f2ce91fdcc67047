import FuzzEntries
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct JSONFuzzTests {
    @Test(arguments: ["json", "varlink"]) func seedsAreAccepted(name: String) throws {
        let entry = try #require(FuzzEntry.named(name))
        for seed in entry.seeds() { #expect(entry.run(seed), "\(String(decoding: seed, as: UTF8.self))") }
        #expect(!entry.run([]))
    }

    /// What the fuzzer does, for a moment.
    /// Of the types without members nothing is missing in an empty object; of the others something is.
    @Test func someValuesAreAccepted() throws {
        let entry = try #require(FuzzEntry.named("control-values"))
        let accepted = entry.seeds().count(where: entry.run)
        #expect(accepted > 5 && accepted < entry.seeds().count)
        #expect(entry.seeds().prefix(3).allSatisfy(entry.run))
    }

    @Test(arguments: ["json", "varlink", "control-values", "time", "tickers"]) func damagedSeedsDoNoHarm(name: String)
        throws
    {
        let entry = try #require(FuzzEntry.named(name))
        let pieces = [
            "\"", "{", "}", "[", "]", ":", ",", "\\", "\\u", "\\ud800", "null", "-", "1e999", "\0", "\u{7F}", "ä",
        ]
        var random = SplitMix(seed: 20_261_122)
        var accepted = 0
        for seed in entry.seeds() {
            for _ in 0..<500 {
                var damaged = seed
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0...damaged.count, using: &random)
                    switch UInt8.random(in: 0...3, using: &random) {
                    case 0: damaged.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
                    case 1: damaged.removeSubrange(place..<min(damaged.count, place + 3))
                    case 2: damaged.insert(UInt8.random(in: 0...255, using: &random), at: place)
                    default: if place < damaged.count { damaged[place] = UInt8.random(in: 0...255, using: &random) }
                    }
                }
                accepted += entry.run(damaged) ? 1 : 0
            }
        }
        #expect(accepted > 0 && accepted < 500 * entry.seeds().count)
    }
}
