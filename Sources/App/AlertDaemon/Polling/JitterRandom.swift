internal import Feeds

/// Random numbers for jitter. Only the seed is the system's: a number of its own would cost each poll a system call.
struct JitterRandom: RandomNumberGenerator, Sendable {
    /// Nil before the first number, so that each copy has a seed of its own.
    private var generator: SplitMix64?

    mutating func next() -> UInt64 {
        var generator = generator ?? SplitMix64(seed: .random(in: .min ... .max))
        defer { self.generator = generator }
        return generator.next()
    }
}
