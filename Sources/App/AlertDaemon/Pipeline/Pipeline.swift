package import Configuration
package import Delivery
internal import Engine
package import EventLoop
internal import Events
internal import ExchangeRates
internal import History
internal import Journal
package import Market
package import Notifications
internal import Receivers
internal import Rules
internal import Storage
internal import Time

/// The data flow from a usable response to the sinks: history and rules of its source, then numbers, store and sinks.
/// It processes one response at a time.
@LoopActor
package final class Pipeline {
    /// The sources, in the order of the settings; never empty.
    package internal(set) var lanes: [Lane]
    var events: EventLog
    var shared: SharedState

    let stateStore: StateStore
    let sinks: [any Sink]
    /// The clients that follow the events.
    let monitors: EventMonitors
    /// The receivers of notifications over the network.
    let receivers: NotificationService?
    /// Nil if all rules are in the currencies of their markets.
    let rates: (any RuleRates)?
    private let log: Log?

    let clock: any TimeSource
    private var clocks: ClockWatch
    private var retryTimer: LoopTimer?

    /// The time between attempts to save while there are no responses.
    private static let retryPeriod = Duration.seconds(30)

    /// Creates an empty pipeline. Start it with ``start()``.
    ///
    /// - Parameters:
    ///   - settings: the rules, and the limits on what is kept.
    ///   - sinks: the sinks, in the order in which they get events.
    ///   - isSimulated: whether prices are simulated; the text of each event then says so.
    ///   - stateStore: stores the state.
    ///   - rates: the source of exchange rates for rules.
    ///   - monitors: the clients to wake when there are new events, after the sinks.
    ///   - receivers: get the events after the sinks, through queues that are committed with the events.
    ///   - log: gets changes of the machine's clocks.
    ///   - clock: the source of the current time.
    package init(
        _ settings: Settings, sinks: [any Sink], isSimulated: Bool, stateStore: StateStore,
        rates: (any RuleRates)? = nil, monitors: EventMonitors = EventMonitors(),
        receivers: NotificationService? = nil, log: Log? = nil, clock: any TimeSource
    ) {
        events = EventLog(isSimulated: isSimulated)
        let start = clock.now()
        lanes = settings.sources.map { Lane($0, of: settings, at: start) }
        shared = SharedState(settings.checks)
        self.sinks = sinks
        self.stateStore = stateStore
        self.rates = rates
        self.monitors = monitors
        self.receivers = receivers
        self.log = log
        self.clock = clock
        clocks = ClockWatch(start, asleep: clock.asleep())
        retryTimer = LoopTimer(accuracy: .seconds(1)) { [weak self] in self?.commit() }
        for lane in lanes { connect(lane) }
        receivers?.recorder = self
    }

    /// Gives a new lane access to past reference rates.
    func connect(_ lane: Lane) {
        lane.pastRates = { [weak self] in self?.rates(at: $0) }
    }

    var silences: SilenceList { shared.silences }
    var overrides: [LimitOverride] { shared.overrides }
    var checks: PriceChecks { shared.checks }

    /// The first source, which is the source of rules that name none.
    package var first: Lane { lanes[0] }

    /// Returns the source with a name; nil if the settings have none.
    package func lane(_ name: SourceName) -> Lane? {
        lanes.first { $0.name == name }
    }

    /// Accepts a usable response.
    ///
    /// - Parameters:
    ///   - new: the response.
    ///   - lane: its source; the first one if nil.
    /// - Returns: the number of events that it caused.
    package func accept(_ new: TickerBatch, of lane: Lane? = nil) -> Int {
        let lane = lane ?? first
        // The source may have been removed while the response was on its way.
        guard lanes.contains(where: { $0 === lane }) else { return 0 }
        checkClocks()
        updateSilences(at: new.received)
        let (change, divergences) = lane.phases.measure(.evaluate, by: clock) {
            (lane.ingest(new, rates: rates?.ratesForRules), compare(after: lane, at: new.received))
        }
        if let warning = change.warning {
            log?.warning("rules: \(lane.name): \(warning)", id: .settingsFinding, [.source: "\(lane.name)"])
        }
        if !change.forgotten.isEmpty {
            events.keepAlerts { $0.source != lane.name || !change.forgotten.contains($0.symbol) }
        }
        commit(divergences, of: change)
        receivers?.sendPrices()
        armStaleTimer(of: lane)
        return change.occurrences.count + divergences.count
    }

    /// Accepts the candles of a gap.
    ///
    /// - Parameters:
    ///   - candles: the candles of all whole minutes of the gap, oldest first.
    ///   - gap: a gap of the lane that is not filled yet.
    ///   - lane: its source.
    /// - Returns: the number of limits that were reached in the gap.
    func accept(_ candles: [Candle], of gap: PriceGap, in lane: Lane) -> Int {
        guard lanes.contains(where: { $0 === lane }) else { return 0 }
        let now = clock.now()
        checkClocks()
        updateSilences(at: now)
        let change = lane.ingest(candles, of: gap, rates: rates?.ratesForRules, at: now)
        commit(of: change)
        return change.occurrences.count
    }

    /// Saves everything, and stops the sinks. There are no more events after that.
    package func stop() {
        for lane in lanes { lane.disarm() }
        for sink in sinks { sink.flush() }
        commit()
        retryTimer?.disarm()
        stateStore.close()
        for sink in sinks { sink.stop() }
    }

    /// Returns to the system the memory that was needed to create and store all alerts.
    func releaseMemory() {
        stateStore.store.releaseMemory()
        SettingsLoader.releaseMemory()
    }

    /// Saves new exchange rates immediately: while no responses arrive, nothing else would cause a commit.
    func saveRates() {
        shared.unsaved.insert(.rates)
        commit()
    }

    /// Commits events and everything else that has changed in one transaction, and only then delivers them to the
    /// sinks.
    ///
    /// - Parameters:
    ///   - occurrences: occurrences to number after those of `change`.
    ///   - change: the change of a lane, if no other lane can have changed; nil to collect the changes of all lanes.
    ///   - coinHistories: past prices of coins that were fetched.
    func commit(
        _ occurrences: [Occurrence] = [], of change: LaneChange? = nil, coinHistories: [StoredCoinHistory] = []
    ) {
        let now = clock.now()
        let adopted = stateStore.isDegraded ? stateStore.reopen(known: events.kept, at: now).map(adopt) ?? [] : []
        let phases = (change.flatMap { lane($0.stored.source) } ?? first).phases
        let new = phases.measure(.commit, by: clock) {
            let changes = change.map { [$0] } ?? lanes.map { $0.change() }
            var all = transaction(of: changes, after: adopted, and: occurrences, at: now)
            all.coinHistories = coinHistories
            stateStore.commit(all, at: now)
            return all.events + announce(at: now)
        }
        if !new.isEmpty {
            phases.measure(.deliver, by: clock) { deliver(new) }
            saveCursors()
        }
        assert(stateStore.isDegraded || stateStore.unsaved.isEmpty, "what is delivered is committed")
        assert(cursors.allSatisfy { $0.value <= events.lastNumber }, "a sink has got numbered events only")
        stateStore.tidy(at: now)
        if stateStore.isDegraded { retryTimer?.arm(after: Self.retryPeriod) } else { retryTimer?.disarm() }
    }

    /// Numbers the occurrences, and adds all data that must be stored with them.
    private func transaction(
        of changes: [LaneChange] = [], after adopted: [Occurrence] = [], and others: [Occurrence], at now: Instant
    ) -> Transaction {
        var new = Transaction(time: now.wall, events: events.number(adopted + changes.flatMap(\.occurrences) + others))
        new.queues = receivers?.append(new.events) ?? QueueChanges()
        new.sources = changes.map(\.stored).filter { !$0.isEmpty }
        if case .everything(let known) = stateStore.extent(at: now) {
            new.isWhole = true
            new.sources = lanes.map { lane in
                var all = lane.everything(besides: known[lane.name] ?? [])
                all.candles = new.sources.filter { $0.source == lane.name }.flatMap(\.candles)
                return all
            }
            if let receivers { new.queues = receivers.everything(after: new.queues) }
        }
        shared.add(to: &new, polled: lanes.map(\.name), rates: rates?.stored ?? [])
        new.cursors = cursors
        return new
    }

    /// Reports that the store has failed, or works again. At most two reports are made at a time; the next commit
    /// makes any further ones.
    private func announce(at now: Instant) -> [Event] {
        var new: [Event] = []
        for _ in 0..<2 where stateStore.mayAnnounce {
            guard let announcement = stateStore.announcement(at: now) else { break }
            if stateStore.isDegraded {
                let more = events.number([announcement])
                stateStore.stage(Transaction(time: now.wall, events: more, queues: receivers?.append(more) ?? .init()))
                new += more
            } else {
                let more = transaction(and: [announcement], at: now)
                stateStore.commit(more, at: now)
                new += more.events
            }
        }
        return new
    }

    private func deliver(_ new: [Event]) {
        // The event socket comes first, so that its readers do not wait for the journal.
        for sink in sinks {
            for event in new { sink.deliver(event) }
            sink.flush()
        }
        monitors.wake()
        receivers?.wake()
    }

    /// The number of polls in the history.
    package var pollCount: Int { lanes.reduce(0) { $0 + $1.history.pollCount } }

    /// The number of the last event of each sink that has a cursor, including unused sinks.
    var cursors: [String: Int64] {
        let current = sinks.compactMap { sink in sink.cursor.map { (sink.name, $0) } }
        return stateStore.cursors(Dictionary(current) { $1 }, at: events.lastNumber)
    }

    func saveCursors() {
        stateStore.save(cursors: cursors, at: clock.now())
    }

    /// Reports a source as stale if there was no usable response for too long; the first source if it is nil.
    package func checkFeed(of lane: Lane? = nil) {
        let lane = lane ?? first
        checkClocks()
        commit(of: lane.checkFeed(at: clock.now()))
        receivers?.sendPrices()
        armStaleTimer(of: lane)
    }

    /// Checks the clocks of the machine and logs changes. If the machine was suspended, the gap in the prices is not
    /// attributed to the exchange.
    func checkClocks() {
        var hasResumed = false
        for change in clocks.check(clock.now(), asleep: clock.asleep()) {
            if case .resumed = change {
                hasResumed = true
                for lane in lanes {
                    lane.engine.resume(at: clock.now())
                    armStaleTimer(of: lane)
                }
            }
            log?.write(change)
        }
        // The next poll may fail, and a later process must know the reason for the gap.
        if hasResumed { commit() }
    }

    func armStaleTimer(of lane: Lane) {
        lane.armStaleTimer(at: clock.now()) { [weak self] lane in self?.checkFeed(of: lane) }
    }
}
