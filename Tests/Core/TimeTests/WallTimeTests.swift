import TestSupport
import Testing
import Time

struct WallTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("1969-12-31T23:59:59.999Z", -1),
        ("2026-11-21T05:22:44.123Z", 1_795_238_564_123), ("2026-11-21 06:22:44.123+01:00", 1_795_238_564_123),
        ("2026-11-20t20:52:44.123-08:30", 1_795_238_564_123), ("2026-11-21T05:22:44.123999999z", 1_795_238_564_123),
        ("2026-11-21T05:22:44.1Z", 1_795_238_564_100), ("2026-11-21T05:22:44.12Z", 1_795_238_564_120),
        ("2000-02-29T12:00:00Z", 951_825_600_000), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ("1972-06-30T23:59:60Z", 78_796_800_000), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("1970-01-01T00:00:00-00:00", 0),
        ("0000-01-01T00:00:00+23:59", -62_167_305_540_000), ("9999-12-31T23:59:59.999-23:59", 253_402_387_139_999),
    ])
    func textIsRead(text: String, milliseconds: Int64) {
        #expect(WallTime(rfc3339: text) == WallTime(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "", "2026", "2026-11-21", "2026-11-21T05:22:44", "2026-11-21T05:22Z", "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-11-31T00:00:00Z", "2026-11-00T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T05:60:00Z", "2026-11-21T05:22:61Z", "2026-11-21T05:22:44.Z",
        "2026-11-21T05:22:44.1234567890Z", "2026-11-21T05:22:44,5Z", "2026-11-21T05:22:44ZZ", " 2026-11-21T05:22:44Z",
        "2026-11-21T05:22:44Z ", "2026-11-21T05:22:44+0100", "2026-11-21T05:22:44+1:00", "2026-11-21T05:22:44+24:00",
        "2026-11-21T05:22:44+01:60", "2026-11-21T05:22:44+", "26-11-21T05:22:44Z", "12026-11-21T05:22:44Z",
        "-2026-11-21T05:22:44Z", "+026-11-21T05:22:44Z", "2026/11/21T05:22:44Z", "2026-1-21T05:22:44Z",
        "2026-11-21_05:22:44Z", "2026-11-21T05:22:4\0Z", "２０２６-11-21T05:22:44Z", "2026-11-21T-5:22:44Z",
        "2026-11-21T05:22:44.-1Z", "not a time",
    ])
    func otherTextsAreNone(text: String) {
        #expect(WallTime(rfc3339: text) == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (1_795_238_564_123, "2026-11-21T05:22:44.123Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (-62_167_219_200_001, "0000-01-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "9999-12-31T23:59:59.999Z"),
        (Int64.min, "0000-01-01T00:00:00.000Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    ])
    func timeIsWritten(milliseconds: Int64, text: String) {
        #expect(WallTime(milliseconds: milliseconds).description == text)
    }

    @Test func whatIsWrittenIsReadBack() {
        var random = SplitMix(seed: 13)
        for _ in 0..<5_000 {
            let time = WallTime(milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
            #expect(WallTime(rfc3339: time.description) == time)
        }
    }

    @Test func everyDayFollowsTheOneBefore() throws {
        let first = try #require(CivilDate(year: 0, month: 1, day: 1))
        var days = first.daysSinceEpoch
        let monthLengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var wrong: [String] = []
        for year in Int64(0)...9_999 {
            let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
            for month in Int64(1)...12 {
                let length = month == 2 && isLeap ? 29 : monthLengths[Int(month) - 1]
                for day in [1, length] {
                    let date = CivilDate(year: year, month: month, day: day)
                    if date?.daysSinceEpoch != days + day - 1 || date != CivilDate(daysSinceEpoch: days + day - 1) {
                        wrong.append("\(year)-\(month)-\(day)")
                    }
                }
                if CivilDate(year: year, month: month, day: length + 1) != nil { wrong.append("\(year)-\(month)") }
                days += length
            }
        }
        #expect(wrong.isEmpty)
        #expect(CivilDate(daysSinceEpoch: days - 1) == CivilDate(year: 9_999, month: 12, day: 31))
    }

    @Test func datesOutsideAreNone() {
        for (year, month, day) in [
            (-1, 1, 1), (10_000, 1, 1), (2_026, 0, 1), (2_026, 13, 1), (2_026, 1, 0), (2_026, 1, 32),
            (.min, .min, .min),
            (.max, .max, .max),
        ] as [(Int64, Int64, Int64)] {
            #expect(CivilDate(year: year, month: month, day: day) == nil)
        }
        #expect(CivilDate(year: 7, month: 3, day: 9)?.description == "0007-03-09")
    }
}

@Suite("Dates as text")
struct CivilDateTextTests {
    @Test(arguments: ["2026-11-21", "2024-02-29", "0000-01-01"])
    func areReadBack(_ text: String) {
        #expect(CivilDate(text)?.description == text)
    }

    @Test(arguments: ["", "2026-11-21T", "2026-1-21", "2026-02-29", "2026-11-31", "2026/11/21"])
    func othersAreRefused(_ text: String) {
        #expect(CivilDate(text) == nil)
    }
}
