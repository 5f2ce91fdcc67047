internal import Configuration
internal import Control
internal import Delivery
internal import Diagnostics
internal import Engine
internal import EventLoop
internal import Events
internal import Feeds
internal import Glibc
internal import HTTP
internal import History
internal import Journal
internal import Market
internal import Rules
internal import ServiceManager
internal import Storage
internal import Time
internal import Varlink

/// Why the daemon could not start: one line for people.
struct StartError: Error {
    var message: String
    /// The C library's number of what went wrong; 0 when no call failed.
    var errorNumber: Int32 = 0
}

/// The whole daemon: what it is made of, how it starts, reloads and ends.
@LoopActor
final class Daemon {
    let clock: any TimeSource
    let pipeline: Pipeline
    let rateKeeper: ExchangeRateService
    var feed: any Feed { poller.feed }

    private let options: DaemonOptions
    /// A made-up market has a folder of its own: its prices and alerts must not mix with those of an exchange.
    let stateFolder: String
    let log: Log
    let services: ServiceManager
    let link: ServiceManagerContext
    let poller: Poller
    var watchdog: Watchdog?
    private let eventSocket: EventSocket
    private let started: Instant
    private(set) var loaded: LoadedSettings
    private var loadedAt: WallTime
    private(set) var failedReload: (time: WallTime, message: String)?
    private var server: VarlinkServer?

    /// Makes everything that needs no waiting: folders, sockets, sinks.
    ///
    /// - Throws: ``StartError`` when a folder or a socket cannot be made.
    init(
        _ options: DaemonOptions, loaded: LoadedSettings, log: Log, link: ServiceManagerContext, clock: any TimeSource
    ) throws(StartError) {
        self.options = options
        self.loaded = loaded
        self.log = log
        self.link = link
        services = link.services
        self.clock = clock
        started = clock.now()
        loadedAt = started.wall
        let settings = loaded.settings
        let feed = makeFeed(settings.feed, proxy: link.proxy, clock: clock)
        stateFolder = options.stateFolder + (feed.isSimulated ? "/simulated" : "")
        try makeFolder(options.runtimeFolder, option: "--runtime-dir")
        if let possible = DescriptorLimit.raise(forReaders: settings.sinks.eventReaders) {
            log.warning(
                "event_readers is \(settings.sinks.eventReaders), but the limit of open files leaves room for "
                    + "\(possible); raise LimitNOFILE= of the service", id: .limitTooLow)
        }
        do {
            eventSocket = try link.events(options.eventSocket, limit: settings.sinks.eventReaders)
        } catch {
            throw StartError(error)
        }
        var sinks: [any Sink] = [eventSocket]
        if settings.sinks.journal { sinks.append(JournalSink()) }
        if settings.sinks.stdout, !stdoutIsJournal() { sinks.append(StdoutSink()) }
        let store = Store(folder: stateFolder, options: StoreOptions(creator: "alertd \(Version.current)"))
        let stateStore = StateStore(store, bootID: bootIdentity(), now: started, log: log)
        stateStore.setRetention(settings.events)
        pipeline = Pipeline(settings, sinks: sinks, isSimulated: feed.isSimulated, stateStore: stateStore, clock: clock)
        rateKeeper = ExchangeRateService(
            makeRateFeed(settings.rates, proxy: link.proxy, clock: clock), log: log, clock: clock)
        pipeline.rates = { [rateKeeper] in rateKeeper.ratesForRules }
        pipeline.onStoredRates = { [rateKeeper] rates, fetched in rateKeeper.restore(rates, fetched: fetched) }
        rateKeeper.onRates = { [pipeline] rates, fetched in
            pipeline.stateStore.stage(rates: rates.stored(fetched: fetched))
        }
        pipeline.onClockChange = { log.say($0) }
        poller = Poller(feed, settings.feed, pipeline: pipeline, log: log, clock: clock)
        do {
            try openControlSocket()
            try startPipeline()
        } catch {
            server?.stop()
            eventSocket.stop()
            throw error
        }
    }

    private func startPipeline() throws(StartError) {
        announceLongStart()
        do throws(StorageError) {
            try pipeline.start()
        } catch {
            throw StartError(message: "\(error)", errorNumber: error.kind == .inUse ? EBUSY : EIO)
        }
        eventSocket.start(after: pipeline.log.lastNumber)
    }

    private func openControlSocket() throws(StartError) {
        let service = ControlService(self, permission: .ofThisProcess())
        let information = ServiceInformation(
            vendor: "alertd", product: "alertd", version: Version.current, url: Version.home)
        do {
            server = VarlinkServer(
                try link.control(options.controlSocket), information: information,
                interfaces: [service.interface])
        } catch {
            throw StartError(error)
        }
        pipeline.onEvents = { service.wakeMonitors() }
        pipeline.onRenumbered = { service.renumber($0) }
    }

