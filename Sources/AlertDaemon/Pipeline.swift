internal import Configuration
internal import Delivery
internal import EventLoop
internal import History
internal import Market
internal import Rules

/// The way of the data from a usable response to the sinks: history, rules, event log, sinks. One response at a time.
@LoopActor
final class Pipeline {
    private(set) var engine: RuleEngine
    private(set) var history: History
    private(set) var log: EventLog
    /// The last usable response.
    private(set) var batch: TickerBatch?
    /// Symbols that earlier responses had, as they were last seen.
    private(set) var vanished: [Symbol: (ticker: Ticker, received: Instant)] = [:]
    private(set) var badElementCount = 0

    let sinks: [any Sink]
    /// Called with what was committed, after the sinks.
    var onEvents: @LoopActor ([Event]) -> Void = { _ in }

    /// The exchange rates in force, for rules in a currency other than their market's.
    var rates: @LoopActor () -> ReferenceRates? = { nil }

    private let clock: any TimeSource
    private var feedTimer: LoopTimer?

    init(_ settings: Settings, sinks: [any Sink], isSimulated: Bool, clock: any TimeSource) {
        log = EventLog(isSimulated: isSimulated)
        engine = RuleEngine(rules: settings.rules, settings: EngineSettings(settings.feed), start: clock.now())
        history = History(HistoryCapacity(settings))
        self.sinks = sinks
        self.clock = clock
        feedTimer = LoopTimer { [weak self] in self?.checkFeed() }
        armFeedTimer()
    }

    /// Takes a usable response.
    ///
    /// - Returns: how many events it gave rise to.
    func accept(_ new: TickerBatch) -> Int {
        badElementCount += new.badElementCount
        noteVanished(new)
        history.append(new.tickers, at: new.received.wall)
        let occurrences = engine.evaluate(new, rates: rates())
        batch = new
        tell(occurrences)
        armFeedTimer()
        return occurrences.count
    }

    /// Puts other settings in force.
    func reload(_ settings: Settings) -> RuleSetChange {
        let (change, occurrences) = engine.reload(
            rules: settings.rules, settings: EngineSettings(settings.feed), at: clock.now())
        history.setCapacity(HistoryCapacity(settings))
        tell(occurrences)
        let names = Set(settings.rules.map(\.name))
        log.keepAlerts { names.contains($0.rule) }
        armFeedTimer()
        return change
    }

    /// Stops its timer; nothing is told any more.
    func stop() {
        feedTimer?.disarm()
        for sink in sinks { sink.flush() }
    }

    private func tell(_ occurrences: [Occurrence]) {
        guard !occurrences.isEmpty else { return }
        let events = log.commit(occurrences)
        for event in events {
            for sink in sinks { sink.deliver(event) }
        }
        // At once, and all of them together.
        for sink in sinks { sink.flush() }
        onEvents(events)
    }

    private func checkFeed() {
        tell(engine.checkFeed(at: clock.now()))
        armFeedTimer()
    }

    /// The timer is set anew with each response, so that it wakes nobody while the feed is well.
    private func armFeedTimer() {
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

extension EngineSettings {
    init(_ feed: FeedSettings) {
        self.init(maximumGap: feed.maximumGap, frozenAfter: feed.frozenAfter, staleAfter: feed.interval.times(3))
    }
}

extension HistoryCapacity {
    init(_ settings: Settings) {
        self.init(keep: settings.history.keep, interval: settings.feed.interval, bytes: settings.history.memoryBytes)
    }
}
