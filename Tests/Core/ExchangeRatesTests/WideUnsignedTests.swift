import TestSupport
import Testing

@testable import ExchangeRates

struct WideUnsignedTests {
    private func wide(_ factors: [UInt64]) -> WideUnsigned {
        factors.reduce(WideUnsigned(1)) { $0.multiplied(by: $1) }
    }

    @Test func zeroAndOneAreWhatTheyAre() {
        #expect(WideUnsigned(0).isZero && WideUnsigned(0).small == 0)
        #expect(wide([7, 0]).isZero && WideUnsigned(0).multiplied(by: .max).isZero)
        #expect(wide([.max]).small == .max && wide([.max, 2]).small == nil)
    }

    /// (2^64 − 1)² has a carry into each word; taking 2^64 − 1 away leaves (2^64 − 1) × (2^64 − 2).
    @Test func carriesAndBorrowsGoThrough() {
        for count in 1...6 {
            let most = [UInt64](repeating: .max, count: count)
            var number = wide(most + [.max])
            number.subtract(wide(most))
            #expect(number == wide(most + [.max - 1]))
            #expect(number < wide(most + [.max]) && !(number < number))
        }
    }

    /// a × (b + 1) − a = a × b, for factors near the ends of words as well as any.
    @Test func productsAndDifferencesAgree() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        let factor = { (random: inout SplitMix) -> UInt64 in
            let near: [UInt64] = [1, 2, 1 << 32, 1 << 63, .max - 1, .max, 10]
            return Bool.random(using: &random)
                ? near.randomElement(using: &random) ?? 1 : .random(in: 1 ... .max, using: &random)
        }
        for _ in 0..<5_000 {
            let base = (0..<Int.random(in: 1...5, using: &random)).map { _ in factor(&random) }
            let last = min(factor(&random), .max - 1)
            var difference = wide(base + [last + 1])
            #expect(difference >= wide(base), "seed \(seed)")
            difference.subtract(wide(base))
            #expect(difference == wide(base + [last]), "seed \(seed)")
            #expect(wide(base + [last]) == wide([last] + base.reversed()), "seed \(seed)")
        }
    }

    /// (2^(64 × n) − 1) + 1 goes through all words; and what is added is subtracted again.
    @Test func sumsCarry() {
        for count in 1...6 {
            let most = (0..<count).reduce(WideUnsigned(0)) { number, _ in
                var next = number.multiplied(by: 1 << 32).multiplied(by: 1 << 32)
                next.add(WideUnsigned(.max))
                return next
            }
            var sum = most
            sum.add(WideUnsigned(1))
            #expect(
                sum
                    == (0..<count).reduce(WideUnsigned(1)) { number, _ in
                        number.multiplied(by: 1 << 32).multiplied(by: 1 << 32)
                    })
            var other = WideUnsigned(1)
            other.add(most)
            #expect(sum == other)
            sum.subtract(most)
            #expect(sum == WideUnsigned(1))
        }
    }

    @Test func twoWordsAgreeWithPlainArithmetic() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        for _ in 0..<1_000 {
            let (a, b) = (UInt64.random(in: 0 ... .max, using: &random), UInt64.random(in: 0 ... .max, using: &random))
            let (c, d) = (UInt64.random(in: 0 ... .max, using: &random), UInt64.random(in: 0 ... .max, using: &random))
            let (left, right) = (UInt128(a) * UInt128(b), UInt128(c) * UInt128(d))
            #expect((wide([a, b]) < wide([c, d])) == (left < right), "seed \(seed)")
            #expect((wide([a, b]) == wide([c, d])) == (left == right), "seed \(seed)")
        }
    }
}
