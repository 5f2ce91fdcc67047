import TestSupport
import Testing
import Time

struct MillisecondsTests {
    @Test(arguments: [
        ("0s", 0), ("0ms", 0), ("1ms", 1), ("250ms", 250), ("1s", 1_000), ("90s", 90_000), ("1m", 60_000),
        ("1h30m", 5_400_000), ("1d", 86_400_000), ("1d2h3m4s5ms", 93_784_005), ("30m1h", 5_400_000), ("1s1s", 2_000),
        ("007s", 7_000), ("36500d", 3_153_600_000_000), ("3153600000000ms", 3_153_600_000_000),
    ])
    func textIsRead(text: String, count: Int64) {
        #expect(Milliseconds(text) == Milliseconds(count))
    }

    @Test(arguments: [
        "", "5", "s", "m5", "5 s", " 5s", "5s ", "-5s", "+5s", "1.5h", "1e3s", "5S", "5sec", "5µs", "5us", "5w",
        "1h30",
        "h",
        "36501d", "36500d1ms", "3153600000001ms", "9223372036854775807ms", "99999999999999999999s",
        "9223372036854775807d",
        "5\0s", "5s\0", "٥s", "1s-1s", "5ss", "5mss",
    ])
    func otherTextsAreNone(text: String) {
        #expect(Milliseconds(text) == nil)
    }

    @Test(arguments: [
        (0, "0s"), (1, "1ms"), (999, "999ms"), (1_000, "1s"), (5_400_000, "1h30m"), (93_784_005, "1d2h3m4s5ms"),
        (-1_500, "-1s500ms"), (Int64.max, "106751991167d7h12m55s807ms"), (Int64.min, "-106751991167d7h12m55s808ms"),
    ])
    func lengthIsWritten(count: Int64, text: String) {
        #expect(Milliseconds(count).description == text)
    }

    @Test(arguments: [
        (0, "0s"), (400, "0.4s"), (999, "0.9s"), (3_000, "3s"), (3_999, "3s"), (130_500, "2m10s"), (3_600_000, "1h"),
        (3_661_000, "1h1m"), (100_800_000, "1d4h"), (-130_500, "-2m10s"), (-400, "-0.4s"), (86_399_999, "23h59m"),
        (Int64.max, "106751991167d7h"), (Int64.min, "-106751991167d7h"),
    ])
    func approximateHasTheTwoLargestUnits(count: Int64, text: String) {
        #expect(Milliseconds(count).approximate == text)
    }

    @Test(arguments: [
        (7, 7_000), (-7, -7_000), (Int64.max, Int64.max), (Int64.max / 1_000 + 1, Int64.max),
        (Int64.min, Int64.min + 1), (Int64.min / 1_000 - 1, Int64.min + 1),
    ])
    func secondsSaturate(seconds: Int64, count: Int64) {
        #expect(Milliseconds.seconds(seconds).count == count)
    }

    @Test func whatIsWrittenIsReadBack() {
        var random = SplitMix(seed: 2)
        for _ in 0..<2_000 {
            let length = Milliseconds(Int64.random(in: 0...3_153_600_000_000, using: &random))
            #expect(Milliseconds(length.description) == length)
        }
    }

    @Test func arithmeticStopsAtTheEnds() {
        #expect(Milliseconds.seconds(90) == Milliseconds(90_000))
        #expect(Milliseconds.seconds(.max) == Milliseconds(.max))
        #expect(Milliseconds(30_000).times(3) == Milliseconds(90_000))
        #expect(Milliseconds(.max).times(2) == Milliseconds(.max))
        #expect(Milliseconds(1).duration == .milliseconds(1))
        #expect(Milliseconds(1) < Milliseconds(2))
    }
}

struct InstantTests {
    @Test func differencesOfBootTimes() {
        let early = BootTime(milliseconds: 1_000)
        let late = early.advanced(by: Milliseconds(500))
        #expect(late.since(early) == Milliseconds(500))
        #expect(early.since(late) == Milliseconds(-500))
        #expect(early < late)
        #expect(BootTime(milliseconds: .max).advanced(by: Milliseconds(1)) == BootTime(milliseconds: .max))
    }

    @Test func differencesOfWallTimesStopAtTheEnds() {
        let (first, last) = (WallTime(milliseconds: .min), WallTime(milliseconds: .max))
        #expect(last.since(first) == Milliseconds(.max))
        #expect(first.since(last).count < 0)
        #expect(last.since(last) == .zero)
        #expect(first < last)
    }
}

/// Lengths of time as people type them.
struct WrittenDurationTests {
    @Test(
        arguments: [
            ("30m", "30m"), ("30min", "30m"), ("2 hours", "2h"), ("1h 30m", "1h30m"), ("1 h 30 min", "1h30m"),
            ("1 Day", "1d"), ("2weeks", "14d"), ("1w2d", "9d"), ("90 secs", "1m30s"), ("250msec", "250ms"),
            (" 5 m ", "5m"), ("0s", "0s"), ("5200w", "36400d"), ("", nil), (" ", nil), ("30", nil), ("m", nil),
            ("1.5h", nil), ("-1h", nil), ("1 fortnight", nil), ("1h30", nil), ("5300w", nil), ("1h, 30m", nil),
            ("9223372036854775807w", nil), ("1мin", nil),
        ] as [(String, String?)])
    func lengths(text: String, expected: String?) {
        #expect(Milliseconds.written(text)?.description == expected)
    }
}
