internal import Feeds

/// A generator of random numbers for jitter. Only its seed comes from the system, which saves a system call for each
/// poll.
struct JitterRandom: RandomNumberGenerator, Sendable {
    /// Nil before the first number, so that each copy gets its own seed.
    private var generator: SplitMix64?

    mutating func next() -> UInt64 {
        var generator = generator ?? SplitMix64(seed: .random(in: .min ... .max))
        defer { self.generator = generator }
        return generator.next()
    }
}
