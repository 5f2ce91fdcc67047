internal import CMemory
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
internal import Notifications
internal import PriceSources
internal import Receivers
internal import Rules
internal import ServiceManager
internal import Storage
internal import Time
internal import UnixSockets
internal import Varlink

/// Why the daemon could not start: one line for people.
struct StartError: Error {
    var message: String
    /// The error number of the system; 0 when no system call failed.
    var errorNumber: Int32 = 0
}

/// The daemon: what it consists of, how it starts, reloads and shuts down.
@LoopActor
final class Daemon: SettingsController {
    let machine: Machine
    let clock: any TimeSource
    let pipeline: Pipeline
    let exchangeRates: ExchangeRateService
    private let receiverHost: ReceiverHost
    var query: PipelineQuery { PipelineQuery(pipeline) }
    var rates: RateQuery {
        RateQuery(exchangeRates, query) { [weak self] in self?.loaded.settings.display.currency }
    }

    private let options: DaemonOptions
    /// A simulated market has its own folder, so that its prices and alerts never mix with those of an exchange.
    let stateFolder: String
    let log: Log
    let services: ServiceManager
    let context: ServiceManagerContext
    let pollers: Pollers
    private let coinHistories: CoinHistories
    var watchdog: Watchdog?
    /// The last status that was sent, and how many alerts fired after which event.
    var reported: (line: StatusLine?, firing: Int, lastNumber: Int64) = (nil, 0, -1)
    var notificationTimer: LoopTimer?
    private lazy var metrics = DaemonMetrics(self)
    private lazy var metricsServers = MetricsServers(
        passed: context.inheritedDescriptors.metrics, log: log
    ) { [weak self] in await self?.metrics.text($0) ?? [] }
    private var heartbeat: Heartbeat?
    private(set) var lease: LeaseKeeper?
    private let sinks: [any Sink]
    let started: Instant
    private(set) var loaded: LoadedSettings
    private(set) var loadedAt: WallTime
    private(set) var failedReload: (time: WallTime, message: String)?
    private(set) var server: VarlinkServer?
    /// Whether the next poll makes and stores all alerts, after which there is memory to release, and code that only
    /// the start or the reload has run.
    private var mayReleaseMemory = true

    /// Makes everything that needs no waiting: folders, sockets, sinks, the pipeline with its saved state.
    ///
    /// - Throws: ``StartError`` when a folder or socket cannot be created, or the state is in use.
    init(
        _ options: DaemonOptions, loaded: LoadedSettings, log: Log, context: ServiceManagerContext,
        machine: Machine = Machine()
    ) throws(StartError) {
        let clock = machine.clock
        self.options = options
        self.loaded = loaded.withoutRules
        self.log = log
        self.context = context
        services = context.services
        self.machine = machine
        self.clock = clock
        started = clock.now()
        loadedAt = started.wall
        let settings = loaded.settings
        let isSimulated = settings.isSimulated
        stateFolder = options.stateFolder + (isSimulated ? "/simulated" : "")
        try makeFolder(options.runtimeFolder, option: "--runtime-dir")
        try DescriptorLimit.prepare(forReaders: settings.sinks.eventReaders, log)
        do {
            sinks = try makeSinks(settings.sinks, options, context, machine)
        } catch {
            throw StartError(error)
        }
        let store = Store(folder: stateFolder, options: StoreOptions(creator: "alertd \(Version.current)"))
        store.options.vfs = machine.vfs
        store.options.firstSource = settings.feed.name
        let stateStore = StateStore(store, bootID: machine.bootID, now: started, log: log)
        stateStore.setRetention(settings.events)
        let rateFeed = makeRateFeed(settings.rates, proxy: context.proxy, machine)
        exchangeRates = ExchangeRateService(rateFeed, log: log, clock: clock, random: machine.random)
        let receivers = makeReceivers(settings, context, machine, userAgent: userAgent)
        pipeline = Pipeline(
            settings, sinks: sinks, isSimulated: isSimulated, stateStore: stateStore, rates: exchangeRates,
            receivers: receivers, log: log, clock: clock)
        let pipeline = pipeline
        exchangeRates.onRates = { [weak pipeline] _, _ in pipeline?.saveRates() }
        receiverHost = ReceiverHost(PipelineQuery(pipeline), rates: exchangeRates, settings: settings)
        receivers.host = receiverHost
        heartbeat = makeHeartbeat(settings.heartbeat, context, machine, log: log)
        pollers = Pollers(
            zip(pipeline.lanes, settings.sources).map { lane, feed in
                makePoller(feed, of: lane, pipeline, log, context, machine)
            })
        coinHistories = CoinHistories(pollers, pipeline, clock: clock)
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
        let leaseSettings = loaded.settings.lease
        if leaseSettings.isEnabled { pipeline.receivers?.hold() }
        do throws(StorageError) {
            try pipeline.start()
        } catch {
            throw StartError(message: "\(error)", errorNumber: error.kind == .inUse ? EBUSY : EIO)
        }
        lease = pipeline.receivers?.standBy(leaseSettings, instance: pipeline.events.instance, machine: machineName())
        lease?.logChanges(to: log)
    }

