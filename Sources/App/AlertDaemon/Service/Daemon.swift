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
    /// The error number of the system; 0 when no system call failed.
    var errorNumber: Int32 = 0
}

/// The daemon: what it consists of, how it starts, reloads and shuts down.
@LoopActor
final class Daemon {
    let clock: any TimeSource
    let pipeline: Pipeline
    let exchangeRates: ExchangeRateService
    var feed: any Feed { poller.feed }

    private let options: DaemonOptions
    /// A simulated market has its own folder, so that its prices and alerts never mix with those of an exchange.
    let stateFolder: String
    let log: Log
    let services: ServiceManager
    let context: ServiceManagerContext
    let poller: Poller
    var watchdog: Watchdog?
    private let sinks: [any Sink]
    private let started: Instant
    private(set) var loaded: LoadedSettings
    private var loadedAt: WallTime
    private(set) var failedReload: (time: WallTime, message: String)?
    private var server: VarlinkServer?

    /// Makes everything that needs no waiting: folders, sockets, sinks, the pipeline with its saved state.
    ///
    /// - Throws: ``StartError`` when a folder or socket cannot be created, or the state is in use.
    init(
        _ options: DaemonOptions, loaded: LoadedSettings, log: Log, context: ServiceManagerContext,
        clock: any TimeSource
    ) throws(StartError) {
        self.options = options
        self.loaded = loaded
        self.log = log
        self.context = context
        services = context.services
        self.clock = clock
        started = clock.now()
        loadedAt = started.wall
        let settings = loaded.settings
        let feed = makeFeed(settings.feed, proxy: context.proxy, clock: clock)
        stateFolder = options.stateFolder + (feed.isSimulated ? "/simulated" : "")
        try makeFolder(options.runtimeFolder, option: "--runtime-dir")
        if let possible = DescriptorLimit.raise(forReaders: settings.sinks.eventReaders) {
            log.warning(
                "event_readers is \(settings.sinks.eventReaders), but the limit on open files allows only "
                    + "\(possible); raise LimitNOFILE= of the service", id: .limitTooLow)
        }
        do {
            sinks = try makeSinks(settings.sinks, options, context)
        } catch {
            throw StartError(error)
        }
        let store = Store(folder: stateFolder, options: StoreOptions(creator: "alertd \(Version.current)"))
        let stateStore = StateStore(store, bootID: bootIdentity(), now: started, log: log)
        stateStore.setRetention(settings.events)
        let rateFeed = makeRateFeed(settings.rates, proxy: context.proxy, clock: clock)
        exchangeRates = ExchangeRateService(rateFeed, log: log, clock: clock) { rates, fetched in
            stateStore.stage(rates: rates.stored(fetched: fetched))
        }
        pipeline = Pipeline(
            settings, sinks: sinks, isSimulated: feed.isSimulated, stateStore: stateStore, rates: exchangeRates,
            log: log, clock: clock)
        poller = Poller(feed, settings.feed, pipeline: pipeline, log: log, clock: clock)
        do {
            try openControlSocket()
            try startPipeline()
        } catch {
            server?.stop()
            for sink in sinks { sink.stop() }
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
    }

    private func openControlSocket() throws(StartError) {
        let service = ControlService(self, permission: .ofThisProcess())
        let information = ServiceInformation(
            vendor: "alertd", product: "alertd", version: Version.current, url: Version.home)
        do {
            server = VarlinkServer(
                try context.control(options.controlSocket), information: information,
                interfaces: [service.interface])
        } catch {
            throw StartError(error)
        }
    }

    /// Serves and polls until SIGTERM or SIGINT.
    func run() async {
        let end = OneShot<Signal, Never>()
        let signals = [
            SignalWatch(.terminate) { end.finish(.success(.terminate)) },
            SignalWatch(.interrupt) { end.finish(.success(.interrupt)) },
            SignalWatch(.hangUp) { [weak self] in _ = self?.reload() },
        ]
        server?.start()
        logStart()
        services.ready(status: statusLine)
        startWatchdog()
        let polling = Loop.shared.start { [self] in await poller.run { reportPoll() } }
        let fetching = Loop.shared.start { [exchangeRates] in await exchangeRates.run() }
        let signal = await end.wait()
        services.stopping()
        watchdog?.stop()
        log.info("stopping on SIG\(signal == .terminate ? "TERM" : "INT")", id: .stopping)
        polling.cancel()
        fetching.cancel()
        await polling.value
        await fetching.value
        pipeline.stop()
        server?.stop()
        log.finish()
        withExtendedLifetime(signals) {}
    }

    /// Reads the settings again; after any error in them everything stays as it was.
    func reload() -> Result<ReloadResult, SettingsError> {
        services.reloading()
        defer { services.ready(status: statusLine) }
        var new: LoadedSettings
        do {
            new = try SettingsLoader().load(options.configuration)
        } catch {
            logFailedReload(error)
            return .failure(error)
        }
        new.warnings += blockers(of: new)
        let result = apply(new)
        failedReload = nil
        log.notice("settings reloaded: \(result.summary)", id: .reloaded)
        for warning in new.warnings { log.write(warning) }
        return .success(result)
    }

    /// Prices of a symbol that are further apart than this have a gap between them.
    var maximumGap: Milliseconds { loaded.settings.feed.maximumGap }

    func pollNow() async throws(PollRequestError) -> PollSummary {
        try await poller.pollNow()
    }

    private func apply(_ new: LoadedSettings) -> ReloadResult {
        let old = loaded.settings
        var settings = new.settings
        let fixed = settings.keepFixed(of: old)
        let change = pipeline.reload(settings)
        if settings.feed != old.feed {
            // A simulated market continues with its prices; an exchange gets a new connection.
            let feed =
                settings.feed.hasSameSource(as: old.feed)
                ? poller.feed : makeFeed(settings.feed, proxy: context.proxy, clock: clock)
            poller.replace(feed: feed, settings.feed)
        }
        if settings.rates != old.rates {
            exchangeRates.replace(feed: makeRateFeed(settings.rates, proxy: context.proxy, clock: clock))
        }
        loaded = new
        loaded.settings = settings
        // Positions and lines of ten thousand rules are some megabytes that are no longer needed.
        loaded.ruleSources = []
        loadedAt = clock.now().wall
        return ReloadResult(
            added: change.added, removed: change.removed, changed: change.changed, kept: change.kept,
            needsRestart: fixed,
            warnings: new.warnings.map(FindingRenderer.placedSentence) + pipeline.overrideNotes())
    }

    private func logFailedReload(_ error: SettingsError) {
        let summary = FindingRenderer.summary(error.findings)
        failedReload = (clock.now().wall, summary)
        log.error("reload failed, keeping the previous settings: \(summary)", id: .reloadFailed)
        for finding in error.findings { log.write(finding) }
    }

    private func logStart() {
        let settings = loaded.settings
        let market = feed.isSimulated ? "SIMULATED market" : feed.url ?? feed.name
        log.info(
            "version \(Version.current): \(settings.rules.count) rules, \(market) every \(settings.feed.interval)",
            id: .started)
        let capacity = pipeline.history.capacity
        log.info(
            "history: \(settings.history.keep) hold \(capacity.polls) polls; "
                + "about \(megabytes(capacity.bytesExpected(symbols: 450))) for 450 symbols, "
                + "at most \(megabytes(capacity.bytes))", id: .historySized)
        for warning in loaded.warnings { log.write(warning) }
    }
}

extension Daemon {
    /// The reply to `Status`.
    func status() -> DaemonStatus {
        let engine = pipeline.engine
        let readers = sinks.lazy.compactMap(\.readers).first
        return DaemonStatus(
            version: Version.current, pid: Int(getpid()), started: started.wall.description,
            simulated: feed.isSimulated, feed: feedStatus(), symbols: pipeline.batch?.tickers.count ?? 0,
            rules: engine.rules.count, firing: engine.firingCount,
            silences: pipeline.silences.records.count(where: \.isInForce),
            problems: problems(),
            lastEvent: Int(clamping: pipeline.events.lastNumber), eventReaders: readers?.count ?? 0,
            eventReadersLimit: readers?.limit ?? 0, history: historyStatus(),
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
            message: state.failure?.sentence,
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
    /// Keeps the old values of the keys that only a restart can change.
    ///
    /// - Returns: the keys whose new values are ignored.
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

extension ReloadResult {
    fileprivate var summary: String {
        let restart =
            needsRestart.isEmpty ? "" : "; takes effect after a restart: \(needsRestart.joined(separator: ", "))"
        return "\(added.count) rules added, \(removed.count) removed, \(changed.count) changed, "
            + "\(kept.count) kept\(restart)"
    }
}

/// Creates a folder, and those above it that are missing; only the user and group of the daemon may enter it.
private func makeFolder(_ path: String, option: String) throws(StartError) {
    var built = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
        built += built.isEmpty || built.hasSuffix("/") ? String(part) : "/\(part)"
        guard unsafe mkdir(built, 0o750) != 0, errno != EEXIST else { continue }
        let number = errno
        let reason = describe(errorNumber: number)
        throw StartError(
            message: "\(path): cannot be created: \(reason); choose another directory with \(option)",
            errorNumber: number)
    }
}

private func megabytes(_ bytes: Int) -> String {
    let tenths = (bytes * 10 + (1 << 19)) >> 20
    return "\(tenths / 10).\(tenths % 10) MiB"
}
