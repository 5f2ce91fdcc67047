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
    package internal(set) var settings: EngineSettings
    /// Events that match one of them are not notified until it ends.
    package var silences: [Silence] = []

    var ruleSet: RuleSet
    var symbols = SymbolStates()
    var watches: SymbolWatches
    var feed: FeedWatch
    var routes = CurrencyRoutes()
    var changes = ChangeLog()
    var polls = EvaluatedPolls()
    /// What has yet to be looked up in candles.
    var catchUp = GapList()
    var forgetting = SymbolForgetting()
    var due = DueChecks()

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

    /// How many usable responses were evaluated.
    package var pollCount: Int { polls.count }
    /// When the last of them was received, also by an earlier process.
    package var lastPoll: Instant? { polls.last }
    /// The symbols that were forgotten with the last response, because they were gone for long or their places needed.
    package var forgotten: Set<Symbol> { forgetting.symbols }

    /// Evaluates one usable response.
    ///
    /// - Parameters:
    ///   - batch: The response.
    ///   - rates: The reference rates; without them, only the exchange's own prices and pegs convert.
    /// - Returns: The events, in order: the feed, then symbols in the order of the rules, then alerts in the
    ///   order of the response.
    package mutating func evaluate(_ batch: TickerBatch, rates: ReferenceRates? = nil) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        polls.begin(at: batch.received)
        if changes.isRecording {
            changes.record.beginPoll(at: batch.received, after: polls.previous ?? feed.lastUsable)
        }
        if let recovered = feed.recover(at: batch.received) { occurrences.append(recovered) }
        if routes.update(rates, pegs: settings.pegs), ruleSet.hasDays { due.bases = true }
        occurrences += makeRoom(for: batch)
        observe(batch)
        occurrences += updateWatches(at: batch.received)
        markExpired(at: batch.received)
        for place in batch.tickers.indices where polls.places[place] >= 0 {
            let number = polls.places[place]
            if read(batch.tickers[place], number, at: batch.received), settings.hasCandles {
                noteGaps(of: number, at: batch.received)
            }
            guard symbols[number].mustCheckAlerts else { continue }
            evaluateAlerts(of: number, batch.tickers[place], at: batch.received, into: &occurrences)
        }
        catchUp.trim(watchLimit: settings.alertLimit)
        if due.expiries { occurrences += endExpired(at: batch.received) }
        changes.endPoll()
        assert(symbols.areCountsRight, "alerts are counted when they come and when they go")
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
        if changes.isRecording { changes.record.noteResumed(at: time.boot) }
        feed.resume(at: time.boot)
    }

    private mutating func updateWatches(at time: Instant) -> [Occurrence] {
        watches.update(&symbols, inPoll: pollCount, silences, noting: &changes, at: time)
    }

    /// Notes each symbol's place, activity and quote; new symbols get their alerts.
    private mutating func observe(_ batch: TickerBatch) {
        polls.places.removeAll(keepingCapacity: true)
        var isSameAsBefore = true
        var count = 0
        for place in batch.tickers.indices {
            guard let number = symbols.table.number(of: batch.tickers[place].symbol, at: place) else {
                polls.places.append(-1)
                continue
            }
            count += 1
            if number == symbols.count || symbols[number].presence.isVacant {
                insert(SymbolState(symbol: batch.tickers[place].symbol), as: number)
                noteNewSymbol(number)
                isSameAsBefore = false
            } else if symbols[number].presence.goneSince != nil {
                noteReturn(of: number, at: batch.received)
                isSameAsBefore = false
            }
            observe(batch.tickers[place], number, at: batch.received)
            polls.places.append(number)
        }
        // With as many as before, and none that was not among them, they are the same.
        if !isSameAsBefore || count != polls.placedCount { noteGone(at: batch.received) }
        polls.placedCount = count
    }

    // Inlined, like the next one, as a ticker is three cache lines to copy, and most of it is not read.
    @inline(__always)
    private mutating func observe(_ ticker: Ticker, _ number: Int, at time: Instant) {
        if let quote = ticker.quote, quote != symbols[number].quote {
            symbols[number].setQuote(quote)
            if changes.isRecording, let slot = symbols[number].slot { changes.record.noteQuote(quote, slot: slot) }
        }
        let isChanged = symbols[number].observe(
            ticker, inPoll: pollCount, at: time, frozenAfter: settings.frozenAfter)
        if isChanged, changes.isRecording, let slot = symbols[number].slot {
            changes.record.noteMarket(symbols[number].activity.quiet, slot: slot, at: time)
        }
    }

    /// Gives the inputs of a symbol their prices.
    ///
    /// - Returns: whether one of its alerts has its first price after a gap.
    @inline(__always)
    private mutating func read(_ ticker: Ticker, _ number: Int, at time: Instant) -> Bool {
        let slot = changes.isRecording ? symbols[number].slot : nil
        guard !symbols[number].alerts.isEmpty || slot != nil else {
            symbols[number].notePrice(at: time)
            return false
        }
        let maximumGap = settings.maximumGap(of: ticker.symbol)
        symbols.findRoutes(ofSymbol: number, by: routes, inPoll: pollCount)
        return symbols[number].take(
            ticker, at: (time, polls.previous), maximumGap: maximumGap, slot: slot, noting: &changes)
    }
}

/// The usable responses that were evaluated.
struct EvaluatedPolls: Sendable {
    private(set) var count = 0
    /// When the last of them was received, also by an earlier process.
    var last: Instant?
    /// When the one before it was received.
    private(set) var previous: Instant?
    /// The symbol states of the response being evaluated, by place, -1 where there is none; kept so that a poll
    /// allocates nothing.
    var places: [Int] = []
    /// How many symbols of the last response have a place; nil before the first one.
    var placedCount: Int?

    mutating func begin(at time: Instant) {
        count += 1
        (previous, last) = (last, time)
    }
}

/// What has yet to be looked at, because something else than a price has changed.
struct DueChecks: Sendable {
    /// Whether rules have expired, or come back, since the last response; a reload and a restart may find it, too.
    var expiries = false
    /// Whether alerts were made whose limits may be relative to a price before a day.
    var bases = false
}

// MARK: What is stored of a poll

extension RuleEngine {
    mutating func noteNewSymbol(_ number: Int) {
        guard symbols[number].isRemembered else { return }
        symbols[number].slot = symbols.slotCount
        symbols.slotCount += 1
        guard changes.isRecording else { return }
        changes.record.noteSymbol(symbols[number], slot: symbols.slotCount - 1)
    }
}
