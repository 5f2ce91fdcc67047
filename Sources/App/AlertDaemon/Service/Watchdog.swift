internal import Delivery
internal import EventLoop
internal import Journal
internal import Market
internal import ServiceManager
internal import Time

/// How polling stands: what the service manager's watchdog is fed on.
struct PollProgress: Equatable {
    /// Since when a poll is under way; nil when none is.
    var began: BootTime?
    /// When the next one begins; nil while one is under way.
    var due: BootTime?

    /// A request with its redirects ends within 20 s; one that takes three times as long never ends.
    static let longestPoll = Milliseconds.seconds(60)
    /// A timer is late when the machine is busy, but not by this much.
    static let longestDelay = Milliseconds.seconds(60)

    /// Since when polling stands still; nil while all is well.
    func stalled(at now: BootTime) -> BootTime? {
        let limit = began?.advanced(by: Self.longestPoll) ?? due?.advanced(by: Self.longestDelay)
        guard let limit, now > limit else { return nil }
        return began ?? due
    }
}

/// Decides when to tell the service manager that the daemon is alive. It is no feeder of its own right: a loop that
/// turns, but does not poll any more, is as dead as one that hangs.
struct WatchdogRule: Equatable {
    enum Step: Equatable {
        case feed
        /// Not fed. Said once, the second time: a machine that was suspended finds a poll overdue that begins at once.
        case withhold(isNews: Bool)
    }

    private(set) var isWithheld = false
    private var isSaid = false

    mutating func step(_ progress: PollProgress, at now: BootTime) -> Step {
        guard progress.stalled(at: now) != nil else {
            self = WatchdogRule()
            return .feed
        }
        defer { (isWithheld, isSaid) = (true, isWithheld) }
        return .withhold(isNews: isWithheld && !isSaid)
    }

    /// When to look again: at half of the time, and sooner when it was not fed.
    func wait(_ limit: Duration) -> Duration {
        limit / (isWithheld ? 8 : 2)
    }
}

/// Feeds the watchdog of the service manager. Each poll feeds it as well (``fed()``), so that a daemon with a usual
/// interval never wakes up for this.
@LoopActor
final class Watchdog {
    private let limit: Duration
    private let services: ServiceManager
    private let log: Log
    private let clock: any TimeSource
    private let progress: @LoopActor () -> PollProgress
    private var rule = WatchdogRule()
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - limit: how often the service manager wants to hear of the process.
    ///   - services: is notified.
    ///   - log: is notified when it is not fed.
    ///   - clock: says what time it is.
    ///   - progress: asked each time.
    init(
        limit: Duration, services: ServiceManager, log: Log, clock: any TimeSource,
        progress: @escaping @LoopActor () -> PollProgress
    ) {
        self.limit = limit
        self.services = services
        self.log = log
        self.clock = clock
        self.progress = progress
        timer = LoopTimer(accuracy: limit / 100) { [weak self] in self?.look() }
        look()
    }

    /// It was fed by other means.
    func fed() {
        rule = WatchdogRule()
        timer?.arm(after: rule.wait(limit))
    }

    func stop() {
        timer?.disarm()
    }

    private func look() {
        switch rule.step(progress(), at: clock.now().boot) {
        case .feed: services.alive()
        case .withhold(isNews: true):
            log.error(
                "polling stands still; the watchdog is not fed, so that the service manager starts alertd anew",
                id: .watchdogWithheld)
        case .withhold: break
        }
        timer?.arm(after: rule.wait(limit))
    }
}
