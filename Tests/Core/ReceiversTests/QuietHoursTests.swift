import Events
import Testing
import Time

@testable import Receivers

struct QuietHoursTests {
    @Test(arguments: [
        ("23:00-07:00", 23 * 60, true), ("23:00-07:00", 22 * 60 + 59, false), ("23:00-07:00", 0, true),
        ("23:00-07:00", 7 * 60 - 1, true), ("23:00-07:00", 7 * 60, false), ("12:00-13:30", 12 * 60, true),
        ("12:00-13:30", 13 * 60 + 30, false), ("00:00-23:59", 23 * 60 + 59, false),
    ])
    func minutesOfTheDay(text: String, minute: Int, isQuiet: Bool) throws {
        let hours = try #require(QuietHours(text))
        #expect(hours.hours.contains(minute: minute) == isQuiet)
        #expect("\(hours)" == text)
    }

    @Test(arguments: ["", "23:00", "23:00-23:00", "24:00-07:00", "23:60-07:00", "9:00-10:00", "23:00–07:00", "a-b"])
    func othersAreRefused(text: String) {
        #expect(QuietHours(text) == nil)
    }

    @Test func restEndsAtTheMinute() throws {
        let hours = try #require(QuietHours("23:00-07:00"))
        // 23:30:15.500 of a clock in UTC.
        let now = WallTime(milliseconds: 84_615_500)
        #expect(hours.rest(at: now, utc) == Milliseconds(26_984_500))
        #expect(hours.rest(at: WallTime(milliseconds: 12 * 3_600_000), utc) == nil)
    }

    /// The clock jumps by an hour at 02:00: the night is an hour shorter or longer, but still ends at 07:00.
    @Test(arguments: [60, -60])
    func changesOfSummerTimeMoveTheEnd(jump: Int) throws {
        let hours = try #require(QuietHours("23:00-07:00"))
        let change = Int64(26 * 60)
        let clock = { (time: WallTime) in
            let minute = time.milliseconds / 60_000
            return minute + (minute >= change ? Int64(jump) : 0)
        }
        let now = WallTime(milliseconds: 23 * 3_600_000)
        let rest = try #require(hours.rest(at: now, clock))
        #expect(rest == .seconds(Int64((8 * 60 - jump) * 60)))
        #expect(clock(WallTime(milliseconds: now.milliseconds + rest.count)) % 1_440 == 7 * 60)
    }

    /// Hours that end while the clock is put forward end then, and are looked at once a minute until then.
    @Test func anEndThatTheClockSkipsIsFound() throws {
        let hours = try #require(QuietHours("23:00-02:30"))
        let clock = { (time: WallTime) in
            let minute = time.milliseconds / 60_000
            return minute + (minute >= 26 * 60 ? 60 : 0)
        }
        var (time, steps) = (WallTime(milliseconds: 23 * 3_600_000 + 500), 0)
        while let rest = hours.rest(at: time, clock), steps < 1_000 {
            time = WallTime(milliseconds: time.milliseconds + rest.count)
            steps += 1
        }
        #expect(time == WallTime(milliseconds: 26 * 3_600_000) && steps < 40, "\(time) \(steps)")
        let isOutside = { (length: Milliseconds) in
            hours.isOutside(
                longerThan: length, from: WallTime(milliseconds: 22 * 3_600_000),
                to: WallTime(milliseconds: 27 * 3_600_000), clock)
        }
        #expect(isOutside(Milliseconds(2 * 3_600_000 - 1)) && !isOutside(.seconds(2 * 3_600)))
    }

    /// From one hour to another, of a clock in UTC, and how many hours are not quiet.
    @Test(arguments: [
        ("23:00-07:00", 22, 24, 1), ("23:00-07:00", 23, 31, 0), ("23:00-07:00", 20, 56, 20), ("23:00-07:00", 8, 9, 1),
        ("00:00-07:00", 1, 25, 17), ("07:00-24:00", 1, 25, 7), ("00:00-24:00", 1, 25, 24), ("23:00-07:00", 9, 8, 0),
        ("12:00-13:00", 0, 240, 230),
    ])
    func theTimeOutside(text: String, start: Int64, end: Int64, hours: Int64) throws {
        let quiet = try #require(QuietHours(text))
        let isOutside = { (length: Milliseconds) in
            quiet.isOutside(
                longerThan: length, from: WallTime(milliseconds: start * 3_600_000),
                to: WallTime(milliseconds: end * 3_600_000), utc)
        }
        #expect(!isOutside(.seconds(hours * 3_600)))
        #expect(hours == 0 || isOutside(Milliseconds(hours * 3_600_000 - 1)))
    }

    /// At an hour, when an event happened at another one and more than an hour may be outside: the hours to wait.
    @Test(arguments: [
        ("23:00-07:00", 8, 8, 1), ("23:00-07:00", 22, 22, 1), ("23:00-07:00", 22, 23, 8), ("23:00-07:00", 23, 29, 2),
        ("23:00-07:00", 23, 31, 1), ("23:00-07:00", 22, 31, 0), ("00:00-24:00", 3, 3, 1), ("00:00-24:00", 3, 9, 0),
        ("23:00-07:00", 12, 8, 1), ("00:00-24:00", 12, 8, 1),
    ])
    func theWaitUntilMoreIsOutside(text: String, start: Int64, now: Int64, hours: Int64) throws {
        let quiet = try #require(QuietHours(text))
        let wait = quiet.wait(
            untilOutside: .seconds(3_600), from: WallTime(milliseconds: start * 3_600_000),
            now: WallTime(milliseconds: now * 3_600_000), utc)
        let isQuiet = text == "23:00-07:00" && quiet.hours.contains(minute: Int(now % 24 * 60))
        #expect(wait == Milliseconds(hours * 3_600_000 + (isQuiet ? 0 : 1)))
    }

