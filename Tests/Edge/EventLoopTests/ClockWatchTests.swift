import EventLoop
import Testing
import Time

struct ClockWatchTests {
    private func instant(boot: Int64, wall: Int64) -> Instant {
        Instant(boot: BootTime(milliseconds: boot), wall: WallTime(milliseconds: wall))
    }

    @Test func timeThatPassesIsNoChange() {
        var clocks = ClockWatch(instant(boot: 0, wall: 1_000_000), asleep: Milliseconds(500))
        // Read to the millisecond, one after the other, and turned by a time service.
        #expect(clocks.check(instant(boot: 30_000, wall: 1_030_001), asleep: Milliseconds(501)).isEmpty)
        #expect(clocks.check(instant(boot: 60_000, wall: 1_064_999), asleep: Milliseconds(499)).isEmpty)
        #expect(clocks.check(instant(boot: 90_000, wall: 1_099_997), asleep: Milliseconds(1_498)).isEmpty)
    }

    @Test func aSuspendIsSeenOnce() {
        var clocks = ClockWatch(instant(boot: 0, wall: 1_000_000), asleep: .zero)
        let later = instant(boot: 28_800_000, wall: 29_800_400)
        #expect(clocks.check(later, asleep: Milliseconds(28_790_000)) == [.resumed(after: Milliseconds(28_790_000))])
        #expect(clocks.check(later, asleep: Milliseconds(28_790_000)).isEmpty)
    }

    @Test(arguments: [5_000, 3_600_000, -5_000, -86_400_000] as [Int64])
    func aClockThatIsSetIsSeenOnce(jump: Int64) {
        var clocks = ClockWatch(instant(boot: 0, wall: 1_000_000_000), asleep: .zero)
        let later = instant(boot: 30_000, wall: 1_000_030_000 + jump)
        #expect(clocks.check(later, asleep: .zero) == [.set(by: Milliseconds(jump))])
        #expect(clocks.check(later, asleep: .zero).isEmpty)
    }

    @Test func bothCanHappenAtOnce() {
        var clocks = ClockWatch(instant(boot: 0, wall: 0), asleep: .zero)
        let changes = clocks.check(instant(boot: 60_000, wall: 160_000), asleep: Milliseconds(50_000))
        #expect(changes == [.resumed(after: Milliseconds(50_000)), .set(by: Milliseconds(100_000))])
    }

    @Test func theMachinesClocksAgree() {
        let clock = SystemClock()
        #expect(clock.asleep() >= Milliseconds(-1))
        var clocks = ClockWatch(clock.now(), asleep: clock.asleep())
        #expect(clocks.check(clock.now(), asleep: clock.asleep()).isEmpty)
    }
}
