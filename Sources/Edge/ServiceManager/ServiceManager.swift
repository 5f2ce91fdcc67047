internal import CSystemd.Daemon
internal import Glibc

/// Tells the service manager how the daemon is doing, by datagrams to the socket that `NOTIFY_SOCKET` names.
///
/// Without a service manager, and when it does not listen, every call does nothing: that is no error.
package struct ServiceManager: Sendable {
    /// The longest status in bytes of UTF-8: a line that `systemctl status` can show, far below a datagram's limit.
    package static let statusLimitBytes = 512

    package init() {}

    /// Whether there is a service manager that wants to be notified.
    package var isPresent: Bool {
        unsafe getenv("NOTIFY_SOCKET").map { unsafe $0.pointee != 0 } ?? false
    }

    /// The daemon serves: at the end of its start, and at the end of a reload.
    package func ready(status: String) {
        send(["READY=1", "STATUS=\(oneLine(status))"])
    }

    /// What the daemon does now, in one line.
    package func status(_ text: String) {
        send(["STATUS=\(oneLine(text))"])
    }

    /// The daemon makes progress: to be said more often than every ``takeWatchdog()``.
    ///
    /// - Parameter status: what it does now, in the same message; nil when that has not changed.
    package func alive(status: String? = nil) {
        send(["WATCHDOG=1"] + (status.map { ["STATUS=\(oneLine($0))"] } ?? []))
    }

    /// A start or an end takes longer than usual: the manager waits that long from now on.
    package func extendTimeout(by duration: Duration) {
        send(["EXTEND_TIMEOUT_USEC=\(microseconds(duration))"])
    }

    /// How often the service manager wants to hear from this process; nil when it does not care.
    ///
    /// To be called once, before there are threads: it takes the variables from the environment.
    package func takeWatchdog() -> Duration? {
        var limit: UInt64 = 0
        guard unsafe sd_watchdog_enabled(1, &limit) > 0 else { return nil }
        return .microseconds(Int64(clamping: limit))
    }

    /// The daemon has begun to read its settings again; ``ready(status:)`` follows.
    package func reloading() {
        var time = timespec()
        // The manager tells by the time which reload it is; it fails only for a clock that does not exist.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
        send(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)"])
    }

    /// The daemon has begun to end.
    package func stopping() {
        send(["STOPPING=1"])
    }

    /// The daemon ends because a call to the system failed.
    ///
    /// - Parameters:
    ///   - errorNumber: the C library's.
    ///   - status: what failed, in one line.
    package func failed(errorNumber: Int32, status: String) {
        send(["ERRNO=\(errorNumber)", "STATUS=\(oneLine(status))"])
    }

    /// All lines go in one datagram, so that they take effect together.
    func send(_ lines: [String]) {
        // A manager that does not listen is none: its absence must not harm the service.
        _ = unsafe sd_notify(0, lines.joined(separator: "\n"))
    }
}

/// The text with each control character as a space, so that no text can add a line of its own, and cut to the limit at
/// the end of a character.
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