    /// The clock was in 1970 when an event happened, and there may be thousands of them.
    @Test func decadesAreNotLookedAt() throws {
        let quiet = try #require(QuietHours("23:00-07:00"))
        var count = 0
        let isOutside = quiet.isOutside(
            longerThan: .seconds(6 * 3_600), from: WallTime(milliseconds: 0),
            to: WallTime(milliseconds: 1_790_000_000_000)
        ) { time in
            count += 1
            return utc(time)
        }
        #expect(isOutside && count < 20)
    }

    private let utc = SilenceHours.utc

    // MARK: Days and zones

    /// The clock of a place in Europe: an hour ahead of UTC in winter, two in summer.
    private func stockholm(_ time: WallTime) throws -> Int64 {
        let summer = try self.time("2026-03-29T01:00:00Z")..<self.time("2026-10-25T01:00:00Z")
        return SilenceHours.utc(time) + (summer.contains(time) ? 120 : 60)
    }

    private func time(_ text: String) throws -> WallTime { try #require(WallTime(rfc3339: text)) }

    @Test(arguments: [
        ("22:00-07:00 mon-fri", "22:00-07:00 mon-fri", nil), ("22:00-07:00 Mon-Fri", "22:00-07:00 mon-fri", nil),
        ("22:00-07:00 Europe/Stockholm", "22:00-07:00 Europe/Stockholm", "Europe/Stockholm"),
        ("00:00-24:00  sat,sun  UTC", "00:00-24:00 sat,sun UTC", "UTC"),
    ])
    func daysAndAZoneMayFollow(text: String, shown: String, zone: String?) throws {
        let quiet = try #require(QuietHours(text))
        #expect("\(quiet)" == shown && quiet.zone == zone)
    }

    @Test(arguments: [
        "mon-fri", "22:00-07:00 someday", "22:00-07:00 mon-fri ../etc", "22:00-07:00 mon-fri Europe/Stockholm x",
        "22:00-07:00 Europe/Stockholm mon-fri", " ",
    ])
    func otherWordsAreRefused(text: String) { #expect(QuietHours(text) == nil) }

    /// The night of a change is an hour shorter or longer, and still ends at 07:00 there.
    @Test(arguments: [
        ("2026-03-28T21:00:00Z", 8 as Int64), ("2026-10-24T20:00:00Z", 10), ("2026-11-20T21:00:00Z", 9),
    ])
    func aNightInItsZone(start: String, length: Int64) throws {
        let quiet = try #require(QuietHours("22:00-07:00 Europe/Stockholm"))
        let local = { (time: WallTime) in (try? self.stockholm(time)) ?? 0 }
        let begin = try time(start)
        #expect(quiet.rest(at: begin, local) == .seconds(length * 3_600))
        #expect(quiet.rest(at: WallTime(milliseconds: begin.milliseconds - 1), local) == nil)
        // From noon to noon.
        let (from, to) = (begin.milliseconds - 10 * 3_600_000, begin.milliseconds + (length + 5) * 3_600_000)
        let outside = { (length: Int64) in
            quiet.isOutside(
                longerThan: Milliseconds(length), from: WallTime(milliseconds: from), to: WallTime(milliseconds: to),
                local)
        }
        #expect(outside(15 * 3_600_000 - 1) && !outside(15 * 3_600_000))
    }

    /// 2026-11-20 is a Friday.
    @Test func aDayWithoutThemCountsAsAWhole() throws {
        let quiet = try #require(QuietHours("22:00-07:00 mon-thu"))
        #expect(quiet.rest(at: try time("2026-11-20T23:00:00Z"), utc) == nil)
        #expect(quiet.rest(at: try time("2026-11-20T06:00:00Z"), utc) == .seconds(3_600), "of the night before")
        let outside = { (length: Int64) throws in
            quiet.isOutside(
                longerThan: .seconds(length * 3_600), from: try self.time("2026-11-20T07:00:00Z"),
                to: try self.time("2026-11-24T07:00:00Z"), self.utc)
        }
        // Until Monday at 22:00.
        #expect(try outside(86) && !outside(87))
        let weekend = try #require(QuietHours("00:00-24:00 sat,sun"))
        #expect(weekend.rest(at: try time("2026-11-22T23:00:00Z"), utc) == .seconds(3_600))
        let saturday = try time("2026-11-21T12:00:00Z")
        let wait = weekend.wait(untilOutside: .seconds(3_600), from: saturday, now: saturday, utc)
        #expect(wait == .seconds(12 * 3_600))
        #expect(
            !weekend.isOutside(
                longerThan: .zero, from: saturday, to: try time("2026-11-23T00:00:00Z"), utc))
    }
}
