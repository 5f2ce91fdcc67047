internal import EventLoop
internal import Glibc
internal import Market
internal import Time

/// What a person wants to know of the daemon in one line: what `systemctl status` shows.
///
/// Times are those of the clock on the wall, so that the line stays true until the next poll and nobody has to wake up
/// for it.
struct StatusLine: Equatable {
    var isSimulated = false
    var symbols = 0
    var rules = 0
    var firing = 0
    /// When the last usable response came.
    var lastSuccess: WallTime?
    /// What is wrong with the feed, and since when the next poll is awaited.
    var failure: String?
    var nextPoll: WallTime?
    /// When the last reload failed, if no other has gone well since.
    var failedReload: WallTime?
    /// Why nothing can be saved.
    var trouble: String?

    /// The line; `localTime` writes a time as the clock on the wall shows it.
    func text(localTime: (WallTime) -> String = localTime) -> String {
        var parts = ["\(symbols) symbol\(symbols == 1 ? "" : "s")", "\(rules) rule\(rules == 1 ? "" : "s")"]
        parts.append("\(firing) firing")
        if let lastSuccess { parts.append("last poll \(localTime(lastSuccess))") }
        if lastSuccess == nil, failure == nil { parts.append("waiting for the first response") }
        if let nextPoll { parts.append("next \(localTime(nextPoll))") }
        var text = (isSimulated ? "SIMULATED, " : "") + parts.joined(separator: ", ")
        if let failedReload { text += "; the reload at \(localTime(failedReload)) failed" }
        if let trouble { text += "; state is not saved: \(trouble)" }
        if let failure { text += "; feed \(failure)" }
        return text
    }
}

/// The time of the day in the machine's zone: `17:52:31`.
func localTime(_ time: WallTime) -> String {
    var seconds = time_t(time.milliseconds / 1_000)
    var fields = unsafe tm()
    guard unsafe localtime_r(&seconds, &fields) != nil else { return time.description }
    return unsafe [fields.tm_hour, fields.tm_min, fields.tm_sec]
        .map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
}
