internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time

/// An engine for recorded prices that skips prices that cannot change an alert.
///
/// Most prices of a recording are far from every limit. The last skipped price is evaluated before the next price
/// that is not skipped, so events and states are the same as if all prices were evaluated.
struct RecordedEngine: Sendable {
    private var engine: RuleEngine
    /// One band per symbol of the previous prices; empty if the next price of any symbol must be evaluated.
    private var bands: [QuietBand] = []
    private var last: WallTime?
    private var rates: ReferenceRates?
    private var hasRates = false
    /// The previous prices; ``isHeld`` is true if they were skipped.
    private var held: [RecordedPrice] = []
    private var isHeld = false

    init(rules: [Rule], settings: EngineSettings) {
        engine = RuleEngine(rules: rules, settings: settings, start: .beforeRecordings)
    }

    /// Evaluates the prices of one instant, which must not be earlier than the previous one.
    ///
    /// - Parameters:
    ///   - prices: at most one per symbol.
    ///   - time: when the prices were received.
    ///   - rates: the reference rates at that time.
    /// - Returns: the events about alerts.
    mutating func evaluate(_ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates?) -> [Occurrence] {
        if canSkip(prices, at: time, rates: rates) {
            appendHeldToWindows()
            // Copied element by element: sharing the array would make its owner allocate another one.
            for index in prices.indices { held[index].price = prices[index].price }
            (last, isHeld) = (time, true)
            return []
        }
        evaluateHeld()
        (self.rates, hasRates, last) = (rates, rates != nil, time)
        held.removeAll(keepingCapacity: true)
        held.append(contentsOf: prices)
        let occurrences = engine.evaluate(TickerBatch(recorded: prices, at: time), rates: rates)
        bands.removeAll(keepingCapacity: true)
        for price in prices {
            guard let band = engine.quietBand(of: price.symbol) else {
                bands.removeAll(keepingCapacity: true)
                break
            }
            bands.append(band)
        }
        return occurrences.isEmpty ? [] : occurrences.filter(\.isOfAlert)
    }

    /// See ``RuleEngine/decidingPrice(ofRule:on:)``.
    mutating func decidingPrice(ofRule number: Int, on symbol: Symbol) -> Price? {
        evaluateHeld()
        return engine.decidingPrice(ofRule: number, on: symbol)
    }

    /// See ``RuleEngine/test(ofRule:on:_:)``.
    func test(ofRule number: Int, on symbol: Symbol, _ bound: Bound) -> AlertTest? {
        engine.test(ofRule: number, on: symbol, bound)
    }

    /// A copy of the engine that has evaluated all prices so far.
    var finished: RuleEngine {
        var copy = self
        copy.evaluateHeld()
        return copy.engine
    }

    /// True if the prices can be skipped. They must be of the same symbols, because a missing or new symbol is a
    /// change. A gap does not matter: it affects only alerts that are checked.
    private func canSkip(_ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates?) -> Bool {
        guard !prices.isEmpty, prices.count == bands.count else { return false }
        for index in prices.indices {
            let price = prices[index].price
            guard bands[index].contains(price, at: time), prices[index].symbol == held[index].symbol,
                !bands[index].hasWindows
                    || engine.isShort(price, after: held[index].price, ofMovesIn: bands[index])
            else { return false }
        }
        guard rates != nil else { return !hasRates }
        return rates == self.rates
    }

    /// Appends skipped prices to the windows. Evaluating a price appends it, too, so a skipped price is appended only
    /// when the next one is also skipped.
    private mutating func appendHeldToWindows() {
        guard let last, isHeld else { return }
        for index in held.indices {
            guard bands[index].hasWindows else { continue }
            engine.appendToWindows(held[index].price, in: bands[index], at: Instant(recorded: last))
        }
    }

    private mutating func evaluateHeld() {
        guard let last, isHeld else { return }
        let occurrences = engine.evaluate(TickerBatch(recorded: held, at: last), rates: rates)
        assert(occurrences.allSatisfy { !$0.isOfAlert }, "skipped prices have no events")
        isHeld = false
    }
}
