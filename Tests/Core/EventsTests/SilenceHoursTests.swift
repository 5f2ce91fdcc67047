import Market
import Testing
import Time

@testable import Events

/// Hours of silences, also in the nights in which clocks change.
struct SilenceHoursTests {
    /// What clocks show in a time zone in 2026: the offset in summer is an hour greater than in winter.
    private func local(_ zone: String) -> SilenceHours.LocalMinutes {
        let (spring, autumn, winter) =
            zone == "Europe/Stockholm"
            ? ("2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z", Int64(60))
            : ("2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z", -300)
        return { time in
            let isSummer = time >= WallTime(rfc3339: spring) ?? time && time < WallTime(rfc3339: autumn) ?? time
            return SilenceHours.utc(time) + winter + (isSummer ? 60 : 0)
        }
    }

    private func time(_ text: String) throws -> WallTime { try #require(WallTime(rfc3339: text)) }

    @Test(arguments: [
        ("22:00-07:00", nil, "22:00-07:00"), ("22:00-07:00", "mon-fri", "22:00-07:00 mon-fri"),
        ("00:00-24:00", "Sat,sunday", "00:00-24:00 sat,sun"), ("08:00-09:00", "fri-mon", "08:00-09:00 mon,fri,sat,sun"),
        ("08:00-09:00", "mon-sun", "08:00-09:00"), ("08:00-09:00", "wed", "08:00-09:00 wed"),
    ])
    func textsAreRead(hours: String, days: String?, text: String) throws {
        let read = try #require(SilenceHours(hours: hours, days: days))
        #expect("\(read)" == text && SilenceHours(text) == read)
    }

    @Test func aZoneIsPartOfThem() throws {
        let read = try #require(SilenceHours(hours: "22:00-07:00", days: "mon-fri", zone: "America/New_York"))
        #expect("\(read)" == "22:00-07:00 mon-fri America/New_York" && SilenceHours("\(read)") == read)
        #expect(SilenceHours("22:00-07:00 Asia/Kolkata")?.zone == "Asia/Kolkata")
        #expect(SilenceHours(hours: "22:00-07:00", zone: "../etc") == nil)
        #expect(SilenceHours("22:00-07:00 mon Asia/Kolkata x") == nil)
    }

    @Test(arguments: [
        "", "22:00", "22:00-22:00", "24:00-07:00", "22:00-07:00 ", "22:00-07:00 mo", "22:00-07:00 mon-",
        "22:00-07:00 mon,,tue", "22:00-07:00 mon-tue-wed", "22:00-07:00 x",
    ])
    func othersAreRefused(text: String) { #expect(SilenceHours(text) == nil) }

    /// 2026-11-20 is a Friday.
    @Test func aNightBelongsToTheDayOnWhichItBegins() throws {
        let hours = try #require(SilenceHours("22:00-07:00 fri"))
        for (text, end) in [
            ("2026-11-20T21:59:59Z", nil), ("2026-11-20T22:00:00Z", "2026-11-21T07:00:00Z"),
            ("2026-11-21T06:59:59.999Z", "2026-11-21T07:00:00Z"), ("2026-11-21T07:00:00Z", nil),
            ("2026-11-21T22:00:00Z", nil), ("2026-11-20T06:00:00Z", nil),
            ("1969-12-26T23:00:00Z", "1969-12-27T07:00:00Z"),
        ] as [(String, String?)] {
            #expect(hours.end(at: try time(text), SilenceHours.utc) == (try end.map { try time($0) }), "\(text)")
        }
    }

    @Test func aWholeDayEndsAtMidnight() throws {
        let weekend = try #require(SilenceHours("00:00-24:00 sat,sun"))
        for (text, end) in [
            ("2026-11-20T23:59:59Z", nil), ("2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
            ("2026-11-22T23:59:00Z", "2026-11-23T00:00:00Z"), ("2026-11-23T00:00:00Z", nil),
        ] as [(String, String?)] {
            #expect(weekend.end(at: try time(text), SilenceHours.utc) == (try end.map { try time($0) }), "\(text)")
        }
    }

    /// The night is an hour shorter in spring, and longer in autumn; it still begins at 22:00 and ends at 07:00.
    @Test(arguments: [
        ("Europe/Stockholm", "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"),
        ("Europe/Stockholm", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
        ("Europe/Stockholm", "2026-11-20T21:00:00Z", "2026-11-21T06:00:00Z"),
        ("America/New_York", "2026-03-08T03:00:00Z", "2026-03-08T11:00:00Z"),
        ("America/New_York", "2026-11-01T02:00:00Z", "2026-11-01T12:00:00Z"),
        ("America/New_York", "2026-11-21T03:00:00Z", "2026-11-21T12:00:00Z"),
    ])
    func summerTimeBeginsAndEnds(zone: String, from: String, to: String) throws {
        let clock = local(zone)
        let hours = try #require(SilenceHours("22:00-07:00"))
        let (start, end) = (try time(from), try time(to))
        #expect(hours.end(at: WallTime(milliseconds: start.milliseconds - 1), clock) == nil)
        #expect(hours.end(at: end, clock) == nil)
        for minutes in stride(from: 0, to: (end.milliseconds - start.milliseconds) / 60_000, by: 7) {
            let now = WallTime(milliseconds: start.milliseconds + minutes * 60_000)
            #expect(hours.end(at: now, clock) == end, "\(now)")
        }
    }

    /// A gap between 02:00 and 03:00 swallows hours in it, and an hour that comes twice is silenced twice.
    @Test func hoursInTheChangeItself() throws {
        let hours = try #require(SilenceHours("02:15-02:45"))
        let stockholm = local("Europe/Stockholm")
        let spring = try time("2026-03-29T00:30:00Z").milliseconds
        for minute in 0..<120 {
            #expect(hours.end(at: WallTime(milliseconds: spring + Int64(minute) * 60_000), stockholm) == nil)
        }
        for text in ["2026-10-25T00:20:00Z", "2026-10-25T01:20:00Z"] {
            #expect(hours.end(at: try time(text), stockholm) != nil, "\(text)")
        }
        #expect(hours.end(at: try time("2026-10-25T00:50:00Z"), stockholm) == nil)
    }

    @Test func aListHasItInForceInItsHours() throws {
        let start = Instant(boot: BootTime(milliseconds: 0), wall: try time("2026-11-20T12:00:00Z"))
        let hours = try #require(SilenceHours("22:00-07:00"))
        var list = SilenceList()
        let all = SymbolPattern("*")
        let daily = SilenceRequest(symbols: all, length: .lasting(.seconds(86_400 + 11 * 3_600)), daily: hours)
        _ = try list.add(daily, by: UserIdentity(id: 0, name: "root"), at: start)
        _ = try list.add(
            SilenceRequest(symbols: all, length: .lasting(.seconds(11 * 3_600))),
            by: UserIdentity(id: 0, name: "root"), at: start)
        func inForce(after hours: Int64) -> [Int64] {
            let count = hours * 3_600_000
            let now = Instant(
                boot: BootTime(milliseconds: count), wall: WallTime(milliseconds: start.wall.milliseconds + count))
            _ = list.update(at: now)
            let silences = list.inForce(at: now)
            #expect(silences.allSatisfy { !$0.isOver(at: now) })
            return silences.map(\.number)
        }
        #expect(list.hasHours)
        #expect(inForce(after: 9) == [2])
        // The one that ends later is named by events.
        #expect(inForce(after: 10) == [1, 2])
        #expect(inForce(after: 18) == [1])
        #expect(inForce(after: 19) == [] && list.hasHours)
        #expect(inForce(after: 34) == [1])
        // Its own end comes before that of the night.
        #expect(inForce(after: 35) == [] && !list.hasHours)
    }
}
