internal import Events
internal import Market
internal import Time

/// The staleness check of a feed. It reports once per outage that there was no usable response for too long.
struct FeedWatch: Equatable, Sendable {
    /// Time of the last usable response, or of the first start.
    private(set) var lastUsable: Instant
    /// Start of the wait for the next response: the last response, the last start, a resume from suspend, or a reload
    /// that changed the interval.
    private var waitingSince: BootTime
    private(set) var hadResponse = false
    private(set) var isStale = false
    var resumed: BootTime?

    init(start: Instant) {
        lastUsable = start
        waitingSince = start.boot
    }

    func deadline(staleAfter: Milliseconds) -> BootTime? {
        isStale ? nil : waitingSince.advanced(by: staleAfter)
    }

    /// Records that the machine has resumed from suspend.
    mutating func resume(at time: BootTime) {
        resumed = time
        restartDeadline(at: time)
    }

    mutating func restartDeadline(at time: BootTime) {
        waitingSince = max(waitingSince, time)
    }

    mutating func check(at time: Instant, staleAfter: Milliseconds) -> Occurrence? {
        guard let deadline = deadline(staleAfter: staleAfter), time.boot >= deadline else { return nil }
        isStale = true
        let length = time.boot.since(lastUsable.boot).approximate
        let beginning = hadResponse ? "" : " since the start"
        return Occurrence(
            time: time.wall, kind: .feedStale, severity: .warning,
            text: "No usable response for \(length)\(beginning); alerts are paused")
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

    /// The part of the state that is kept across restarts.
    struct Stored {
        var lastUsable: Instant
        var hadResponse: Bool
        var isStale: Bool
    }

    var stored: Stored { Stored(lastUsable: lastUsable, hadResponse: hadResponse, isStale: isStale) }

    mutating func restore(_ stored: Stored) {
        (lastUsable, hadResponse, isStale) = (stored.lastUsable, stored.hadResponse, stored.isStale)
    }
}
