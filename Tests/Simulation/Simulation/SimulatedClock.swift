internal import EventLoop
internal import Synchronization
internal import Time

/// Random numbers that are always the smallest of a range.
struct SteadyRandom: RandomNumberGenerator, Sendable {
    mutating func next() -> UInt64 { 1 << 40 }
}

/// The clocks of the simulated machine.
final class SimulatedClock: TimeSource {
    private struct State {
        var boot: Int64 = 1_000_000
        /// Wall time less boot time.
        var offset: Int64
        var asleep: Int64 = 0
        var boots = 1
    }

    private let state: Mutex<State>

    /// - Parameter wall: the wall time of the start, in milliseconds.
    init(wall: Int64) {
        state = Mutex(State(offset: wall - 1_000_000))
    }

    func now() -> Instant {
        state.withLock {
            Instant(boot: BootTime(milliseconds: $0.boot), wall: WallTime(milliseconds: $0.boot + $0.offset))
        }
    }

    func asleep() -> Milliseconds { state.withLock { Milliseconds($0.asleep) } }

    /// Identifies the boot.
    var bootID: String { state.withLock { "boot \($0.boots)" } }

    func advance(to boot: BootTime) {
        state.withLock { $0.boot = max($0.boot, boot.milliseconds) }
    }

    func suspend(for length: Milliseconds) {
        state.withLock {
            $0.boot += length.count
            $0.asleep += length.count
        }
    }

    /// Sets the wall clock forward, or back when the length is negative; not to before 1970.
    func stepWall(by length: Milliseconds) {
        state.withLock { $0.offset = max($0.offset + length.count, 86_400_000 - $0.boot) }
    }

    /// Boots again, this much later.
    func reboot(after length: Milliseconds, bootTime: Int64) {
        state.withLock {
            let wall = $0.boot + $0.offset + length.count
            $0.boot = bootTime
            $0.offset = wall - bootTime
            $0.asleep = 0
            $0.boots += 1
        }
    }
}
