import ExchangeRates
import TestSupport
import Testing
import Time

@Suite("When reference rates apply")
struct PublicationTimeTests {
    /// 16:15 in Frankfurt: 15:15 UTC in winter, 14:15 UTC from the last Sunday of March to that of October.
    @Test(arguments: [
        ("2026-01-15", "15:15"), ("2026-03-28", "15:15"), ("2026-03-29", "14:15"), ("2026-03-30", "14:15"),
        ("2026-07-01", "14:15"), ("2026-10-24", "14:15"), ("2026-10-25", "15:15"), ("2026-10-31", "15:15"),
        ("2026-12-31", "15:15"), ("2024-03-31", "14:15"), ("2024-03-30", "15:15"), ("2023-10-29", "15:15"),
        ("2023-10-28", "14:15"), ("2021-03-31", "14:15"), ("2021-10-31", "15:15"), ("2021-10-30", "14:15"),
        ("1999-03-27", "15:15"), ("1999-03-28", "14:15"), ("1999-10-31", "15:15"), ("1999-10-30", "14:15"),
    ])
    func isInTheAfternoonOfTheDay(_ day: String, _ clock: String) throws {
        let date = try required(CivilDate(day))
        let time = date.ratesApplyFrom
        #expect(time == WallTime(rfc3339: "\(day)T\(clock):00Z"))
        #expect(time.ratesDate == date)
        let before = WallTime(milliseconds: time.milliseconds - 1)
        #expect(before.ratesDate.daysSinceEpoch == date.daysSinceEpoch - 1)
    }
}
