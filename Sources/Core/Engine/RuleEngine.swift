package import Events
internal import ExchangeRates
package import Market
package import Rules
package import Time

/// Rules and the state of their alerts: tickers and instants in, occurrences out.
///
/// It reads no clock, does no I/O and uses no randomness: the same inputs give the same occurrences.
package struct RuleEngine: Sendable {
    /// The current times and pegs.
    package internal(set) var settings: EngineSettings {
        // What is known of repeated tickers depends on them.
        didSet { places.removeAll() }
    }
    /// Events that match one of them are not notified until it ends.
    package var silences: [Silence] = []

    var ruleSet: RuleSet
    var symbols = SymbolStates()
    var watches: SymbolWatches
    var feed: FeedWatch
    var routes = CurrencyRoutes()
    var changes = ChangeLog()
    /// How many usable responses were evaluated.
    package private(set) var pollCount = 0
    /// When the last of them was received, also by an earlier process.
    package internal(set) var lastPoll: Instant?
    /// The poll before the one being evaluated.
    private var previousPoll: Instant?
    /// What has yet to be looked up in candles.
    var catchUp = GapList()
    /// When the machine last resumed from suspend.
    var resumed: BootTime?
    /// The symbols that were forgotten with the last response, because they were gone for long or their places needed.
    package internal(set) var forgotten: Set<Symbol> = []
    /// When symbols that are gone for long are looked for again; nil for with the next response.
    var nextSweep: BootTime?
    /// How many symbols of the last response have a place; nil before the first one.
    private var placedCount: Int?
    /// Whether rules have expired, or come back, since the last response; a reload and a restart may find it, too.
    var mustEndExpired = false
    /// Whether alerts were made whose limits may be relative to a price before a day.
    var mayNeedBases = false
    /// The symbol states of the response being evaluated, by place; kept so that a poll allocates nothing.
    private var places: [Int] = []
    /// The places of the symbols whose inputs have yet to be read; kept like ``places``.
    private var unread: [Int] = []

    /// Makes an engine that has seen nothing.
    ///
    /// - Parameters:
    ///   - rules: The rules, with unique names.
    ///   - settings: The times that evaluation depends on.
    ///   - start: When waiting for a response starts.
    package init(rules: [Rule], settings: EngineSettings, start: Instant) {
        self.settings = settings
        ruleSet = RuleSet(rules)
        watches = SymbolWatches(rules)
        feed = FeedWatch(start: start)
    }

    /// Evaluates one usable response.
    ///
    /// - Parameters:
    ///   - batch: The response.
    ///   - rates: The reference rates; without them, only the exchange's own prices and pegs convert.
    ///   - differences: The places at which its tickers differ from those of the response before by more than their
    ///     times, in ascending order, if both have as many; nil where that is not known.
    /// - Returns: The events, in order: the feed, then symbols in the order of the rules, then alerts in the
    ///   order of the response.
    package mutating func evaluate(
        _ batch: TickerBatch, rates: ReferenceRates? = nil, differences: [Int]? = nil
    ) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        pollCount += 1
        previousPoll = lastPoll
        lastPoll = batch.received
        if changes.isRecording {
            changes.record.beginPoll(at: batch.received, after: previousPoll ?? feed.lastUsable)
        }
        if let recovered = feed.recover(at: batch.received) { occurrences.append(recovered) }
        if routes.update(rates, pegs: settings.pegs), ruleSet.hasDays { mayNeedBases = true }
        occurrences += makeRoom(for: batch)
        observe(batch, mayRepeat(at: batch) ? differences.map(RepeatedPlaces.init) : nil)
        occurrences += watches.update(&symbols, inPoll: pollCount, silences, noting: &changes, at: batch.received)
        markExpired(at: batch.received)
        for place in unread {
            if read(batch.tickers[place], places[place], at: batch.received), settings.hasCandles {
                noteGaps(of: places[place], at: batch.received)
            }
            guard symbols.all[places[place]].mustCheckAlerts else { continue }
            evaluateAlerts(of: places[place], batch.tickers[place], at: batch.received, into: &occurrences)
        }
        catchUp.trim(watchLimit: settings.alertLimit)
        if mustEndExpired { occurrences += endExpired(at: batch.received) }
        changes.endPoll()
        return occurrences
    }

    /// When ``checkFeed(at:)`` is to be called; nil while the feed is already stale.
    package var feedDeadline: BootTime? { feed.deadline(staleAfter: settings.staleAfter) }

    /// Reports that the feed is stale when ``feedDeadline`` has passed, once an outage.
    package mutating func checkFeed(at time: Instant) -> [Occurrence] {
        guard let stale = feed.check(at: time, staleAfter: settings.staleAfter) else { return [] }
        if changes.isRecording { changes.record.noteStale() }
        return [stale]
    }

    /// Notes that the machine has resumed from suspend: a gap across this time has a reason of its own, and the feed
    /// has as long to answer as after a start.
    package mutating func resume(at time: Instant) {
        resumed = time.boot
        if changes.isRecording { changes.record.noteResumed(at: time.boot) }
        feed.restartDeadline(at: time.boot)
    }

    /// Whether the response before had the same places, and nothing but a difference of tickers changes a symbol.
    private func mayRepeat(at batch: TickerBatch) -> Bool {
        let count = batch.tickers.count
        return places.count == count && symbols.table.isOrdered(count: count) && !mustEndExpired
            && !ruleSet.expiry.isDue(at: batch.received.wall)
    }

    /// Notes each symbol's place, activity and quote; new symbols get their alerts. Repeated tickers that change nothing
    /// but times are done with, and the places of the others are ``unread``.
    private mutating func observe(_ batch: TickerBatch, _ repeated: RepeatedPlaces?) {
        if repeated == nil { places.removeAll(keepingCapacity: true) }
        unread.removeAll(keepingCapacity: true)
        var repeated = repeated
        var isSameAsBefore = true
        var count = 0
        for place in batch.tickers.indices {
            if repeated?.contains(place) ?? false, takeRepetition(batch, place) {
                count += 1
                continue
            }
            let number = symbols.table.number(of: batch.tickers[place].symbol, at: place)
            if repeated == nil { places.append(number ?? -1) } else { places[place] = number ?? -1 }
            guard let number else { continue }
            count += 1
            unread.append(place)
            if number == symbols.all.count || symbols.all[number].isVacant {
                insert(SymbolState(symbol: batch.tickers[place].symbol), as: number)
                noteNewSymbol(number)
                isSameAsBefore = false
            } else if symbols.all[number].goneSince != nil {
                noteReturn(of: number, at: batch.received)
                isSameAsBefore = false
            }
            observe(batch.tickers[place], number, at: batch.received)
        }
        // With as many as before, and none that was not among them, they are the same.
        if !isSameAsBefore || count != placedCount { noteGone(at: batch.received) }
        placedCount = count
    }

    @inline(__always)
    private mutating func takeRepetition(_ batch: TickerBatch, _ place: Int) -> Bool {
        guard places[place] >= 0 else { return false }
        let maximumGap =
            settings.symbolGaps.isEmpty ? settings.maximumGap : settings.maximumGap(of: batch.tickers[place].symbol)
        return symbols.all[places[place]].takeRepetition(
            inPoll: pollCount, at: (batch.received, previousPoll), maximumGap: maximumGap,
            isRecording: changes.isRecording)
    }

    // Inlined, like the next one, as a ticker is three cache lines to copy, and most of it is not read.
    @inline(__always)
    private mutating func observe(_ ticker: Ticker, _ number: Int, at time: Instant) {
        if let quote = ticker.quote, quote != symbols.all[number].quote {
            symbols.all[number].setQuote(quote)
            if changes.isRecording, let slot = symbols.all[number].slot { changes.record.noteQuote(quote, slot: slot) }
        }
        let isChanged = symbols.all[number].observe(
            ticker, inPoll: pollCount, at: time, frozenAfter: settings.frozenAfter)
        if isChanged, changes.isRecording, let slot = symbols.all[number].slot {
            changes.record.noteMarket(symbols.all[number].activity.quiet, slot: slot, at: time)
        }
    }

    /// Gives the inputs of a symbol their prices.
    ///
    /// - Returns: whether one of its alerts has its first price after a gap.
    @inline(__always)
    private mutating func read(_ ticker: Ticker, _ number: Int, at time: Instant) -> Bool {
        let slot = changes.isRecording ? symbols.all[number].slot : nil
        guard !symbols.all[number].alerts.isEmpty || slot != nil else {
            symbols.all[number].notePrice(at: time)
            return false
        }
        let maximumGap = settings.maximumGap(of: ticker.symbol)
        if symbols.all[number].takeRepeated(ticker, at: (time, previousPoll), maximumGap: maximumGap) { return false }
        symbols.findRoutes(ofSymbol: number, by: routes, inPoll: pollCount)
        return symbols.all[number].take(
            ticker, at: (time, previousPoll), maximumGap: maximumGap, slot: slot, noting: &changes)
    }
}

/// The places of a response at which its tickers are those of the response before, but for their times; to be asked for
/// each place in turn.
private struct RepeatedPlaces {
    private let differences: [Int]
    private var next = 0

    /// - Parameter differences: all other places, in ascending order.
    init(differences: [Int]) {
        self.differences = differences
    }

    mutating func contains(_ place: Int) -> Bool {
        guard next < differences.count, differences[next] == place else { return true }
        next += 1
        return false
    }
}

// MARK: What is stored of a poll

extension RuleEngine {
    mutating func noteNewSymbol(_ number: Int) {
        guard symbols.all[number].isRemembered else { return }
        symbols.all[number].slot = symbols.slotCount
        symbols.slotCount += 1
        guard changes.isRecording else { return }
        changes.record.noteSymbol(symbols.all[number], slot: symbols.slotCount - 1)
    }
}
