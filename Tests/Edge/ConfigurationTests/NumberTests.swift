import FuzzEntries
import TestSupport
import Testing

/// Numbers as users and exchanges write them, compared with a second implementation.
struct NumberTests {
    @Test(arguments: [FuzzEntry.decimal.name, FuzzEntry.settingNumber.name])
    func theFuzzersSeedsAreNumbers(entry: String) throws {
        let entry = try #require(FuzzEntry.named(entry))
        #expect(entry.seeds().allSatisfy(entry.run) && !entry.run([]))
    }

    /// The entries trap where the two readings differ.
    @Test func brokenNumbersAreReadTheSameTwice() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        let bytes = Array("0123456789000999..eE+-_\"' #x".utf8)
        for entry in [FuzzEntry.decimal, .settingNumber] {
            let seeds = entry.seeds()
            for _ in 0..<3_000 {
                var text = seeds.randomElement(using: &random) ?? []
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0...text.count, using: &random)
                    if Bool.random(using: &random), place < text.count {
                        text.remove(at: place)
                    } else {
                        text.insert(bytes.randomElement(using: &random) ?? 0x30, at: place)
                    }
                }
                _ = entry.run(text)
            }
        }
    }
}
