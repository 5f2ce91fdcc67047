import Foundation
import Market
import TestSupport
import Testing
import Time

@testable import Charts

/// What holds for the axes of every chart.
struct AxisPropertyTests {
    /// The first digit of a number that has only one, and whether it has only one.
    private func digit(_ price: Price) -> (digit: Int64, isAlone: Bool) {
        var mantissa = price.reduced.mantissa.magnitude
        while mantissa >= 10, mantissa.isMultiple(of: 10) { mantissa /= 10 }
        return (Int64(mantissa % 10), mantissa < 10)
    }

    @Test(arguments: 0..<200)
    func linearTicksAreMultiplesOfOneTwoOrFive(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let size = pow(10, Double.random(in: -7...9, using: &random))
        let low = Double.random(in: -3...3, using: &random) * size
        let high = low + size * Double.random(in: 0.01...5, using: &random)
        let count = Int.random(in: 2...12, using: &random)
        let ticks = ValueTicks.linear(low, high, count: count)
        #expect((1...count + 1).contains(ticks.ticks.count) || ticks.ticks.isEmpty)
        #expect(ticks.ticks.allSatisfy { $0.approximate >= low - size * 1e-9 && $0.approximate <= high + size * 1e-9 })
        guard ticks.ticks.count > 1 else { return }
        let steps = zip(ticks.ticks, ticks.ticks.dropFirst()).compactMap { $1.adding(negated($0)) }
        #expect(Set(steps).count == 1, "equally far apart")
        let step = try #require(steps.first)
        #expect([1, 2, 5].contains(digit(step).digit) && digit(step).isAlone, "\(step)")
        #expect(Double(count) * step.approximate >= (high - low) * 0.999)
        for tick in ticks.ticks {
            let share = tick.approximate / step.approximate
            #expect(abs(share - share.rounded()) < 1e-6, "\(tick) is no multiple of \(step)")
            #expect(tick.reduced.scale <= ticks.decimals, "\(tick) needs more than \(ticks.decimals) decimals")
        }
    }

    private func negated(_ price: Price) -> Price {
        Price(mantissa: -price.mantissa, scale: price.scale) ?? price
    }

    @Test(arguments: 0..<100)
    func logarithmicTicksHaveOneDigit(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let low = pow(10, Double.random(in: -8...5, using: &random))
        let high = low * pow(10, Double.random(in: 1...8, using: &random))
        let count = Int.random(in: 2...12, using: &random)
        let ticks = ValueTicks.logarithmic(low, high, count: count).ticks
        #expect(!ticks.isEmpty && ticks.count <= max(2, count))
        #expect(ticks.allSatisfy { $0.approximate >= low && $0.approximate <= high })
        #expect(ticks.allSatisfy { digit($0).isAlone && [1, 2, 3, 5].contains(digit($0).digit) })
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: 0..<100)
    func timesAreInOrderAndInView(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let start = ChartSample.start.milliseconds + Int64.random(in: -90_000_000_000...90_000_000_000, using: &random)
        let length = Int64(pow(10, Double.random(in: 1...11, using: &random)))
        let span = WallTime(milliseconds: start)..<WallTime(milliseconds: start + length)
        let offset = Int.random(in: -48...56, using: &random) * 900
        let clock = ChartClock.local([.init(since: span.lowerBound, seconds: offset)])
        let count = Int.random(in: 2...12, using: &random)
        let ticks = timeTicks(span, clock, count: count)
        #expect(ticks.count <= count + 1)
        #expect(ticks.allSatisfy { $0.time >= start && $0.time <= start + length })
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.label != $1.label }, "\(ticks.map(\.label))")
        for tick in ticks where tick.label.contains(":") {
            let shown = (tick.time + Int64(offset) * 1_000).floored(by: 86_400_000).remainder
            #expect(tick.label.hasPrefix(clockText(shown, hasSeconds: false)), "\(tick)")
        }
    }
}
