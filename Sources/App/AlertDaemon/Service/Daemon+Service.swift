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

/// What the daemon tells the service manager.
extension Daemon {
    /// What a person wants to know, in one line.
    var statusLine: String {
        let state = poller.state
        let now = clock.now()
        let next = state.nextDue.map { WallTime(milliseconds: now.wall.milliseconds + $0.since(now.boot).count) }
        return StatusLine(
            isSimulated: feed.isSimulated, symbols: pipeline.batch?.tickers.count ?? 0,
            rules: pipeline.engine.rules.count, firing: pipeline.engine.firingCount,
            lastSuccess: state.lastSuccess?.wall,
            failure: state.failure.map { "\($0.kind.rawValue): \($0.message)" }, nextPoll: next,
            failedReload: failedReload?.time, trouble: pipeline.stateStore.trouble?.error.message
        ).text()
    }

    /// A poll ended: that is news for people, and progress.
    func sayPolled() {
        guard let watchdog else { return services.status(statusLine) }
        services.alive(status: statusLine)
        watchdog.fed()
    }

    func startWatchdog() {
        guard let limit = link.watchdog else { return }
        watchdog = Watchdog(limit: limit, services: services, log: log, clock: clock) { [poller] in
            poller.state.progress
        }
    }

    /// A state file is checked as a whole before it is used, and the service manager has to wait for that.
    func announceLongStart() {
        var status = stat()
        guard unsafe stat("\(stateFolder)/alertd.db", &status) == 0 else { return }
        let megabytes = Int64(status.st_size) >> 20
        guard megabytes >= Self.longStartMegabytes else { return }
        services.status("checking the state file of \(megabytes) MiB")
        services.extendTimeout(by: .seconds(Self.leastStart + megabytes / Self.slowestDisk))
    }

    /// Below this the check needs less than the usual limit on any disk that works.
    private static let longStartMegabytes: Int64 = 64
    /// MiB a second; a disk that turns reads more than ten times as much.
    private static let slowestDisk: Int64 = 5
    /// What the rest of a start may take, in seconds: as much as the unit allows.
    private static let leastStart: Int64 = 30
}

extension PollState {
    /// How polling stands.
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

    /// As the Linux Standard Base has them: 4 for want of permission and 6 for what is set up wrongly; starting again
    /// mends neither.
    var exitCode: Int32 {
        switch errorNumber {
        case EACCES, EPERM, EROFS: 4
        case EINVAL, ENAMETOOLONG: 6
        default: 1
        }
    }
}

extension Log {
    /// Says what happened to the machine's clocks.
    func say(_ change: ClockChange) {
        switch change {
        case .resumed(let length):
            notice(
                "the machine was suspended for \(length.approximate); there are no prices of that time", id: .resumed)
        case .set(let length) where length < .zero:
            let words = "prices and events have the new times, durations do not change"
            notice("the clock was set back by \(Milliseconds(-length.count).approximate); \(words)", id: .clockSet)
        case .set(let length):
            let words = "prices and events have the new times, durations do not change"
            notice("the clock was set forward by \(length.approximate); \(words)", id: .clockSet)
        }
    }
}
