import Configuration
import EventLoop
import Events
import Foundation
import Market
import Synchronization
import TestSupport
import Testing
import Time

@testable import AlertDaemon

@Suite("Clocks on walls elsewhere")
struct WallClockTests {
    /// One zone, an hour and a half ahead of UTC, as long as it is there.
    private final class Zones: SettingsFiles {
        let state = Mutex((isThere: true, reads: 0))

        func contents(of path: String, limit: Int) -> FileAnswer<[UInt8]> {
            let isThere = state.withLock { state in
                state.reads += 1
                return state.isThere
            }
            guard isThere, path == "/usr/share/zoneinfo/Test/Zone" else { return .missing }
            var part = [UInt8]("TZif2".utf8)
            part += [UInt8](repeating: 0, count: 15)
            for count in [0, 0, 0, 0, 1, 1] as [UInt8] { part += [0, 0, 0, count] }
            part += [UInt8](repeating: 0, count: 7)
            return .found(part + part + [UInt8]("\n<X>-1:30\n".utf8))
        }

        func names(in folder: String) -> FileAnswer<[String]> { .missing }
    }

    @Test func aZoneIsReadOnceAndAskedForAgainWhenItIsNamed() async throws {
        try await onLoop {
            let zones = Zones()
            let clock = WallClock(zones)
            let time = WallTime(milliseconds: 1_700_000_000_000)
            #expect(clock.minutes(in: "Test/Zone")(time) == SilenceHours.utc(time) + 90)
            #expect(
                clock.minutes(in: "Test/Zone")(time) == SilenceHours.utc(time) + 90
                    && zones.state.withLock { $0.reads } == 1)
            #expect(clock.minutes(in: "Other/Zone")(time) == localMinutes(time), "the machine's own")
            #expect(clock.minutes(in: nil)(time) == localMinutes(time))
            #expect(clock.knows("Test/Zone") && !clock.knows("Other/Zone") && !clock.knows("../Zone"))
            zones.state.withLock { $0.isThere = false }
            #expect(!clock.knows("Test/Zone"))
        }
    }

    /// 22:00 to 23:00 in the zone is 20:30 to 21:30 in UTC.
    @Test func aSilenceHoldsInTheHoursOfItsZone() async throws {
        try await onLoop {
            var list = SilenceList()
            let start = SmallDaemon.start
            let midnight = WallTime(milliseconds: start.wall.milliseconds / 86_400_000 * 86_400_000)
            let hours = try #require(SilenceHours("22:00-23:00 Test/Zone"))
            _ = try list.add(
                SilenceRequest(symbols: .init("*"), length: .lasting(SilenceList.longest), daily: hours),
                by: SmallDaemon.anna, at: start)
            let clock = WallClock(Zones())
            for (minute, isSilent) in [(1_229, false), (1_230, true), (1_289, true), (1_290, false)] as [(Int64, Bool)]
            {
                let wall = WallTime(milliseconds: midnight.milliseconds + (1_440 + minute) * 60_000)
                let now = Instant(boot: start.boot, wall: wall)
                #expect(list.inForce(at: now) { clock.minutes(in: $0) }.isEmpty != isSilent, "\(minute)")
            }
        }
    }
}
