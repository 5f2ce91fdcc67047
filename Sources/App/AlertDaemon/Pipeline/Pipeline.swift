package import Configuration
package import Delivery
package import Engine
package import EventLoop
internal import Events
internal import ExchangeRates
internal import History
package import Market
internal import Rules
internal import Time

/// The way of the data from a usable response to the sinks: history, rules, numbers, store, sinks. One response at a
/// time.
@LoopActor
package final class Pipeline {
    package internal(set) var engine: RuleEngine
    var history: History
    var log: EventLog
    /// Who wants it quiet, and for how long.
    var silences = SilenceList()
    /// The last usable response.
    private(set) var batch: TickerBatch?
    /// Symbols that earlier responses had, as they were last seen.
    private(set) var vanished: [Symbol: (ticker: Ticker, received: Instant)] = [:]
    private(set) var badElementCount = 0

    let stateStore: StateStore
    let sinks: [any Sink]
    /// Called when there are new events, after the sinks.
    var onEvents: @LoopActor () -> Void = {}
    /// Called when events that were notified got other numbers: ``NumberShift``.
    var onRenumbered: @LoopActor (NumberShift) -> Void = { _ in }

    /// Called by ``start()`` with exchange rates that were stored, and when they were fetched.
    var onStoredRates: @LoopActor (RateTable, WallTime) -> Void = { _, _ in }
    /// The exchange rates in force, for rules in a currency other than their market's.
    var rates: @LoopActor () -> ReferenceRates? = { nil }

    let clock: any TimeSource
    private var clocks: ClockWatch
    /// Called when the machine was suspended, or its wall clock was set.
    var onClockChange: @LoopActor (ClockChange) -> Void = { _ in }
    private var feedTimer: LoopTimer?
    private var retryTimer: LoopTimer?

    /// How often saving is tried again while no response comes.
    private static let retryPeriod = Duration.seconds(30)

    /// Makes a pipeline that knows nothing; ``start()`` comes next.
    package init(
        _ settings: Settings, sinks: [any Sink], isSimulated: Bool, stateStore: StateStore, clock: any TimeSource
    ) {
        log = EventLog(isSimulated: isSimulated)
        engine = RuleEngine(rules: settings.rules, settings: EngineSettings(settings), start: clock.now())
        history = History(HistoryCapacity(settings))
        self.sinks = sinks
        self.stateStore = stateStore
        self.clock = clock
        clocks = ClockWatch(clock.now(), asleep: clock.asleep())
        feedTimer = LoopTimer { [weak self] in self?.checkFeed() }
        retryTimer = LoopTimer(accuracy: .seconds(1)) { [weak self] in self?.persist() }
    }

    /// Takes a usable response.
    ///
    /// - Returns: how many events it gave rise to.
    package func accept(_ new: TickerBatch) -> Int {
        lookAtClocks()
        badElementCount += new.badElementCount
        noteVanished(new)
        updateSilences(at: new.received)
        history.append(new.tickers, at: new.received.wall)
        let occurrences = engine.evaluate(new, rates: rates())
        batch = new
        commitAndDeliver(occurrences)
        armFeedTimer()
        return occurrences.count
    }

    /// Puts other settings in force.
    func reload(_ settings: Settings) -> RuleSetChange {
        let now = clock.now()
        updateSilences(at: now)
        let (change, occurrences) = engine.reload(
            rules: settings.rules, settings: EngineSettings(settings), at: now)
        history.setCapacity(HistoryCapacity(settings))
        stateStore.setRetention(settings.events)
        commitAndDeliver(occurrences)
        let names = Set(settings.rules.map(\.name))
        log.keepAlerts { names.contains($0.rule) }
        armFeedTimer()
        return change
    }

    /// Saves all that there is, and stops; nothing is notified any more.
    package func stop() {
        feedTimer?.disarm()
        for sink in sinks { sink.flush() }
        persist()
        retryTimer?.disarm()
        stateStore.close()
    }

    /// Saves what has changed, without an event.
    func persist() {
        commitAndDeliver([])
    }

    /// Numbers events, commits them with everything else that has changed, and only then delivers them to the sinks.
    func commitAndDeliver(_ occurrences: [Occurrence]) {
        let now = clock.now()
        let adopted = stateStore.reopen(known: log.kept, at: now).map(adopt) ?? []
        let events = commit(adopted + occurrences, at: now)
        deliver(events)
        stateStore.save(cursors: cursors, at: now)
        if stateStore.isDegraded { retryTimer?.arm(after: Self.retryPeriod) } else { retryTimer?.disarm() }
    }

    private func commit(_ occurrences: [Occurrence], at now: Instant) -> [Event] {
        var events = log.number(occurrences)
        stateStore.save(events, &engine, history, cursors: cursors, at: now)
        // A trouble and its end; what else there is comes with the next turn.
        for _ in 0..<2 {
            guard let announcement = stateStore.announcement(at: now) else { break }
            let more = log.number([announcement])
            events += more
            if stateStore.isDegraded {
                stateStore.stage(more)
            } else {
                stateStore.save(more, &engine, history, cursors: cursors, at: now)
            }
        }
        return events
    }

    private func deliver(_ events: [Event]) {
        guard !events.isEmpty else { return }
        for event in events {
            for sink in sinks { sink.deliver(event) }
        }
        // At once, and all of them together.
        for sink in sinks { sink.flush() }
        onEvents()
    }

    /// How many polls the history has.
    package var pollCount: Int { history.pollCount }

    /// How far the sinks are that keep their place.
    var cursors: [String: Int64] {
        var cursors = stateStore.restingCursors(at: log.lastNumber)
        for sink in sinks {
            if let cursor = sink.cursor { cursors[sink.name] = cursor }
        }
        return cursors
    }

    /// Tells when nothing usable came for too long.
    package func checkFeed() {
        lookAtClocks()
        commitAndDeliver(engine.checkFeed(at: clock.now()))
        armFeedTimer()
    }

    /// Sees whether the machine was suspended, so that what this leads to is not taken for trouble of the exchange.
    func lookAtClocks() {
        for change in clocks.look(clock.now(), asleep: clock.asleep()) {
            if case .resumed = change {
                engine.resume(at: clock.now())
                armFeedTimer()
            }
            onClockChange(change)
        }
    }

    /// The timer is set anew with each response, so that it wakes nobody while the feed is well.
    func armFeedTimer() {
        guard let deadline = engine.feedDeadline else {
            feedTimer?.disarm()
            return
        }
        feedTimer?.arm(after: max(deadline.since(clock.now().boot), Milliseconds(1)).duration)
    }

    private func noteVanished(_ new: TickerBatch) {
        guard let old = batch else { return }
        let isSame =
            old.tickers.count == new.tickers.count
            && old.tickers.indices.allSatisfy { old.tickers[$0].symbol == new.tickers[$0].symbol }
        guard !isSame else { return }
        let present = Set(new.tickers.map(\.symbol))
        for ticker in old.tickers where !present.contains(ticker.symbol) && vanished.count < SymbolTable.capacity {
            vanished[ticker.symbol] = (ticker, old.received)
        }
        for symbol in present { vanished[symbol] = nil }
    }
}

extension HistoryCapacity {
    init(_ settings: Settings) {
        self.init(keep: settings.history.keep, interval: settings.feed.interval, bytes: settings.history.memoryBytes)
    }
}
