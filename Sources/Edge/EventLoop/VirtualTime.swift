package import Time

/// Takes the place of the kernel's timers in a simulation: no time passes while there is something to do, and then as
/// much as the simulation wants.
///
/// ```swift
/// let time = VirtualTime(clock)
/// Loop.shared.virtualTime = time
/// await time.quiet()
/// clock.set(time.nextDue)
/// time.fireDue()
/// ```
@LoopActor
package final class VirtualTime {
    private struct Armed {
        weak var timer: LoopTimer?
        var due: BootTime
        /// Of two timers for the same time, the one that was set first fires first.
        var order: Int
    }

    private let clock: any TimeSource
    private var armed: [ObjectIdentifier: Armed] = [:]
    private var count = 0
    private var waiter: OneShot<Void, Never>?

    /// - Parameter clock: the present; it changes only between ``quiet()`` and ``fireDue()``.
    package init(_ clock: any TimeSource) {
        self.clock = clock
    }

    /// Waits until nothing is left to do now: no job is queued and no descriptor is ready. One task may wait.
    package func quiet() async {
        let waiter = OneShot<Void, Never>()
        self.waiter = waiter
        await waiter.wait()
    }

    /// The time of the next timer; nil when none is armed.
    package var nextDue: BootTime? { armed.values.map(\.due).min() }

    /// Fires the timers whose time has come, in the order of their times.
    package func fireDue() {
        while fireNext() {}
    }

    /// Fires the first of the timers whose time has come.
    ///
    /// - Returns: false when there is none.
    package func fireNext() -> Bool {
        let now = clock.now().boot
        guard let next = armed.min(by: { ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order) }),
            next.value.due <= now
        else { return false }
        armed[next.key] = nil
        next.value.timer?.fire()
        return true
    }

    func arm(_ timer: LoopTimer, after delay: Duration) {
        count += 1
        let milliseconds = Milliseconds(Int64(clamping: (delay.microseconds + 999) / 1_000))
        let due = clock.now().boot.advanced(by: milliseconds)
        armed[ObjectIdentifier(timer)] = Armed(timer: timer, due: due, order: count)
    }

    func disarm(_ timer: ObjectIdentifier) {
        armed[timer] = nil
    }

    func isArmed(_ timer: LoopTimer) -> Bool { armed[ObjectIdentifier(timer)] != nil }

    /// The loop has nothing left to do now.
    func becameQuiet() {
        guard let waiter else { preconditionFailure("nothing is left to do, and no task waits for that") }
        self.waiter = nil
        waiter.finish(.success(()))
    }
}
