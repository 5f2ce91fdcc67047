internal import Delivery
internal import EventLoop
internal import Journal
internal import Market
internal import ServiceManager
internal import Time

/// The progress of polling, which decides whether the watchdog of the service manager gets its keep-alive.
struct PollProgress: Equatable {
    /// The time when the poll in progress began; nil if there is none.
    var began: BootTime?
    /// The time when the next poll begins; nil while one is in progress.
    var due: BootTime?

    /// A request with its redirects ends within 20 s. A poll that takes three times as long will never end.
    static let longestPoll = Milliseconds.seconds(60)
    /// The longest delay of a timer on a busy machine.
    static let longestDelay = Milliseconds.seconds(60)

    /// Returns the beginning of a stall, which is when the poll began or was due; nil if polling has not stalled.
    func stalled(at now: BootTime) -> BootTime? {
        let limit = began?.advanced(by: Self.longestPoll) ?? due?.advanced(by: Self.longestDelay)
        guard let limit, now > limit else { return nil }
        return began ?? due
    }
}

/// The rule for sending keep-alives to the service manager. A loop that turns but no longer polls is as dead as one
/// that hangs.
struct WatchdogRule: Equatable {
    enum Step: Equatable {
        case notify
        /// No keep-alive. This is logged once, at the second check, because a poll that is overdue after a suspend
        /// begins immediately.
        case withhold(isNews: Bool)
    }

    private(set) var isWithheld = false
    private var isLogged = false

    mutating func step(_ progress: PollProgress, at now: BootTime) -> Step {
        guard progress.stalled(at: now) != nil else {
            self = WatchdogRule()
            return .notify
        }
        defer { (isWithheld, isLogged) = (true, isWithheld) }
        return .withhold(isNews: isWithheld && !isLogged)
    }

    /// Returns the time until the next check: half of the limit, or an eighth while the keep-alive is withheld.
    func wait(_ limit: Duration) -> Duration {
        limit / (isWithheld ? 8 : 2)
    }
}

/// The sender of keep-alives to the watchdog of the service manager. Polls send keep-alives as well
/// (``didNotify()``), so a daemon with a usual interval never wakes up for the watchdog.
@LoopActor
final class Watchdog {
    private let limit: Duration
    private let services: ServiceManager
    private let log: Log
    private let clock: any TimeSource
    private let progress: @LoopActor () -> PollProgress
    private var rule = WatchdogRule()
    private var timer: LoopTimer?
    /// The time when the last keep-alive was sent.
    private var lastAlive: BootTime?

    /// - Parameters:
    ///   - limit: the time without a keep-alive after which the service manager restarts the process.
    ///   - services: the service manager.
    ///   - log: gets a message when the keep-alive is withheld.
    ///   - clock: the source of the current time.
    ///   - progress: returns the progress of polling, at each check.
    init(
        limit: Duration, services: ServiceManager, log: Log, clock: any TimeSource,
        progress: @escaping @LoopActor () -> PollProgress
    ) {
        self.limit = limit
        self.services = services
        self.log = log
        self.clock = clock
        self.progress = progress
        timer = LoopTimer(accuracy: limit / 100) { [weak self] in self?.check() }
        check()
    }

    /// True if a poll should now send a keep-alive, so that the timer need not do it.
    var isDue: Bool {
        guard let lastAlive else { return true }
        return clock.now().boot.since(lastAlive).duration >= limit / 4
    }

    /// Records that a keep-alive was sent with another message.
    func didNotify() {
        lastAlive = clock.now().boot
        rule = WatchdogRule()
        timer?.arm(after: rule.wait(limit))
    }

    func stop() {
        timer?.disarm()
    }

    private func check() {
        switch rule.step(progress(), at: clock.now().boot) {
        case .notify:
            services.alive()
            lastAlive = clock.now().boot
        case .withhold(isNews: true):
            log.error(
                "polling has stalled; withholding the watchdog keep-alive, so that the service manager restarts alertd",
                id: .watchdogWithheld)
        case .withhold: break
        }
        timer?.arm(after: rule.wait(limit))
    }
}
