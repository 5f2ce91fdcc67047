internal import Events
internal import Market
internal import Time

/// Notices when a feed has had no usable response for too long, once per outage.
struct FeedWatch: Equatable, Sendable {
    /// The last usable response, or the first start.
    private(set) var lastUsable: Instant
    /// When waiting for the next one began: at the last one, or at the last start.
    private var waitingSince: BootTime
    private(set) var hadResponse = false
    private(set) var isStale = false

    init(start: Instant) {
        lastUsable = start
        waitingSince = start.boot
    }

    func deadline(staleAfter: Milliseconds) -> BootTime? {
        isStale ? nil : waitingSince.advanced(by: staleAfter)
    }

    mutating func restartDeadline(at time: BootTime) {
        waitingSince = max(waitingSince, time)
    }

    mutating func check(at time: Instant, staleAfter: Milliseconds) -> Occurrence? {
        guard let deadline = deadline(staleAfter: staleAfter), time.boot >= deadline else { return nil }
        isStale = true
        let length = time.boot.since(lastUsable.boot).approximate
        let since = hadResponse ? "since \(lastUsable.wall)" : "since the start at \(lastUsable.wall)"
        return Occurrence(
            time: time.wall, kind: .feedStale, severity: .warning,
            text: "No usable response for \(length) (\(since)); alerts are paused")
    }

    mutating func recover(at time: Instant) -> Occurrence? {
        defer {
            lastUsable = time
            waitingSince = time.boot
            hadResponse = true
            isStale = false
        }
        guard isStale else { return nil }
        let length = time.boot.since(lastUsable.boot).approximate
        return Occurrence(
            time: time.wall, kind: .feedRecovered, severity: .info, received: time.wall,
            text: "Usable responses resumed after \(length)")
    }

    var encodedState: String {
        var writer = StateTextWriter()
        writer.word(isStale ? "stale" : "ok")
        writer.field(hadResponse ? "last" : "start", lastUsable)
        return writer.text
    }

    /// Restores what was written; returns false and changes nothing when it cannot be read.
    mutating func restore(encodedState: String, clock: ClockTranslation) -> Bool {
        guard var reader = StateTextReader(encodedState, clock: clock, isKnown: ["last", "start"].contains) else {
            return false
        }
        let (last, start) = (reader.instant("last"), reader.instant("start"))
        guard !reader.isFaulty, let time = last ?? start, [["stale"], ["ok"]].contains(reader.words) else {
            return false
        }
        lastUsable = time
        hadResponse = last != nil
        isStale = reader.words == ["stale"]
        return true
    }
}