    /// Serves and polls until a signal says to stop.
    func run() async {
        let end = OneShot<Signal, Never>()
        let signals = [
            SignalWatch(.terminate) { end.finish(.success(.terminate)) },
            SignalWatch(.interrupt) { end.finish(.success(.interrupt)) },
            SignalWatch(.hangUp) { [weak self] in _ = self?.reload() },
        ]
        server?.start()
        sayStart()
        services.ready(status: statusLine)
        startWatchdog()
        poller.onPoll = { [weak self] in self?.sayPolled() }
        let polling = Loop.shared.start { [poller] in await poller.run() }
        let fetching = Loop.shared.start { [rateKeeper] in await rateKeeper.run() }
        let signal = await end.wait()
        services.stopping()
        watchdog?.stop()
        log.info("ending on SIG\(signal == .terminate ? "TERM" : "INT")", id: .stopping)
        polling.cancel()
        fetching.cancel()
        await polling.value
        await fetching.value
        pipeline.stop()
        server?.stop()
        eventSocket.stop()
        log.finish()
        withExtendedLifetime(signals) {}
    }

    /// Reads the settings again; one error, and everything stays as it was.
    func reload() -> Result<ReloadResult, SettingsError> {
        services.reloading()
        defer { services.ready(status: statusLine) }
        var new: LoadedSettings
        do {
            new = try SettingsLoader().load(options.configuration)
        } catch {
            sayReloadFailed(error)
            return .failure(error)
        }
        new.warnings += blockers(of: new)
        let result = apply(new)
        failedReload = nil
        log.notice("settings reloaded: \(result.summary)", id: .reloaded)
        for warning in new.warnings { log.say(warning) }
        return .success(result)
    }

    /// Prices of a symbol that are further apart have a gap between them.
    var maximumGap: Milliseconds { loaded.settings.feed.maximumGap }

    func pollNow() async throws(PollRequestError) -> PollResult {
        try await poller.pollNow()
    }

    private func apply(_ new: LoadedSettings) -> ReloadResult {
        let old = loaded.settings
        var settings = new.settings
        let fixed = settings.keepFixed(of: old)
        let change = pipeline.reload(settings)
        if settings.feed != old.feed {
            // A simulated market goes on with its prices; an exchange is asked anew, with a new connection.
            let feed =
                settings.feed.hasSameSource(as: old.feed)
                ? poller.feed : makeFeed(settings.feed, proxy: link.proxy, clock: clock)
            poller.replace(feed: feed, settings.feed)
        }
        if settings.rates != old.rates {
            rateKeeper.replace(feed: makeRateFeed(settings.rates, proxy: link.proxy, clock: clock))
        }
        loaded = new
        loaded.settings = settings
        // Places and lines of ten thousand rules are some megabytes that nobody needs any more.
        loaded.ruleSources = []
        loadedAt = clock.now().wall
        return ReloadResult(
            added: change.added, removed: change.removed, changed: change.changed, kept: change.kept,
            needsRestart: fixed,
            warnings: new.warnings.map(FindingRenderer.placedSentence) + pipeline.overrideNotes())
    }

    private func sayReloadFailed(_ error: SettingsError) {
        let summary = FindingRenderer.summary(error.findings)
        failedReload = (clock.now().wall, summary)
        log.error("reload failed, the settings stay as they were: \(summary)", id: .reloadFailed)
        for finding in error.findings { log.say(finding) }
    }

    private func sayStart() {
        let settings = loaded.settings
        let market = feed.isSimulated ? "SIMULATED market" : feed.url ?? feed.name
        log.info(
            "version \(Version.current): \(settings.rules.count) rules, \(market) every \(settings.feed.interval)",
            id: .started)
        let capacity = pipeline.history.capacity
        log.info(
            "history: \(settings.history.keep) are \(capacity.polls) polls; "
                + "of 450 symbols at a byte a price \(megabytes(capacity.bytesExpected(symbols: 450))), "
                + "and never more than \(megabytes(capacity.bytes))", id: .historySized)
        for warning in loaded.warnings { log.say(warning) }
    }
}

extension Daemon {
    /// What `Status` answers.
    func status() -> DaemonStatus {
        let engine = pipeline.engine
        return DaemonStatus(
            version: Version.current, pid: Int(getpid()), started: started.wall.description,
            simulated: feed.isSimulated, feed: feedStatus(), symbols: pipeline.batch?.tickers.count ?? 0,
            rules: engine.rules.count, firing: engine.firingCount,
            silences: pipeline.silences.records.count(where: \.isInForce),
            problems: problems(),
            lastEvent: Int(clamping: pipeline.log.lastNumber), eventReaders: eventSocket.readerCount,
            eventReadersLimit: eventSocket.limit, history: historyStatus(),
            store: pipeline.stateStore.status(),
            sinks: pipeline.sinks.map { SinkStatus($0) },
            configuration: ConfigurationStatus(
                files: loaded.files, loaded: loadedAt.description, lastReloadFailed: failedReload?.time.description,
                lastReloadMessage: failedReload?.message))
    }

