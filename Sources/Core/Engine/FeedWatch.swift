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
    /// When the machine last resumed from suspend.
    var resumed: BootTime?

    init(start: Instant) {
        lastUsable = start
        waitingSince = start.boot
    }

    func deadline(staleAfter: Milliseconds) -> BootTime? {
        isStale ? nil : waitingSince.advanced(by: staleAfter)
    }

    /// Notes that the machine has resumed from suspend.
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

    /// What outlives the process.
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
