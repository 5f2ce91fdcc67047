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

/// The reason why the daemon could not start, in one line for people.
struct StartError: Error {
    var message: String
    /// The error number of the system call that failed; 0 if none failed.
    var errorNumber: Int32 = 0
}

/// The daemon: its parts, and how it starts, reloads and shuts down.
@LoopActor
final class Daemon: SettingsController {
    let machine: Machine
    let pipeline: Pipeline
    private let receiverHost: ReceiverHost
    private let fetching: Fetching
    private let options: DaemonOptions
    let log: Log
    let context: ServiceManagerContext
    var reporting = ServiceReporting()
    private(set) lazy var monitoring = Monitoring(self)
    private(set) var lease: LeaseKeeper?
    private(set) var inEffect: SettingsInEffect
    private(set) var server: VarlinkServer?

    var clock: any TimeSource { machine.clock }
    var services: ServiceManager { context.services }
    var loaded: LoadedSettings { inEffect.loaded }
    var pollers: Pollers { fetching.pollers }
    var exchangeRates: ExchangeRateService { fetching.exchangeRates }
    var query: PipelineQuery { PipelineQuery(pipeline) }
    var rates: RateQuery {
        RateQuery(exchangeRates, query) { [weak self] in self?.loaded.settings.display.currency }
    }

    /// Creates everything that needs no waiting: folders, sockets, sinks, the pipeline with its saved state.
    ///
    /// - Throws: ``StartError`` if a folder or a socket cannot be created, or the state is in use.
    init(
        _ options: DaemonOptions, loaded: LoadedSettings, log: Log, context: ServiceManagerContext,
        machine: Machine = Machine()
    ) throws(StartError) {
        let clock = machine.clock
        self.options = options
        self.log = log
        self.context = context
        self.machine = machine
        let started = clock.now()
        inEffect = SettingsInEffect(loaded: loaded.withoutRules, time: started.wall, started: started)
        let settings = loaded.settings
        // A simulated market has its own folder, so that its prices and alerts never mix with those of an exchange.
        let isSimulated = settings.isSimulated
        let stateFolder = options.stateFolder + (isSimulated ? "/simulated" : "")
        try makeFolder(options.runtimeFolder, option: "--runtime-dir")
        let readerLimit = try DescriptorLimit.prepare(forReaders: settings.sinks.eventReaders, log)
        let sinks: [any Sink]
        do {
            sinks = try makeSinks(settings.sinks, readerLimit: readerLimit, options, context, machine)
        } catch {
            throw StartError(error)
        }
        let store = Store(folder: stateFolder, options: StoreOptions(creator: "alertd \(Version.current)"))
        store.options.vfs = machine.vfs
        store.options.firstSource = settings.feed.name
        let stateStore = StateStore(store, bootID: machine.bootID, now: started, log: log)
        stateStore.setRetention(settings.events)
        let rateFeed = makeRateFeed(settings.rates, proxy: context.proxy, machine)
        let exchangeRates = ExchangeRateService(rateFeed, log: log, clock: clock, random: machine.random)
        let receivers = makeReceivers(settings, context, machine, userAgent: userAgent)
        pipeline = Pipeline(
            settings, sinks: sinks, isSimulated: isSimulated, stateStore: stateStore, rates: exchangeRates,
            receivers: receivers, log: log, clock: clock)
        let pipeline = pipeline
        exchangeRates.onRates = { [weak pipeline] _, _ in pipeline?.saveRates() }
        receiverHost = ReceiverHost(PipelineQuery(pipeline), rates: exchangeRates, settings: settings)
        receivers.host = receiverHost
        let pollers = Pollers(
            zip(pipeline.lanes, settings.sources).map { lane, feed in
                makePoller(feed, of: lane, pipeline, log, context, machine)
            })
        fetching = Fetching(
            pollers: pollers, exchangeRates: exchangeRates,
            coinHistories: CoinHistories(pollers, pipeline, clock: clock),
            pastRates: PastRates(
                makeHistorySource(settings.rates, proxy: context.proxy, machine), folder: stateFolder, clock: clock))
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
        if leaseSettings.isEnabled { pipeline.receivers?.suspend() }
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
            pipeline, rates: rates, refresher: exchangeRates, pastRates: fetching.pastRates, daemon: self,
            poller: pollers,
            coins: fetching.coinHistories, access: access)
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
        monitoring.servers.listen(at: loaded.settings.metrics.listen)
        services.ready(status: statusLine)
        SettingsLoader.releaseMemory()
        startWatchdog()
        startNotificationTimer()
        lease?.start()
        pollers.start { [self] in finishPoll() }
        let rateFetching = Loop.shared.start { [exchangeRates] in await exchangeRates.run() }
        let signal = await end.wait()
        services.stopping()
        armNotificationTimer()
        reporting.watchdog?.stop()
        log.info("stopping on SIG\(signal == .terminate ? "TERM" : "INT")", id: .stopping)
        monitoring.heartbeat?.stop()
        rateFetching.cancel()
        await pollers.stop()
        await fetching.coinHistories.stop()
        await fetching.pastRates.stop()
        await rateFetching.value
        monitoring.servers.stop()
        await pipeline.receivers?.finish()
        await lease?.stop()
        pipeline.stop()
        server?.stop()
        // The calls of the server refer to the daemon.
        server = nil
        services.drain()
        log.finish()
    }

    /// Handles the end of a poll, when the time of the next one is known.
    private func finishPoll() {
        if inEffect.mayReleaseMemory, pipeline.lanes.allSatisfy({ $0.batch != nil }) {
            pipeline.releaseMemory()
            cmemory_unmap_code()
            inEffect.mayReleaseMemory = false
        }
        reportPoll()
        context.restoreFiles(of: server, pipeline.sinks, monitoring.servers, log)
        monitoring.heartbeat?.report(failing: pollers.all.compactMap { FailingSource($0) })
        monitoring.metrics.writeFile()
    }

    func reload() -> Result<ReloadResult, SettingsError> {
        services.reloading()
        context.restoreFiles(of: server, pipeline.sinks, monitoring.servers, log)
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
        (inEffect.mayReleaseMemory, inEffect.failedReload) = (true, nil)
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
            fetching.pastRates.replace(makeHistorySource(settings.rates, proxy: context.proxy, machine))
        }
        settings.rules = []
        (inEffect.loaded, inEffect.time) = (new.withoutRules, clock.now().wall)
        inEffect.loaded.settings = settings
        if settings.heartbeat != old.heartbeat { monitoring.setHeartbeat(self) }
        monitoring.servers.listen(at: settings.metrics.listen)
        return ReloadResult(
            added: change.rules.added, removed: change.rules.removed, changed: change.rules.changed,
            kept: change.rules.kept,
            needsRestart: fixed,
            warnings: (new.warnings + query.receiverFaults).map(FindingRenderer.placedSentence) + query.overrideNotes())
    }

    /// Polls the sources of the new settings from now on.
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
            // A feed continues if its source is the same, so a simulated market keeps its prices.
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
        inEffect.failedReload = (clock.now().wall, summary)
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

