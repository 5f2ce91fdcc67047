package import Events
internal import ExchangeRates
package import Market
package import Rules
package import Time

/// The rule engine: the rules and the state of their alerts. Its inputs are tickers and instants, its output is
/// occurrences.
///
/// It reads no clock, does no I/O and uses no randomness: the same inputs give the same occurrences.
package struct RuleEngine: Sendable {
    package internal(set) var settings: EngineSettings
    /// The silences. Events that match one of them are not notified until it ends.
    package var silences: [Silence] = []

    var ruleSet: RuleSet
    var symbols = SymbolStates()
    var watches: SymbolWatches
    var feed: FeedWatch
    var routes = CurrencyRoutes()
    var changes = ChangeLog()
    var polls = EvaluatedPolls()
    /// The gaps that have yet to be looked up in candles.
    var catchUp = GapList()
    var forgetting = SymbolForgetting()
    var due = DueChecks()

    /// Creates an engine without state.
    ///
    /// - Parameters:
    ///   - rules: The rules, with unique names.
    ///   - settings: The settings that evaluation depends on.
    ///   - start: The instant from which the staleness of the feed is measured.
    package init(rules: [Rule], settings: EngineSettings, start: Instant) {
        self.settings = settings
        ruleSet = RuleSet(rules)
        watches = SymbolWatches(rules)
        feed = FeedWatch(start: start)
    }

    /// Number of usable responses evaluated.
    package var pollCount: Int { polls.count }
    /// When the last usable response was received, possibly by an earlier process.
    package var lastPoll: Instant? { polls.last }
    /// The symbols forgotten with the last response or reload, because they had been gone for a long time or their
    /// places were needed.
    package var forgotten: Set<Symbol> { forgetting.symbols }

    /// Evaluates one usable response.
    ///
    /// - Parameters:
    ///   - batch: The response.
    ///   - rates: The reference rates; without them, prices are converted only by the exchange's own prices and pegs.
    /// - Returns: The events, in this order: feed; ends of firings on forgotten symbols; symbols that rules name, in
    ///   the order of the rules; alerts, in the order of the response; ends of firings of expired rules on symbols
    ///   that are not in the response.
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
                recordGaps(of: number, at: batch.received)
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

    /// The deadline at which ``checkFeed(at:)`` must be called; nil while the feed is stale.
    package var feedDeadline: BootTime? { feed.deadline(staleAfter: settings.staleAfter) }

    /// Reports that the feed is stale if ``feedDeadline`` has passed, once per outage.
    package mutating func checkFeed(at time: Instant) -> [Occurrence] {
        guard let stale = feed.check(at: time, staleAfter: settings.staleAfter) else { return [] }
        if changes.isRecording { changes.record.markStale() }
        return [stale]
    }

    /// Records that the machine has resumed from suspend. A gap across this time gets a reason of its own, and the
    /// staleness deadline of the feed restarts.
    package mutating func resume(at time: Instant) {
        if changes.isRecording { changes.record.didResume(at: time.boot) }
        feed.resume(at: time.boot)
    }

    private mutating func updateWatches(at time: Instant) -> [Occurrence] {
        watches.update(&symbols, inPoll: pollCount, silences, recording: &changes, at: time)
    }

    /// Records the position, activity and quote of each symbol. New symbols get their alerts.
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
                recordNewSymbol(number)
                isSameAsBefore = false
            } else if symbols[number].presence.goneSince != nil {
                recordReturn(of: number, at: batch.received)
                isSameAsBefore = false
            }
            observe(batch.tickers[place], number, at: batch.received)
            polls.places.append(number)
        }
        // The response has the same symbols as the previous one if it has as many and none is new or has returned.
        if !isSameAsBefore || count != polls.placedCount { markGone(at: batch.received) }
        polls.placedCount = count
    }

    // Inlined, like the next function, because copying a ticker touches three cache lines, and most of it is not
    // read.
    @inline(__always)
    private mutating func observe(_ ticker: Ticker, _ number: Int, at time: Instant) {
        if let quote = ticker.quote, quote != symbols[number].quote {
            symbols[number].setQuote(quote)
            if changes.isRecording, let slot = symbols[number].slot { changes.record.recordQuote(quote, slot: slot) }
        }
        let isChanged = symbols[number].observe(
            ticker, inPoll: pollCount, at: time, frozenAfter: settings.frozenAfter)
        if isChanged, changes.isRecording, let slot = symbols[number].slot {
            changes.record.recordMarket(symbols[number].activity.quiet, slot: slot, at: time)
        }
    }

    /// Ingests a ticker into the price inputs of its symbol.
    ///
    /// - Returns: true if one of the inputs has its first price after a gap.
    @inline(__always)
    private mutating func read(_ ticker: Ticker, _ number: Int, at time: Instant) -> Bool {
        let slot = changes.isRecording ? symbols[number].slot : nil
        guard !symbols[number].alerts.isEmpty || slot != nil else {
            symbols[number].recordLastPrice(at: time)
            return false
        }
        let maximumGap = settings.maximumGap(of: ticker.symbol)
        symbols.findRoutes(ofSymbol: number, by: routes, inPoll: pollCount)
        return symbols[number].ingest(
            ticker, at: (time, polls.previous), maximumGap: maximumGap, slot: slot, recording: &changes)
    }
}

/// Counters and times of the usable responses evaluated so far.
struct EvaluatedPolls: Sendable {
    private(set) var count = 0
    /// When the last response was received, possibly by an earlier process.
    var last: Instant?
    /// When the response before the last one was received.
    private(set) var previous: Instant?
    /// The numbers of the symbol states, by position in the response being evaluated; -1 without a state. A property
    /// so that a poll allocates nothing.
    var places: [Int] = []
    /// Number of symbols of the last response with a symbol state; nil before the first response.
    var placedCount: Int?

    mutating func begin(at time: Instant) {
        count += 1
        (previous, last) = (last, time)
    }
}

/// Checks that are due for reasons other than a price.
struct DueChecks: Sendable {
    /// True if rules have expired, or are no longer expired, since the last response. A reload or a restart may set
    /// this, too.
    var expiries = false
    /// True if alerts may need the price before a day: after new alerts, history or exchange rates arrived.
    var bases = false
}

// MARK: Storing a poll

extension RuleEngine {
    mutating func recordNewSymbol(_ number: Int) {
        guard symbols[number].isRemembered else { return }
        symbols[number].slot = symbols.slotCount
        symbols.slotCount += 1
        guard changes.isRecording else { return }
        changes.record.recordSymbol(symbols[number], slot: symbols.slotCount - 1)
    }
}