    private func openControlSocket() throws(StartError) {
        let access = ControlAccess(permission: context.permission, log: log)
        let groups = controlGroups(
            pipeline, rates: rates, refresher: exchangeRates, daemon: self, poller: pollers, coins: coinHistories,
            access: access)
        let information = ServiceInformation(
            vendor: "alertd", product: "alertd", version: Version.current, url: Version.home)
        do {
            server = VarlinkServer(
                try context.control(options.controlSocket), information: information,
                interfaces: [controlInterface(groups)], rank: { access.permission.rank(of: $0) })
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
        await serve(until: end)
        withExtendedLifetime(signals) {}
    }

    /// Serves and polls until the signal.
    func serve(until end: OneShot<Signal, Never>) async {
        server?.start()
        logStart()
        metricsServers.listen(at: loaded.settings.metrics.listen)
        services.ready(status: statusLine)
        SettingsLoader.releaseMemory()
        startWatchdog()
        startNotificationTimer()
        lease?.start()
        pollers.start { [self] in finishPoll() }
        let fetching = Loop.shared.start { [exchangeRates] in await exchangeRates.run() }
        let signal = await end.wait()
        services.stopping()
        armNotificationTimer()
        watchdog?.stop()
        log.info("stopping on SIG\(signal == .terminate ? "TERM" : "INT")", id: .stopping)
        heartbeat?.stop()
        fetching.cancel()
        await pollers.stop()
        await coinHistories.stop()
        await fetching.value
        metricsServers.stop()
        await pipeline.receivers?.finish()
        await lease?.stop()
        pipeline.stop()
        server?.stop()
        // Its calls hold the daemon.
        server = nil
        services.drain()
        log.finish()
    }

    /// A poll ended, and it is known when the next one is due.
    private func finishPoll() {
        if mayReleaseMemory, pipeline.lanes.allSatisfy({ $0.batch != nil }) {
            pipeline.releaseMemory()
            cmemory_unmap_code()
            mayReleaseMemory = false
        }
        reportPoll()
        context.restoreFiles(of: server, sinks, metricsServers, log)
        heartbeat?.report(failing: pollers.all.compactMap { FailingSource($0) })
        metrics.writeFile()
    }

    func reload() -> Result<ReloadResult, SettingsError> {
        services.reloading()
        context.restoreFiles(of: server, sinks, metricsServers, log)
        defer {
            services.ready(status: statusLine)
            armNotificationTimer()
        }
        var new: LoadedSettings
        do {
            new = try SettingsLoader().load(options.configuration)
        } catch {
            logFailedReload(error)
            return .failure(error)
        }
        let lint = ReloadLint(loaded: new, pipeline: pipeline, rates: rates)
        if let finding = lint.excess {
            let error = SettingsError(findings: [finding], files: new.files)
            logFailedReload(error)
            return .failure(error)
        }
        new.warnings += lint.blockers
        let result = apply(new)
        SettingsLoader.releaseMemory()
        mayReleaseMemory = true
        failedReload = nil
        log.notice("settings reloaded: \(result.summary)", id: .reloaded)
        for warning in new.warnings + query.receiverFaults { log.write(warning) }
        return .success(result)
    }

    private func apply(_ new: LoadedSettings) -> ReloadResult {
        let old = loaded.settings
        var settings = new.settings
        let fixed = settings.keepFixed(of: old)
        receiverHost.displayCurrency = settings.display.currency
        let change = pipeline.reload(settings)
        changeSources(settings)
        if settings.rates != old.rates {
            exchangeRates.replace(feed: makeRateFeed(settings.rates, proxy: context.proxy, machine))
        }
        if settings.heartbeat != old.heartbeat {
            heartbeat?.stop()
            heartbeat = makeHeartbeat(settings.heartbeat, context, machine, log: log)
        }
        loaded = new.withoutRules
        settings.rules = []
        loaded.settings = settings
        loadedAt = clock.now().wall
        metricsServers.listen(at: settings.metrics.listen)
        return ReloadResult(
            added: change.rules.added, removed: change.rules.removed, changed: change.rules.changed,
            kept: change.rules.kept,
            needsRestart: fixed,
            warnings: (new.warnings + query.receiverFaults).map(FindingRenderer.placedSentence) + query.overrideNotes())
    }

    /// Polls the sources of the settings from now on.
    private func changeSources(_ settings: Settings) {
        let old = Dictionary(pollers.all.map { ($0.lane.name, $0.settings) }) { first, _ in first }
        let new = Dictionary(settings.sources.map { ($0.name, $0) }) { first, _ in first }
        pollers.set(pipeline.lanes) { lane in
            let feed = new[lane.name] ?? settings.feed
            return makePoller(feed, of: lane, pipeline, log, context, machine)
        }
        for poller in pollers.all {
            poller.retryRefused()
            guard let feed = new[poller.lane.name], let was = old[poller.lane.name], feed != was else { continue }
            // A simulated market continues with its prices; an exchange gets a new connection.
            poller.replace(feed: feed.hasSameSource(as: was) ? poller.feed : makeFeed(feed, of: poller.lane), feed)
            poller.catchUp { [context, machine] in makeCandleFeed(feed, proxy: context.proxy, machine) }
        }
    }

    private func makeFeed(_ settings: FeedSettings, of lane: Lane) -> any Feed {
        AlertDaemon.makeFeed(
            settings, of: lane, credentials: context.credentials, proxy: context.proxy, machine)
    }

    private func logFailedReload(_ error: SettingsError) {
        let summary = FindingRenderer.summary(error.findings)
        failedReload = (clock.now().wall, summary)
        log.error("reload failed, keeping the previous settings: \(summary)", id: .reloadFailed)
        for finding in error.findings { log.write(finding) }
    }

    private func logStart() {
        let settings = loaded.settings
        let markets = pollers.all.map(description).joined(separator: "; ")
        let count = pipeline.lanes.reduce(0) { $0 + $1.engine.rules.count }
        let rules = count == 1 ? "1 rule" : "\(count) rules"
        log.info("version \(Version.current): \(rules), \(markets)", id: .started)
        let capacity = pipeline.first.history.capacity
        let share = pipeline.lanes.count > 1 ? " for each of \(pipeline.lanes.count) sources" : ""
        log.info(
            "history: keeps \(settings.history.keep) (\(capacity.polls) polls); "
                + "about \(megabytes(capacity.bytesExpected(symbols: 450))) for 450 symbols, "
                + "at most \(megabytes(capacity.bytes))\(share)", id: .historySized)
        for warning in loaded.warnings + query.receiverFaults { log.write(warning) }
    }
}

/// `https://api.wazirx.com/… every 30s`
@LoopActor
private func description(of poller: Poller) -> String {
    let name = poller.lane.isAmongSeveral ? "\(poller.lane.name): " : ""
    let market = poller.feed.isSimulated ? "SIMULATED market" : poller.feed.url ?? poller.feed.name
    return "\(name)\(market) every \(poller.settings.interval)"
        + (poller.settings.monthlyRequests.map { ", about \($0) requests a month" } ?? "")
}

extension Settings {
    /// Whether the prices are made up: those of all sources, or of none.
    var isSimulated: Bool { feed.source.profile.isSimulated }

    /// Keeps the old values of the keys that only a restart can change.
    ///
    /// - Returns: the keys whose new values are ignored.
    fileprivate mutating func keepFixed(of old: Settings) -> [String] {
        var keys: [String] = []
        // They have different state files.
        if isSimulated != old.isSimulated {
            keys.append("feed.source")
            (feed, otherSources) = (old.feed, old.otherSources)
        }
        keys += sinks.keys(differingFrom: old.sinks)
        sinks = old.sinks
        if lease != old.lease {
            keys.append("lease")
            lease = old.lease
        }
        return keys
    }
}

extension LoadedSettings {
    /// The same without the rules, which the engines have, and their places in the files, which only a check needs.
    fileprivate var withoutRules: LoadedSettings {
        var others = self
        others.settings.rules = []
        others.ruleSources = []
        return others
    }
}

extension ReloadResult {
    fileprivate var summary: String {
        let restart =
            needsRestart.isEmpty ? "" : "; takes effect after a restart: \(needsRestart.joined(separator: ", "))"
        return "rules: \(added.count) added, \(removed.count) removed, \(changed.count) changed, "
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
