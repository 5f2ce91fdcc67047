internal import Configuration
package import Engine
package import EventLoop
internal import Events
internal import History
package import Market
internal import Rules
internal import Storage
internal import Time

/// The changes in a lane since its previous `LaneChange`.
struct LaneChange {
    /// The occurrences, in the order in which their events are numbered.
    var occurrences: [Occurrence]
    /// The data to store.
    var stored: SourceChanges
    /// The symbols that the engine has forgotten.
    var forgotten: Set<Symbol> = []
    /// A new warning for the user.
    var warning: String?
}

/// The part of the pipeline that belongs to one source of prices: its symbols, its history, its rules with their
/// alerts, and its staleness. Lanes are independent of each other; shared state is in the ``Pipeline``.
@LoopActor
package final class Lane {
    package let name: SourceName
    package internal(set) var engine: RuleEngine
    var history: History
    private(set) var responses = LaneResponses()
    /// The coins of a price service.
    var coins = LaneCoins()
    /// The stored severities of alerts that were firing when the state was stored and whose rules have another
    /// severity now.
    private(set) var storedSeverities: [EventLog.AlertKey: Severity] = [:]
    let phases = PollPhases()
    /// The record of the prices that were passed on to be stored.
    private var stored = StoredHistory()
    /// Returns the reference rates that were in effect at a past time.
    var pastRates: @LoopActor (WallTime) -> ReferenceRates? = { _ in nil }

    private var texts: LaneTexts
    private var staleTimer: LoopTimer?
    /// True after it was reported that there are more alerts than allowed.
    private var isLimited = false

    /// Creates an empty lane.
    ///
    /// - Parameters:
    ///   - feed: the settings of its source.
    ///   - settings: all settings, with its rules and the limits on what is kept.
    ///   - time: the current time.
    init(_ feed: FeedSettings, of settings: Settings, at time: Instant) {
        name = feed.name
        let rules = Self.rules(of: name, settings)
        engine = RuleEngine(rules: rules, settings: EngineSettings(settings, feed), start: time)
        history = History(HistoryCapacity(settings, feed))
        texts = LaneTexts(rules, isAmongSeveral: settings.sources.count > 1)
    }

    /// The last usable response.
    var batch: TickerBatch? { responses.last }
    /// True if there are several sources, so that texts must name this one.
    var isAmongSeveral: Bool {
        get { texts.isAmongSeveral }
        set { texts.isAmongSeveral = newValue }
    }

    /// Returns the rules of a source. The engine knows neither the name of the source nor the rules of other sources,
    /// so the name is put into message texts here, and each rule gets its position among all rules.
    private static func rules(of source: SourceName, _ settings: Settings) -> [Rule] {
        let places = settings.rules.indices.filter { (settings.rules[$0].source ?? settings.feed.name) == source }
        // Copying rules is expensive, and usually all of them belong to one source.
        var own = places.count == settings.rules.count ? settings.rules : places.map { settings.rules[$0] }
        for (index, place) in places.enumerated() where index != place { own[index].place = place }
        for index in own.indices {
            if let message = own[index].message { own[index].message = message.naming(source) }
            if let message = own[index].messageRepeated { own[index].messageRepeated = message.naming(source) }
            if let message = own[index].messageResolved { own[index].messageResolved = message.naming(source) }
        }
        return own
    }

    /// The warning that there are more alerts than allowed; nil otherwise.
    var limitSentence: String? {
        let count = reading(&engine) { $0.countBeyondLimit }
        guard count > 0 else { return nil }
        return "rules with patterns do not apply to \(count) symbol\(count == 1 ? "" : "s"), because there are "
            + "\(engine.settings.alertLimit) alerts already; use patterns that match fewer symbols"
    }

    /// Returns the warning if it did not apply before the last response.
    private func newLimitSentence() -> String? {
        let sentence = limitSentence
        defer { isLimited = sentence != nil }
        return isLimited ? nil : sentence
    }

    /// Ingests a usable response.
    func ingest(_ new: TickerBatch, rates: ReferenceRates?) -> LaneChange {
        reading(&engine) { engine in responses.ingest(new, isNamed: { engine.isNamed($0) }) }
        history.append(new.tickers, at: new.received.wall)
        if !new.coins.isEmpty { coins.ingest(new.coins, new.tickers, isNamed: engine.isNamed) }
        findBases(at: new.received.wall)
        let occurrences = engine.evaluate(new, rates: rates)
        findBases(at: new.received.wall)
        var change = change(occurrences)
        (change.forgotten, change.warning) = (reading(&engine) { $0.forgotten }, newLimitSentence())
        return change
    }

    /// Reports the source as stale if there was no usable response for too long.
    func checkFeed(at now: Instant) -> LaneChange { change(engine.checkFeed(at: now)) }

    /// Returns the changes since the last call. The caller must commit these changes, or ``everything(besides:)``
    /// instead.
    func change(_ occurrences: [Occurrence] = []) -> LaneChange {
        let state = engine.takeChanges()
        var change = SourceChanges(name, engine: state.isEmpty ? nil : state)
        (change.history, stored) = reading(&history) { stored.changes(to: $0) }
        (change.coins, change.forgottenCoins) = coins.names.takeChanges()
        change.gaps = engine.takeGapChanges()
        return LaneChange(occurrences: marked(occurrences), stored: change)
    }

    /// Returns the complete state of the lane, without the blocks of prices that the store is known to have.
    func everything(besides known: Set<Int64>) -> SourceChanges {
        var all = SourceChanges(name, engine: .whole(engine.takeEverything()), coins: coins.names.takeEverything())
        (all.history, stored) = StoredHistory.everything(of: history, stored: known)
        (all.gaps, all.replacesCoins) = (engine.takeGapChanges(isWhole: true), true)
        return all
    }

    /// Looks up the past prices that limits of new alerts are relative to. If the limits are relative to a future day,
    /// evaluation finds the price when that day begins.
    private func findBases(at now: WallTime) {
        for need in engine.takeBaseNeeds() where need.end <= now {
            let before = WallTime(milliseconds: need.end.milliseconds - 1)
            guard let sample = history.sample(of: need.symbol, at: before) else { continue }
            let market = { (symbol: Symbol) in
                self.history.sample(of: symbol, at: sample.time).flatMap { $0.time == sample.time ? $0.price : nil }
            }
            engine.setBase(sample.price, for: need, rates: pastRates(sample.time), market: market)
        }
    }

    /// Adds imported prices.
    func merge(_ samples: [SymbolSample]) -> MergeCounts {
        defer { engine.didLoadHistory() }
        return history.merge(samples)
    }

    /// Ingests the candles of a gap, in which some limits may have been reached.
    func ingest(_ candles: [Candle], of gap: PriceGap, rates: ReferenceRates?, at now: Instant) -> LaneChange {
        let traded = candles.filter(\.volume.isPositive)
        var change = change(engine.touched(gap.id, candles, rates: rates, at: now))
        if !traded.isEmpty { change.stored.candles = [SymbolCandles(symbol: gap.symbol, candles: traded)] }
        return change
    }

    /// Applies new settings.
    ///
    /// - Returns: the firings that end.
    func reload(_ feed: FeedSettings, of settings: Settings, at now: Instant) -> [Occurrence] {
        history.setCapacity(HistoryCapacity(settings, feed))
        let rules = Self.rules(of: name, settings)
        let (_, occurrences) = engine.reload(rules: rules, settings: EngineSettings(settings, feed), at: now)
        texts = LaneTexts(rules, isAmongSeveral: settings.sources.count > 1)
        findBases(at: now.wall)
        return marked(occurrences)
    }

    /// Ends all alerts, because the source is no longer polled.
    ///
    /// - Returns: the firings that end.
    func retire(at now: Instant) -> [Occurrence] {
        disarm()
        return marked(engine.reload(rules: [], settings: engine.settings, at: now).occurrences)
    }

    /// Restores the stored state.
    ///
    /// - Returns: whether the rules have changed, the firings that end because of that, and the data that could not
    ///   be read.
    func restore(
        _ snapshot: EngineSnapshot, gaps: [PriceGap] = [], at now: Instant, isSameBoot: Bool
    ) -> (isChanged: Bool, ended: [Occurrence], unreadable: [String]) {
        let restoration = engine.restore(snapshot, at: now, isSameBoot: isSameBoot)
        engine.restore(gaps: gaps)
        for need in engine.windowNeeds(at: now) {
            var samples: [(price: Price, time: WallTime)] = []
            history.forEachSample(of: need.symbol, since: need.since) { samples.append(($0.price, $0.time)) }
            engine.seedWindows(of: need.symbol, with: samples)
        }
        findBases(at: now.wall)
        storedSeverities = otherSeverities(in: snapshot.alerts)
        return (!restoration.change.isEmpty, marked(restoration.occurrences), restoration.unreadable)
    }

    /// Returns the stored severities of firing alerts whose rules have another severity now.
    private func otherSeverities(in alerts: [AlertSnapshot]) -> [EventLog.AlertKey: Severity] {
        let firing = alerts.filter { $0.state == "firing" }
        guard !firing.isEmpty else { return [:] }
        let severities = Dictionary(engine.rules.map { ($0.name, $0.severity) }) { first, _ in first }
        var found: [EventLog.AlertKey: Severity] = [:]
        for alert in firing where severities[alert.rule] != alert.severity {
            let key = EventLog.AlertKey(source: name, rule: alert.rule, symbol: alert.symbol, bound: alert.bound)
            found[key] = alert.severity
        }
        return found
    }

    /// True while candles have yet to be fetched for gaps in the prices.
    var hasGaps: Bool { reading(&engine) { !$0.gaps.isEmpty } }

    /// The memory of the history, in bytes.
    package var historyByteCount: Int { history.byteCount }

    /// Inserts the stored prices before those in memory.
    ///
    /// - Returns: descriptions of the data that could not be read.
    func restoreHistory(_ past: StoredSource) -> [String] {
        coins.names.restore(past.coins)
        let own = history
        history = History(own.capacity)
        let readable = ReadableHistory(past)
        let restored = history.restore(sealed: readable.sealed, parts: readable.parts)
        stored = StoredHistory(
            blocks: Set(past.blocks.map(\.id)), of: history,
            hasOpen: restored.isComplete && readable.damaged.isEmpty)
        history.append(contentsOf: own)
        engine.didLoadHistory()
        return readable.damaged + restored.unreadable
    }

    /// Returns the occurrences with the name of this source. Changes of the rules are omitted, because one event
    /// reports them for all sources.
    func marked(_ occurrences: [Occurrence]) -> [Occurrence] {
        occurrences.filter { $0.kind != .rulesChanged }.map { texts.marked($0, as: name) }
    }

    /// Calls `check` if there is no usable response for too long. Each response arms the timer again, so it does not
    /// expire while the source works.
    func armStaleTimer(at now: Instant, _ check: @escaping @LoopActor (Lane) -> Void) {
        guard let deadline = reading(&engine, { $0.feedDeadline }) else {
            staleTimer?.disarm()
            return
        }
        let timer =
            staleTimer
            ?? LoopTimer { [weak self] in
                if let self { check(self) }
            }
        staleTimer = timer
        timer.arm(after: max(deadline.since(now.boot), Milliseconds(1)).duration)
    }

    func disarm() {
        staleTimer?.disarm()
    }
}

/// Reads a value in place. Otherwise, to read from a property of an object, the compiler copies the whole value in
/// case the object changes meanwhile. Copying an engine takes longer than many queries.
private func reading<Value, Answer>(_ value: inout Value, _ ask: (borrowing Value) -> Answer) -> Answer {
    ask(value)
}

extension HistoryCapacity {
    /// Gives each source the same share of the memory, so that no source displaces the prices of another.
    init(_ settings: Settings, _ feed: FeedSettings) {
        self.init(
            keep: settings.history.keep, interval: feed.interval,
            bytes: settings.history.memoryBytes / max(1, settings.sources.count))
    }
}
