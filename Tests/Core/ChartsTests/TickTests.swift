import Glibc
import Market
import Testing
import Time

@testable import Charts

struct TickTests {
    @Test func ticksAreRoundNumbers() {
        let texts = { (low: Double, high: Double, count: Int) -> [String] in
            let ticks = ValueTicks.linear(low, high, count: count)
            return ticks.ticks.map { ChartUnit.plain.tickText($0, decimals: ticks.decimals, hasUnicode: true) }
        }
        #expect(
            texts(7_400_000, 7_600_000, 4) == ["7,400,000", "7,450,000", "7,500,000", "7,550,000", "7,600,000"])
        #expect(
            texts(0.000_000_38, 0.000_000_43, 5) == [
                "0.00000038", "0.00000039", "0.00000040", "0.00000041", "0.00000042", "0.00000043",
            ])
        #expect(texts(-1.2, 1.1, 5) == ["-1.0", "-0.5", "0.0", "0.5", "1.0"])
        #expect(texts(0, 100, 5) == ["0", "20", "40", "60", "80", "100"])
    }

    @Test func impossibleRangesHaveNoTicks() {
        for (low, high) in [(1.0, 1.0), (2, 1), (.nan, 1), (0, .infinity), (1e300, 2e300), (1e17, 1e17 + 16)] {
            #expect(ValueTicks.linear(low, high, count: 5).ticks.count <= 12)
            #expect(ValueTicks.logarithmic(low, high, count: 5).ticks.count <= 12)
        }
        #expect(ValueTicks.linear(1, 1, count: 5) == .none)
    }

    @Test func logarithmicTicksAreOneTwoFive() {
        let texts = { (low: Double, high: Double) in
            ValueTicks.logarithmic(low, high, count: 8).ticks.map { "\($0.reduced)" }
        }
        #expect(texts(0.9, 120) == ["1", "2", "5", "10", "20", "50", "100"])
        #expect(texts(0.5, 9_000) == ["1", "3", "10", "30", "100", "300", "1000", "3000"])
        // Less than a decade: as on a linear axis.
        #expect(texts(100, 140) == ["100", "105", "110", "115", "120", "125", "130", "135", "140"])
    }

    @Test func theLogarithmIsThatOfTheMathLibrary() {
        for value in [1e-18, 4.9e-7, 0.5, 0.999_999, 1, 1.000_001, 2, 2.718_281_828, 73_216, 1e18] {
            #expect(abs(logarithm(value) - Glibc.log(value)) < 1e-11)
        }
    }

    @Test func timesAreOnTheClockOfTheReader() {
        let day = ChartSample.span()
        #expect(timeTicks(day, .utc, count: 4).map(\.label) == ["Nov 21", "06:00", "12:00", "18:00", "Nov 22"])
        let zone = ChartClock.local([.init(since: ChartSample.start, seconds: 19_800)])
        let ticks = timeTicks(day, zone, count: 4)
        #expect(ticks.map(\.label) == ["06:00", "12:00", "18:00", "Nov 22"])
        #expect(ticks.first?.time == ChartSample.start.milliseconds + 1_800_000)
        #expect(ticks.map(\.isMajor) == [false, false, false, true])
    }

    /// On 2026-10-25, clocks in Stockholm went from 03:00 back to 02:00.
    @Test func ticksFollowAChangeOfClocks() throws {
        let start = try #require(WallTime(rfc3339: "2026-10-24T22:00:00Z"))
        let change = try #require(WallTime(rfc3339: "2026-10-25T01:00:00Z"))
        let clock = ChartClock.local([.init(since: start, seconds: 7_200), .init(since: change, seconds: 3_600)])
        let ticks = timeTicks(start..<WallTime(milliseconds: start.milliseconds + 43_200_000), clock, count: 4)
        #expect(ticks.map(\.label) == ["Oct 25", "03:00", "06:00", "09:00"])
        #expect(ticks.map { ($0.time - start.milliseconds) / 3_600_000 } == [0, 4, 7, 10])
    }

    @Test func longerTimesHaveLongerSteps() {
        let labels = { (seconds: Int64) in
            timeTicks(ChartSample.span(milliseconds: seconds * 1_000), .utc, count: 4).map(\.label)
        }
        #expect(labels(90) == ["Nov 21", "00:00:30", "00:01:00", "00:01:30"])
        #expect(labels(7 * 86_400) == ["Nov 21", "Nov 23", "Nov 25", "Nov 27"])
        #expect(labels(30 * 86_400) == ["Nov 23", "Dec 7", "Dec 21"])
        #expect(labels(400 * 86_400) == ["2027", "Jul"])
        #expect(labels(4_000 * 86_400) == ["2030", "2035"])
    }

    @Test func elapsedTimesAreDurations() {
        let ticks = timeTicks(
            ChartSample.span(milliseconds: 600_000), .elapsed(since: ChartSample.start), count: 4)
        #expect(ticks.map(\.label) == ["0s", "5m", "10m"])
    }
}
