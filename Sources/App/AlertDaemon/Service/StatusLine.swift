internal import EventLoop
internal import Glibc
internal import Market
internal import Time

/// The state of the daemon in one line, which `systemctl status` shows.
///
/// The line has times of day instead of ages, so that it stays true until the next poll without a wake-up to update
/// it. If the interval is short, the line has the interval instead of times, so that it need not be sent after every
/// poll.
struct StatusLine: Equatable {
    var isSimulated = false
    var symbols = 0
    var rules = 0
    var firing = 0
    /// The polling interval if it is too short to show times; nil otherwise.
    var shortInterval: Milliseconds?
    /// The time when the last usable response arrived; nil if there was none.
    var lastSuccess: WallTime?
    /// The reason why the last poll failed; nil if it succeeded.
    var failure: String?
    /// The time of the next poll; nil while a poll is in progress.
    var nextPoll: WallTime?
    /// The time when the last reload failed; nil if it succeeded.
    var failedReload: WallTime?
    /// The reason why the state cannot be saved; nil if it can.
    var trouble: String?

    /// The interval below which the line has no times. A status every ten seconds costs nothing.
    static let shortestForTimes = Milliseconds.seconds(10)

    /// Returns the line; `localTime` formats a time as a time of day.
    func text(localTime: (WallTime) -> String = localTime) -> String {
        var parts = ["\(symbols) symbol\(symbols == 1 ? "" : "s")", "\(rules) rule\(rules == 1 ? "" : "s")"]
        parts.append("\(firing) firing")
        if lastSuccess == nil, failure == nil { parts.append("waiting for the first response") }
        if let shortInterval { parts.append("polling every \(shortInterval)") }
        if let lastSuccess, shortInterval == nil || failure != nil {
            parts.append("last poll \(localTime(lastSuccess))")
        }
        if let nextPoll, shortInterval == nil { parts.append("next \(localTime(nextPoll))") }
        var text = (isSimulated ? "SIMULATED, " : "") + parts.joined(separator: ", ")
        if let failedReload { text += "; reload failed at \(localTime(failedReload))" }
        if let trouble { text += "; state not saved: \(trouble)" }
        if let failure { text += "; feed: \(failure)" }
        return text
    }
}

/// Returns the time of day in the time zone of the machine: `17:52:31`.
func localTime(_ time: WallTime) -> String {
    var seconds = time_t(time.milliseconds / 1_000)
    var fields = unsafe tm()
    guard unsafe localtime_r(&seconds, &fields) != nil else { return time.description }
    return unsafe [fields.tm_hour, fields.tm_min, fields.tm_sec]
        .map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
}
