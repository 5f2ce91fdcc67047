import FuzzEntries
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FuzzSeedTests {
    @Test(arguments: ["rule-file", "rule-tests"])
    func seedsAreTaken(name: String) throws {
        let entry = try #require(FuzzEntry.named(name))
        #expect(entry.seeds().contains(where: entry.run))
        #expect(!entry.run(Array("\u{0}".utf8)))
    }

    /// What the fuzzer does, for a moment.
    @Test(arguments: ["rule-file", "rule-tests"])
    func damagedSeedsDoNoHarm(name: String) throws {
        let entry = try #require(FuzzEntry.named(name))
        var random = SplitMix(seed: 4)
        for seed in entry.seeds() {
            for _ in 0..<200 {
                var damaged = seed
                for _ in 0..<Int.random(in: 1...4, using: &random) where !damaged.isEmpty {
                    let place = Int.random(in: damaged.indices, using: &random)
                    switch UInt8.random(in: 0...3, using: &random) {
                    case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: damaged.remove(at: place)
                    case 2:
                        damaged.insert(Array("\"'[]{}=.x\n\\#9e-".utf8).randomElement(using: &random) ?? 0, at: place)
                    default: damaged.removeSubrange(place..<min(damaged.count, place + 9))
                    }
                }
                _ = entry.run(damaged)
            }
        }
    }
}
