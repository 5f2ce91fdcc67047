package import Time

/// A replacement for the kernel's timers in a simulation. No time passes while there is work to do; after that, as
/// much time passes as the simulation sets.
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
        /// Of two timers that are due at the same time, the one that was armed first fires first.
        var order: Int
    }

    private let clock: any TimeSource
    private var armed: [ObjectIdentifier: Armed] = [:]
    private var count = 0
    private var waiter: OneShot<Void, Never>?

    /// - Parameter clock: the source of the current time; it may change only between ``quiet()`` and ``fireDue()``.
    package init(_ clock: any TimeSource) {
        self.clock = clock
    }

    /// Waits until there is nothing to do now: no job is queued and no descriptor is ready. Only one task may wait.
    package func quiet() async {
        let waiter = OneShot<Void, Never>()
        self.waiter = waiter
        await waiter.wait()
    }

    /// The time of the next timer, or nil if none is armed.
    package var nextDue: BootTime? { armed.values.map(\.due).min() }

    /// Fires the timers that are due, in the order of their times.
    package func fireDue() {
        while fireNext() {}
    }

    /// Fires the first timer that is due.
    ///
    /// - Returns: false if none is due.
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

    /// Resumes the task that waits for ``quiet()``. The loop calls it when there is nothing to do now.
    func becameQuiet() {
        guard let waiter else { preconditionFailure("nothing is left to do, and no task waits for that") }
        self.waiter = nil
        waiter.finish(.success(()))
    }
}
