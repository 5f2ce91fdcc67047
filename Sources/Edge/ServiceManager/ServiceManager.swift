internal import CSystemd.Daemon
internal import Glibc

/// The service manager, which is notified of the state of the daemon with datagrams to the socket in `NOTIFY_SOCKET`.
///
/// Without a service manager, or if it is not listening, calls do nothing; this is not an error.
package struct ServiceManager: Sendable {
    /// The maximum length of a status in bytes of UTF-8: a line that `systemctl status` can show, far below the limit
    /// of a datagram.
    package static let statusLimitBytes = 512

    private let queue = NotificationQueue()

    /// True if there is a service manager to notify.
    package let isPresent: Bool

    package init() {
        isPresent = unsafe getenv("NOTIFY_SOCKET").map { unsafe $0.pointee != 0 } ?? false
    }

    /// True while messages wait because the service manager does not keep up; ``flush()`` sends them.
    package var isBehind: Bool { queue.isWaiting }

    /// Sends the messages that wait, as far as the service manager has room for them.
    package func flush() {
        queue.flush()
    }

    /// Sends the messages that wait, for at most half a second. Call it before the process ends.
    package func drain() {
        queue.drain()
    }

    /// Reports that the daemon is ready: after its start, and after a reload.
    package func ready(status: String) {
        send(["READY=1", "STATUS=\(oneLine(status))"])
    }

    /// Sets the status that `systemctl status` shows, in one line.
    package func status(_ text: String) {
        send(["STATUS=\(oneLine(text))"], .latest)
    }

    /// Sends the watchdog keep-alive. Call this more often than the interval of ``takeWatchdog()``.
    ///
    /// - Parameter status: a new status for the same message; nil if it has not changed.
    package func alive(status: String? = nil) {
        send(["WATCHDOG=1"] + (status.map { ["STATUS=\(oneLine($0))"] } ?? []), .latest)
    }

    /// Extends the timeout of a slow start or stop. The manager waits for this long from now on.
    package func extendTimeout(by duration: Duration) {
        send(["EXTEND_TIMEOUT_USEC=\(microseconds(duration))"])
    }

    /// Returns the watchdog interval of the service manager; nil if there is none for this process.
    ///
    /// Call it once, before other threads exist, because it removes the variables from the environment.
    package func takeWatchdog() -> Duration? {
        var limit: UInt64 = 0
        guard unsafe sd_watchdog_enabled(1, &limit) > 0 else { return nil }
        return .microseconds(Int64(clamping: limit))
    }

    /// Reports that a reload has begun; ``ready(status:)`` follows.
    package func reloading() {
        var time = timespec()
        // The manager matches the reload by its time. The call fails only for a clock that does not exist.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
        send(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)"])
    }

    /// Reports that the daemon has begun to shut down.
    package func stopping() {
        send(["STOPPING=1"])
    }

    /// Reports that the daemon ends because a system call failed.
    ///
    /// - Parameters:
    ///   - errorNumber: the C library's error number.
    ///   - status: the failure, in one line.
    package func failed(errorNumber: Int32, status: String) {
        send(["ERRNO=\(errorNumber)", "STATUS=\(oneLine(status))"])
        drain()
    }

    /// Sends all lines in one datagram, so that they take effect together.
    func send(_ lines: [String], _ kind: NotificationQueue.Kind = .certain, descriptor: Int32? = nil) {
        queue.send(lines, kind, descriptor: descriptor)
    }
}

/// Returns the text as one line: control characters become spaces, so that it cannot add a line, and it is truncated
/// to the limit at a character boundary.
func oneLine(_ text: String) -> String {
    var line = ""
    var count = 0
    for scalar in text.unicodeScalars {
        let isControl =
            scalar.properties.generalCategory == .control || scalar.value == 0x2028 || scalar.value == 0x2029
        let shown: Unicode.Scalar = isControl ? " " : scalar
        count += UTF8.width(shown)
        guard count <= ServiceManager.statusLimitBytes else { break }
        line.unicodeScalars.append(shown)
    }
    return line
}

private func microseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : product &+ attoseconds / 1_000_000_000_000
}
