internal import Configuration
internal import Delivery
internal import Engine
internal import EventLoop
internal import Feeds
internal import Glibc
internal import Journal
internal import Market
internal import ServiceManager
internal import Storage
internal import Time
internal import UnixSockets

/// The daemon's reports to the service manager.
extension Daemon {
    /// The state of the daemon in one line, for `systemctl status`.
    var statusLine: String { currentStatus(firing: firingCount).text() }

    private var firingCount: Int { pipeline.lanes.reduce(0) { $0 + $1.engine.firingCount } }

    private func currentStatus(firing: Int) -> StatusLine {
        let states = pollers.all.map(\.state)
        let lanes = pipeline.lanes
        let interval = pollers.all.map(\.settings.interval).min() ?? loaded.settings.feed.interval
        // With a short interval, the line stays the same after each poll unless something else changes.
        let isShort = interval < StatusLine.shortestForTimes
        var line = StatusLine(
            isSimulated: pipeline.events.isSimulated, symbols: lanes.reduce(0) { $0 + ($1.batch?.tickers.count ?? 0) },
            rules: lanes.reduce(0) { $0 + $1.engine.rules.count }, firing: firing,
            shortInterval: isShort ? interval : nil,
            lastSuccess: states.compactMap(\.lastSuccess).max { $0.boot < $1.boot }?.wall, failure: failures,
            failedReload: inEffect.failedReload?.time, trouble: pipeline.stateStore.trouble?.error.message)
        if isShort, line.failure == nil, line.lastSuccess != nil { line.lastSuccess = inEffect.started.wall }
        if !isShort, let due = states.compactMap(\.nextDue).min() { line.nextPoll = clock.now().wall(at: due) }
        return line
    }

    /// The reasons of failed polls: `request timed out`, or `binance: request timed out` with several sources; nil if
    /// no source fails.
    private var failures: String? {
        let failed = pollers.all.compactMap { poller in
            poller.state.failure.map { (poller.lane.isAmongSeveral ? "\(poller.lane.name): " : "") + $0.message }
        }
        return failed.isEmpty ? nil : failed.joined(separator: "; ")
    }

    /// Starts the timer that sends the messages for which the service manager had no room. Messages that still wait
    /// are sent by this timer or after the next poll, so no message waits for long.
    func startNotificationTimer() {
        let timer = LoopTimer { [weak self] in
            guard let self else { return }
            services.flush()
            armNotificationTimer()
        }
        reporting.timer = timer
        armNotificationTimer()
    }

    /// Arms the timer if messages wait. If none wait, the timer would wake the process for nothing.
    func armNotificationTimer() {
        guard services.isBehind else { return }
        reporting.timer?.arm(after: .milliseconds(50))
    }

    /// Reports the end of a poll: the status line may change, and the watchdog sees progress.
    func reportPoll() {
        guard services.isPresent else { return }
        defer { armNotificationTimer() }
        // An alert starts or stops firing with an event, or with a change of the rules, which is an event as well.
        if reporting.lastNumber != pipeline.events.lastNumber {
            reporting.lastNumber = pipeline.events.lastNumber
            reporting.firing = firingCount
        }
        let line = currentStatus(firing: reporting.firing)
        let mustShow = line != reporting.line
        reporting.line = line
        guard mustShow || reporting.watchdog?.isDue ?? false else { return }
        // Another source may be stuck, which only the watchdog detects.
        guard let watchdog = reporting.watchdog, !isStalled else { return services.status(line.text()) }
        // The status and the keep-alive are sent in one message.
        services.alive(status: mustShow ? line.text() : nil)
        watchdog.didNotify()
    }

    func startWatchdog() {
        guard let limit = context.watchdog else { return }
        reporting.watchdog = Watchdog(limit: limit, services: services, log: log, clock: clock) { [pollers, clock] in
            pollers.progress(at: clock.now().boot)
        }
    }

    private var isStalled: Bool {
        let now = clock.now().boot
        return pollers.progress(at: now).stalled(at: now) != nil
    }

    /// Asks the service manager to wait while the whole state file is checked, which happens before it is used.
    func announceLongStart() {
        var status = stat()
        guard unsafe stat(pipeline.stateStore.store.path, &status) == 0 else { return }
        let megabytes = Int64(status.st_size) >> 20
        guard megabytes >= Self.longStartMegabytes else { return }
        services.status("checking the state file (\(megabytes) MiB)")
        services.extendTimeout(by: .seconds(Self.leastStart + megabytes / Self.slowestDisk))
    }

    /// The size in MiB below which the check ends within the usual time limit on any working disk.
    private static let longStartMegabytes: Int64 = 64
    /// The assumed speed of the disk, in MiB per second. Even rotating disks are more than ten times as fast.
    private static let slowestDisk: Int64 = 5
    /// The time for the rest of the start, in seconds: the unit's `TimeoutStartSec=`.
    private static let leastStart: Int64 = 30
}

/// The last reports to the service manager, and the objects that make further ones.
struct ServiceReporting {
    var line: StatusLine?
    /// The number of firing alerts after the event ``lastNumber``.
    var firing = 0
    var lastNumber: Int64 = -1
    var watchdog: Watchdog?
    /// Sends the messages for which there was no room.
    var timer: LoopTimer?
}

extension Pollers {
    /// Returns the progress of the first source that has stalled, or of any source if none has.
    fileprivate func progress(at now: BootTime) -> PollProgress {
        all.lazy.map(\.state.progress).first { $0.stalled(at: now) != nil } ?? first.state.progress
    }
}

extension PollState {
    /// The progress that the watchdog checks.
    var progress: PollProgress {
        isPolling ? PollProgress(began: lastAttempt?.boot) : PollProgress(due: nextDue)
    }
}

extension StartError {
    init(_ error: UnixSocketError) {
        let number: Int32 =
            switch error {
            case .pathTooLong: ENAMETOOLONG
            case .inUse: EADDRINUSE
            case .notASocket: EEXIST
            case .system(_, _, let number): number
            }
        self.init(message: error.description, errorNumber: number)
    }

    /// The exit code according to the Linux Standard Base: 4 for missing permissions and 6 for wrong configuration. A
    /// restart fixes neither.
    var exitCode: Int32 {
        switch errorNumber {
        case EACCES, EPERM, EROFS: 4
        case EINVAL, ENAMETOOLONG: 6
        default: 1
        }
    }
}

extension Log {
    /// Writes a change of the machine's clocks.
    func write(_ change: ClockChange) {
        let effect = "prices and events use the new time, durations are not affected"
        switch change {
        case .resumed(let length):
            notice(
                "the machine was suspended for \(length.approximate); there are no prices for that time", id: .resumed)
        case .set(let length) where length < .zero:
            notice("the clock was set back by \(Milliseconds(-length.count).approximate); \(effect)", id: .clockSet)
        case .set(let length):
            notice("the clock was set forward by \(length.approximate); \(effect)", id: .clockSet)
        }
    }
}
