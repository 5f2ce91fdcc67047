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

/// The data flow from a usable response to the sinks: history and rules of its source, then numbers, store, sinks. One
/// response at a time.
@LoopActor
package final class Pipeline {
    /// The sources, in the order of the settings; never empty.
    package internal(set) var lanes: [Lane]
    var events: EventLog
    var silences = SilenceList()
    /// The limits that are changed at run time, of all sources.
    var overrides: [LimitOverride] = []
    /// The prices of two sources that are compared.
    var checks: PriceChecks

    let stateStore: StateStore
    let sinks: [any Sink]
    /// The clients that follow the events.
    let monitors: EventMonitors
    /// Where notifications are sent over the network.
    let receivers: NotificationService?
    /// Identifies the events of this state file to receivers.
    var instance = randomInstance()
    /// Nil when all rules are in the currencies of their markets.
    let rates: (any RuleRates)?
    private let log: Log?

    let clock: any TimeSource
    private var clocks: ClockWatch
    private var retryTimer: LoopTimer?

    /// How often saving is retried while there are no responses.
    private static let retryPeriod = Duration.seconds(30)

    /// Makes an empty pipeline, to be started with ``start()``.
    ///
    /// - Parameters:
    ///   - settings: the rules, and the limits on what is kept.
    ///   - sinks: get the events, in this order.
    ///   - isSimulated: whether the prices are made up, which the text of each event then says.
    ///   - stateStore: keeps the state.
    ///   - rates: where exchange rates for rules come from.
    ///   - monitors: are woken when there are new events, after the sinks.
    ///   - receivers: get the events after the sinks, through queues that are committed with the events.
    ///   - log: gets changes of the machine's clocks.
    ///   - clock: the current time.
    package init(
        _ settings: Settings, sinks: [any Sink], isSimulated: Bool, stateStore: StateStore,
        rates: (any RuleRates)? = nil, monitors: EventMonitors = EventMonitors(),
        receivers: NotificationService? = nil, log: Log? = nil, clock: any TimeSource
    ) {
        events = EventLog(isSimulated: isSimulated)
        let start = clock.now()
        lanes = settings.sources.map { Lane($0, of: settings, at: start) }
        checks = PriceChecks(settings.checks)
        self.sinks = sinks
        self.stateStore = stateStore
        self.rates = rates
        self.monitors = monitors
        self.receivers = receivers
        stateStore.receivers = receivers
        self.log = log
        self.clock = clock
        clocks = ClockWatch(start, asleep: clock.asleep())
        retryTimer = LoopTimer(accuracy: .seconds(1)) { [weak self] in self?.persist() }
        for lane in lanes { connect(lane) }
    }

    /// Gives a new lane what it shares with the others.
    func connect(_ lane: Lane) {
        lane.pastRates = { [weak self] in self?.rates(at: $0) }
    }

    /// The source of rules that name none.
    package var first: Lane { lanes[0] }

    /// The source of a name; nil if the settings have none.
    package func lane(_ name: SourceName) -> Lane? {
        lanes.first { $0.name == name }
    }

    /// Takes a usable response.
    ///
    /// - Parameters:
    ///   - new: the response.
    ///   - lane: its source; the first one when nil.
    /// - Returns: how many events it caused.
    package func accept(_ new: TickerBatch, of lane: Lane? = nil) -> Int {
        let lane = lane ?? first
        // It may have been removed while the response was on its way.
        guard lanes.contains(where: { $0 === lane }) else { return 0 }
        checkClocks()
        updateSilences(at: new.received)
        let occurrences = lane.phases.measure(.evaluate, by: clock) {
            lane.take(new, rates: rates?.ratesForRules) + compare(after: lane, at: new.received)
        }
        if let sentence = lane.takeNewLimitSentence() {
            log?.warning("rules: \(lane.name): \(sentence)", id: .settingsFinding, [.source: "\(lane.name)"])
        }
        let forgotten = lane.engine.forgotten
        if !forgotten.isEmpty { events.keepAlerts { $0.source != lane.name || !forgotten.contains($0.symbol) } }
        commitAndDeliver(occurrences, of: lane)
        receivers?.sendPrices()
        armStaleTimer(of: lane)
        return occurrences.count
    }

    /// Takes the candles of a gap.
    ///
    /// - Parameters:
    ///   - candles: all of its whole minutes, in their order.
    ///   - gap: one that its source has yet to look up.
    ///   - lane: its source.
    /// - Returns: how many limits were reached in it.
    func accept(_ candles: [Candle], of gap: PriceGap, in lane: Lane) -> Int {
        guard lanes.contains(where: { $0 === lane }) else { return 0 }
        let now = clock.now()
        checkClocks()
        updateSilences(at: now)
        let occurrences = lane.take(candles, of: gap, rates: rates?.ratesForRules, at: now)
        commitAndDeliver(occurrences, of: lane)
        return occurrences.count
    }

    /// Saves everything, and stops the sinks: there are no more events.
    package func stop() {
        for lane in lanes { lane.disarm() }
        for sink in sinks { sink.flush() }
        persist()
        retryTimer?.disarm()
        stateStore.close()
        for sink in sinks { sink.stop() }
    }

    /// Returns to the system what was needed to make and store all alerts.
    func releaseMemory() {
        stateStore.store.releaseMemory()
        SettingsLoader.releaseMemory()
    }

    /// Saves what has changed, without a new event.
    func persist() {
        commitAndDeliver([])
    }

    /// Saves new exchange rates at once: without responses, nothing else would save them.
    func save(_ rates: RateTable, fetched: WallTime) {
        stateStore.stage(rates: rates.stored(fetched: fetched))
        persist()
    }

    /// The path of events: numbers them, commits them with everything else that has changed, and only then delivers
    /// them to the sinks.
    ///
    /// - Parameters:
    ///   - occurrences: what happened.
    ///   - lane: the only source of which something has changed; nil when it may be any.
    func commitAndDeliver(_ occurrences: [Occurrence], of lane: Lane? = nil) {
        let now = clock.now()
        let adopted = stateStore.isDegraded ? stateStore.reopen(known: events.kept, at: now).map(adopt) : nil
        let phases = (lane ?? first).phases
        let new = phases.measure(.commit, by: clock) {
            commit((adopted ?? []) + occurrences, of: adopted == nil ? lane : nil, at: now)
        }
        if !new.isEmpty {
            phases.measure(.deliver, by: clock) { deliver(new) }
            saveCursors()
        }
        assert(stateStore.isDegraded || stateStore.unsaved.isEmpty, "what is delivered is committed")
        assert(cursors.allSatisfy { $0.delivered <= events.lastNumber }, "a sink has got numbered events only")
        stateStore.tidy(at: now)
        if stateStore.isDegraded { retryTimer?.arm(after: Self.retryPeriod) } else { retryTimer?.disarm() }
    }

    private func commit(_ occurrences: [Occurrence], of lane: Lane?, at now: Instant) -> [Event] {
        var new = events.number(occurrences)
        receivers?.append(new)
        stateStore.save(new, lanes, changed: lane, cursors: cursors, at: now)
        // A failure and its end; anything else follows with the next commit.
        for _ in 0..<2 where stateStore.mayAnnounce {
            guard let announcement = stateStore.announcement(at: now) else { break }
            let more = events.number([announcement])
            receivers?.append(more)
            new += more
            if stateStore.isDegraded {
                stateStore.stage(more)
            } else {
                stateStore.save(more, lanes, changed: lane, cursors: cursors, at: now)
            }
        }
        return new
    }

    private func deliver(_ new: [Event]) {
        // Readers of the event socket, which comes first, do not wait for the journal.
        for sink in sinks {
            for event in new { sink.deliver(event) }
            sink.flush()
        }
        monitors.wake()
        receivers?.wake()
    }

    /// The number of polls in the history.
    package var pollCount: Int { lanes.reduce(0) { $0 + $1.history.pollCount } }

    /// The cursors of the sinks that have one, and of those that are not in use.
    var cursors: [SinkCursor] {
        var cursors: [SinkCursor] = []
        for sink in sinks {
            if let cursor = sink.cursor { cursors.append(SinkCursor(sink: sink.name, delivered: cursor)) }
        }
        return cursors + stateStore.restingCursors(besides: cursors, at: events.lastNumber)
    }

    func saveCursors() {
        stateStore.save(cursors: cursors, at: clock.now())
    }

    /// Reports a source as stale when there was no usable response for too long; the first one when it is nil.
    package func checkFeed(of lane: Lane? = nil) {
        let lane = lane ?? first
        checkClocks()
        commitAndDeliver(lane.marked(lane.engine.checkFeed(at: clock.now())), of: lane)
        receivers?.sendPrices()
        armStaleTimer(of: lane)
    }

    /// Checks whether the machine was suspended, so that the gap is not blamed on the exchange.
    func checkClocks() {
        var hasResumed = false
        for change in clocks.look(clock.now(), asleep: clock.asleep()) {
            if case .resumed = change {
                hasResumed = true
                for lane in lanes {
                    lane.engine.resume(at: clock.now())
                    armStaleTimer(of: lane)
                }
            }
            log?.write(change)
        }
        // The next poll may fail, and a later process has to know why there is a gap.
        if hasResumed { persist() }
    }

    func armStaleTimer(of lane: Lane) {
        lane.armStaleTimer(at: clock.now()) { [weak self] lane in self?.checkFeed(of: lane) }
    }
}
