package import Configuration
package import Delivery
package import Engine
package import EventLoop
internal import Events
internal import ExchangeRates
internal import History
package import Market
package import Notifications
internal import Receivers
internal import Rules
internal import Time

/// The data flow from a usable response to the sinks: history, rules, numbers, store, sinks. One response at a time.
@LoopActor
package final class Pipeline {
    package internal(set) var engine: RuleEngine
    var history: History
    var events: EventLog
    var silences = SilenceList()
    /// The last usable response.
    private(set) var batch: TickerBatch?
    private(set) var vanished = VanishedSymbols()
    let phases = PollPhases()
    /// Elements of all responses so far that were not valid tickers.
    private(set) var badElementCount = 0

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
    private var feedTimer: LoopTimer?
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
        engine = RuleEngine(rules: settings.rules, settings: EngineSettings(settings), start: clock.now())
        history = History(HistoryCapacity(settings))
        self.sinks = sinks
        self.stateStore = stateStore
        self.rates = rates
        self.monitors = monitors
        self.receivers = receivers
        stateStore.receivers = receivers
        self.log = log
        self.clock = clock
        clocks = ClockWatch(clock.now(), asleep: clock.asleep())
        feedTimer = LoopTimer { [weak self] in self?.checkFeed() }
        retryTimer = LoopTimer(accuracy: .seconds(1)) { [weak self] in self?.persist() }
    }

    /// Takes a usable response.
    ///
    /// - Returns: how many events it caused.
    package func accept(_ new: TickerBatch) -> Int {
        checkClocks()
        badElementCount += new.badElementCount
        vanished.update(new, after: batch, isNamed: engine.isNamed)
        updateSilences(at: new.received)
        let occurrences = phases.measure(.evaluate, by: clock) {
            history.append(new.tickers, at: new.received.wall)
            return engine.evaluate(new, rates: rates?.ratesForRules)
        }
        if !engine.forgotten.isEmpty { events.keepAlerts { !engine.forgotten.contains($0.symbol) } }
        batch = new
        commitAndDeliver(occurrences)
        armFeedTimer()
        return occurrences.count
    }

    /// Applies other settings.
    func reload(_ settings: Settings) -> RuleSetChange {
        let now = clock.now()
        updateSilences(at: now)
        let (change, occurrences) = engine.reload(
            rules: settings.rules, settings: EngineSettings(settings), at: now)
        history.setCapacity(HistoryCapacity(settings))
        stateStore.setRetention(settings.events)
        receivers?.replace(ReceiverRouting(settings))
        commitAndDeliver(occurrences)
        let names = Set(settings.rules.map(\.name))
        events.keepAlerts { names.contains($0.rule) && !engine.forgotten.contains($0.symbol) }
        armFeedTimer()
        return change
    }

    /// Saves everything, and stops the sinks: there are no more events.
    package func stop() {
        feedTimer?.disarm()
        for sink in sinks { sink.flush() }
        persist()
        retryTimer?.disarm()
        stateStore.close()
        for sink in sinks { sink.stop() }
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
    func commitAndDeliver(_ occurrences: [Occurrence]) {
        let now = clock.now()
        let adopted = stateStore.reopen(known: events.kept, at: now).map(adopt) ?? []
        let new = phases.measure(.commit, by: clock) { commit(adopted + occurrences, at: now) }
        phases.measure(.deliver, by: clock) { deliver(new) }
        saveCursors()
        if stateStore.isDegraded { retryTimer?.arm(after: Self.retryPeriod) } else { retryTimer?.disarm() }
    }

    private func commit(_ occurrences: [Occurrence], at now: Instant) -> [Event] {
        var new = events.number(occurrences)
        receivers?.append(new)
        stateStore.save(new, &engine, history, cursors: cursors, at: now)
        // A failure and its end; anything else follows with the next commit.
        for _ in 0..<2 {
            guard let announcement = stateStore.announcement(at: now) else { break }
            let more = events.number([announcement])
            receivers?.append(more)
            new += more
            if stateStore.isDegraded {
                stateStore.stage(more)
            } else {
                stateStore.save(more, &engine, history, cursors: cursors, at: now)
            }
        }
        return new
    }

    private func deliver(_ new: [Event]) {
        guard !new.isEmpty else { return }
        for event in new {
            for sink in sinks { sink.deliver(event) }
        }
        // Once for all events, instead of at the end of the turn.
        for sink in sinks { sink.flush() }
        monitors.wake()
        receivers?.wake()
    }

    /// The number of polls in the history.
    package var pollCount: Int { history.pollCount }

    /// The cursors of the sinks that have one, and of those that are not in use.
    var cursors: [String: Int64] {
        var cursors = stateStore.restingCursors(at: events.lastNumber)
        for sink in sinks {
            if let cursor = sink.cursor { cursors[sink.name] = cursor }
        }
        return cursors
    }

    func saveCursors() {
        stateStore.save(cursors: cursors, at: clock.now())
    }

    /// Reports the feed as stale when there was no usable response for too long.
    package func checkFeed() {
        checkClocks()
        commitAndDeliver(engine.checkFeed(at: clock.now()))
        armFeedTimer()
    }

    /// Checks whether the machine was suspended, so that the gap is not blamed on the exchange.
    func checkClocks() {
        for change in clocks.look(clock.now(), asleep: clock.asleep()) {
            if case .resumed = change {
                engine.resume(at: clock.now())
                armFeedTimer()
            }
            log?.write(change)
        }
    }

    /// The timer is reset with each response, so that it never expires while the feed works.
    func armFeedTimer() {
        guard let deadline = engine.feedDeadline else {
            feedTimer?.disarm()
            return
        }
        feedTimer?.arm(after: max(deadline.since(clock.now().boot), Milliseconds(1)).duration)
    }
}

extension HistoryCapacity {
    init(_ settings: Settings) {
        self.init(keep: settings.history.keep, interval: settings.feed.interval, bytes: settings.history.memoryBytes)
    }
}