    private func problems() -> [RuleProblem] {
        pipeline.rules().filter { $0.state != .ok && $0.state != .waiting }.prefix(20).map {
            RuleProblem(rule: $0.name, state: $0.state, problems: $0.problems)
        }
    }

    private func feedStatus() -> FeedStatus {
        let state = poller.state
        let failure = state.failure.map { ControlInterface.FetchState(rawValue: $0.kind.rawValue) }
        let now = clock.now()
        let next = state.nextDue.map { WallTime(milliseconds: now.wall.milliseconds + $0.since(now.boot).count) }
        return FeedStatus(
            source: feed.name, url: feed.url, state: failure ?? (state.lastSuccess == nil ? .starting : .ok),
            message: state.failure.map { "\($0.message); \($0.advice)" },
            intervalMilliseconds: Int(clamping: loaded.settings.feed.interval.count), polls: state.polls,
            failures: state.failures, consecutiveFailures: state.consecutiveFailures,
            badElements: pipeline.badElementCount, lastSuccess: state.lastSuccess?.wall.description,
            lastAttempt: state.lastAttempt?.wall.description, nextPoll: next?.description, reach: state.reach,
            stale: pipeline.engine.isFeedStale)
    }

    private func historyStatus() -> HistoryStatus {
        let history = pipeline.history
        return HistoryStatus(
            keepMilliseconds: Int(clamping: loaded.settings.history.keep.count), capacity: history.capacity.polls,
            polls: history.pollCount, bytes: history.byteCount, limitBytes: history.capacity.bytes,
            oldest: history.oldest?.description)
    }
}

extension Settings {
    /// Takes back what only a restart can change.
    ///
    /// - Returns: the keys that were taken back.
    fileprivate mutating func keepFixed(of old: Settings) -> [String] {
        var keys: [String] = []
        if feed.source != old.feed.source {
            keys.append("feed.source")
            feed.source = old.feed.source
        }
        if sinks.journal != old.sinks.journal { keys.append("sinks.journal") }
        if sinks.stdout != old.sinks.stdout { keys.append("sinks.stdout") }
        if sinks.eventReaders != old.sinks.eventReaders { keys.append("sinks.event_readers") }
        sinks = old.sinks
        return keys
    }
}

extension FeedSettings {
    /// Whether the same feed can go on: only times differ.
    fileprivate func hasSameSource(as other: FeedSettings) -> Bool {
        source == other.source && url == other.url && authorityFile == other.authorityFile
            && allowsPlainHTTP == other.allowsPlainHTTP && simulatorSeed == other.simulatorSeed
    }
}

extension ReloadResult {
    fileprivate var summary: String {
        let restart = needsRestart.isEmpty ? "" : "; needs a restart: \(needsRestart.joined(separator: ", "))"
        return "\(added.count) rules added, \(removed.count) removed, \(changed.count) changed, "
            + "\(kept.count) kept\(restart)"
    }
}

@LoopActor
private func makeFeed(_ settings: FeedSettings, proxy: ProxyAddress?, clock: any TimeSource) -> any Feed {
    switch settings.source {
    case .simulator: return SimulatedFeed(seed: settings.simulatorSeed, time: clock)
    case .wazirx:
        var configuration = HTTPConfiguration(userAgent: "alertd/\(Version.current)")
        configuration.authorityFile = settings.authorityFile
        configuration.allowsPlainHTTP = settings.allowsPlainHTTP
        configuration.proxy = proxy
        return WazirXFeed(url: settings.url, client: HTTPClient(configuration), time: clock)
    }
}

/// Makes a folder and those above it where they are missing; only the daemon's user and group may enter it.
private func makeFolder(_ path: String, option: String) throws(StartError) {
    var built = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
        built += built.isEmpty || built.hasSuffix("/") ? String(part) : "/\(part)"
        guard unsafe mkdir(built, 0o750) != 0, errno != EEXIST else { continue }
        let number = errno
        let reason = describe(errorNumber: number)
        throw StartError(
            message: "\(path): cannot be made: \(reason); name another with \(option)", errorNumber: number)
    }
}

private func megabytes(_ bytes: Int) -> String {
    let tenths = (bytes * 10 + (1 << 19)) >> 20
    return "\(tenths / 10).\(tenths % 10) MiB"
}
