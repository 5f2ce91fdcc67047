internal import CSystemd.Event
internal import Glibc
internal import UnixSockets

/// A timer that calls its action once at a given time. It can be armed again, and its clock keeps running during
/// suspend.
@safe
@LoopActor
package final class LoopTimer {
    private let action: @LoopActor () -> Void
    private let priority: LoopPriority
    private var source: OpaquePointer?
    private let accuracyMicroseconds: UInt64

    /// Creates a timer that is not armed.
    ///
    /// - Parameters:
    ///   - accuracy: the delay that is acceptable, which lets the kernel combine wake-ups.
    ///   - priority: the priority of the timer when several event sources are ready.
    ///   - action: called on the loop. The timer is no longer armed then, and the action may arm it again.
    package init(
        accuracy: Duration = .milliseconds(1), priority: LoopPriority = .standard,
        action: @escaping @LoopActor () -> Void
    ) {
        self.action = action
        self.priority = priority
        accuracyMicroseconds = max(1, accuracy.microseconds)
    }

    isolated deinit {
        Loop.shared.virtualTime?.disarm(ObjectIdentifier(self))
        unsafe sd_event_source_disable_unref(source)
    }

    /// True while the timer is set.
    package var isArmed: Bool {
        if let virtual = Loop.shared.virtualTime { return virtual.isArmed(self) }
        guard let source = unsafe source else { return false }
        var state: Int32 = 0
        return unsafe sd_event_source_get_enabled(source, &state) > 0
    }

    /// Arms the timer: the action runs after `delay`. Replaces an earlier time.
    package func arm(after delay: Duration) {
        if let virtual = Loop.shared.virtualTime { return virtual.arm(self, after: delay) }
        let time = Self.time(after: delay)
        if let source = unsafe source {
            check(unsafe sd_event_source_set_time(source, time), "sd_event_source_set_time")
            let enabled = unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
            check(enabled, "sd_event_source_set_enabled")
            return
        }
        let status = unsafe sd_event_add_time(
            Loop.shared.event, &source, CLOCK_BOOTTIME, time, accuracyMicroseconds, timerExpired,
            Unmanaged.passUnretained(self).toOpaque())
        check(status, "sd_event_add_time")
        unsafe setPriority(priority, of: source)
    }

    fileprivate func dispatch() {
        Loop.shared.didDispatch(priority)
        action()
    }

    /// Returns the time after a delay, in microseconds on the boottime clock. A relative time of sd-event counts from
    /// when the loop last woke up, so the timer would expire too early after a long turn.
    private static func time(after delay: Duration) -> UInt64 {
        var now = timespec()
        // The call fails only for a clock that does not exist.
        unsafe clock_gettime(CLOCK_BOOTTIME, &now)
        let microseconds = UInt64(now.tv_sec) &* 1_000_000 &+ UInt64(now.tv_nsec) / 1_000
        return microseconds &+ delay.microseconds
    }

    /// Calls the action in virtual time.
    func fire() { action() }

    /// Cancels the timer until it is armed again.
    package func disarm() {
        if let virtual = Loop.shared.virtualTime { return virtual.disarm(ObjectIdentifier(self)) }
        guard let source = unsafe source else { return }
        check(unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
    }
}

/// Handles the expiry of the timer. This is a separate function because a closure in code of ``LoopActor`` would
/// check its isolation at run time.
private func timerExpired(_: OpaquePointer?, _: UInt64, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = unsafe context else { return 0 }
    let timer = unsafe Unmanaged<LoopTimer>.fromOpaque(context)
    LoopActor.assumeIsolated { unsafe timer.takeUnretainedValue().dispatch() }
    return 0
}

/// Waits on the loop for the given time.
///
/// - Throws: `CancellationError` as soon as the task is cancelled.
@LoopActor
package func sleep(for delay: Duration) async throws(CancellationError) {
    let wait = OneShot<Void, CancellationError>()
    let timer = LoopTimer { wait.finish(.success(())) }
    timer.arm(after: delay)
    defer { timer.disarm() }
    do {
        try await wait.value(onCancel: CancellationError())
    } catch {
        throw error
    }
}

extension Duration {
    /// Whole microseconds, rounded up; 0 for a negative duration, at most about 146,000 years.
    var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
        return overflow
            ? .max / 4 : min(product, .max / 4) + (UInt64(attoseconds) + 999_999_999_999) / 1_000_000_000_000
    }
}

func setPriority(_ priority: LoopPriority, of source: OpaquePointer?) {
    check(unsafe sd_event_source_set_priority(source, priority.eventPriority), "sd_event_source_set_priority")
}

/// Traps if a call failed. Only for calls that cannot fail unless this module has a bug.
func check(_ status: Int32, _ call: StaticString) {
    precondition(status >= 0, "\(call): \(describe(errorNumber: -status))")
}