/// The parts that request prices and rates.
struct Fetching {
    let pollers: Pollers
    let exchangeRates: ExchangeRateService
    let coinHistories: CoinHistories
    let pastRates: PastRates
}

/// The parts that let other programs monitor the daemon.
@LoopActor
struct Monitoring {
    let metrics: DaemonMetrics
    let servers: MetricsServers
    var heartbeat: Heartbeat?

    init(_ daemon: Daemon) {
        metrics = DaemonMetrics(daemon)
        servers = MetricsServers(
            passed: daemon.context.inheritedDescriptors.metrics, log: daemon.log
        ) { [weak daemon] in await daemon?.monitoring.metrics.text($0) ?? [] }
        setHeartbeat(daemon)
    }

    /// Starts the heartbeat of the settings in effect.
    mutating func setHeartbeat(_ daemon: Daemon) {
        heartbeat?.stop()
        heartbeat = makeHeartbeat(daemon.loaded.settings.heartbeat, daemon.context, daemon.machine, log: daemon.log)
    }
}

/// The settings in effect, and the result of the last attempt to load others.
struct SettingsInEffect {
    fileprivate(set) var loaded: LoadedSettings
    /// The time when the settings were loaded.
    fileprivate(set) var time: WallTime
    /// The time when the daemon started.
    let started: Instant
    fileprivate(set) var failedReload: (time: WallTime, message: String)?
    /// True until the next poll has created and stored all alerts. After that poll, memory can be released, and code
    /// that only the start or a reload runs can be unmapped.
    fileprivate var mayReleaseMemory = true

    fileprivate init(loaded: LoadedSettings, time: WallTime, started: Instant) {
        (self.loaded, self.time, self.started) = (loaded, time, started)
    }
}

/// Returns a description such as `https://api.wazirx.com/… every 30s`.
@LoopActor
private func description(of poller: Poller) -> String {
    let name = poller.lane.isAmongSeveral ? "\(poller.lane.name): " : ""
    let market = poller.feed.isSimulated ? "SIMULATED market" : poller.feed.url ?? poller.feed.name
    return "\(name)\(market) every \(poller.settings.interval)"
        + (poller.settings.monthlyRequests.map { ", about \($0) requests a month" } ?? "")
}

extension Settings {
    /// True if prices are simulated. Either all sources are simulated, or none.
    var isSimulated: Bool { feed.source.profile.isSimulated }

    /// Keeps the old values of the keys that only a restart can change.
    ///
    /// - Returns: the keys whose new values are ignored.
    fileprivate mutating func keepFixed(of old: Settings) -> [String] {
        var keys: [String] = []
        // Simulated markets and exchanges have different state files.
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
    /// The settings without the rules, which the engines have, and without their positions in the files, which only a
    /// check needs.
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

/// Creates a folder and its missing parents; only the user and group of the daemon may enter them.
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
