internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time

/// Evaluates recorded prices, but skips those that cannot change an alert.
///
/// Most prices of a recording are far from every limit. The last skipped price is evaluated before the next one that is
/// not skipped, so events and states are those of evaluating all of them.
struct RecordedEngine: Sendable {
    private var engine: RuleEngine
    /// One per symbol of the last moment; empty if the next price of any of them has to be evaluated.
    private var bands: [QuietBand] = []
    private var last: WallTime?
    private var rates: ReferenceRates?
    private var hasRates = false
    /// The prices of the last moment, and whether they were skipped.
    private var held: [RecordedPrice] = []
    private var isHeld = false

    init(rules: [Rule], settings: EngineSettings) {
        engine = RuleEngine(rules: rules, settings: settings, start: .beforeRecordings)
    }

    /// Evaluates the prices of one moment, which must not be earlier than the last one.
    ///
    /// - Parameters:
    ///   - prices: at most one per symbol.
    ///   - time: when they were received.
    ///   - rates: the reference rates of that time.
    /// - Returns: the events about alerts.
    mutating func evaluate(_ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates?) -> [Occurrence] {
        if canSkip(prices, at: time, rates: rates) {
            appendHeldToWindows()
            // Element by element: sharing the array would make its owner allocate another one.
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

    /// The engine with all prices so far evaluated.
    var finished: RuleEngine {
        var copy = self
        copy.evaluateHeld()
        return copy.engine
    }

    /// True if the prices can be skipped. A symbol that is missing or new is a change of its own. A gap is none: it
    /// matters only to alerts that are checked.
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

    /// Evaluating a price appends it to windows, so a held one is appended only when the next one is skipped, too.
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
