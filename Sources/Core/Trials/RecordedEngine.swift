internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time

/// Evaluates recorded prices, leaving out those that change nothing.
///
/// Most prices of a recording are far from every limit. The last one of those left out is evaluated before the next one
/// that is not, so the engine does the same as with all of them; the simulation of recordings in the tests compares it.
struct RecordedEngine: Sendable {
    private var engine: RuleEngine
    /// For each symbol of the last moment, the prices that can be left out.
    private var bands: [QuietBand?] = []
    private var last: WallTime?
    private var rates: ReferenceRates?
    /// The prices of the last moment, and whether they were left out.
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
    mutating func take(_ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates?) -> [Occurrence] {
        if isQuiet(prices, at: time, rates: rates) {
            giveHeldToWindows()
            // Not the array, which its owner fills again.
            for place in prices.indices { held[place].price = prices[place].price }
            (last, isHeld) = (time, true)
            return []
        }
        settle()
        (self.rates, last) = (rates, time)
        held.removeAll(keepingCapacity: true)
        held.append(contentsOf: prices)
        let occurrences = engine.evaluate(TickerBatch(recorded: prices, at: time), rates: rates)
        bands.removeAll(keepingCapacity: true)
        for price in prices { bands.append(engine.quietBand(of: price.symbol)) }
        return occurrences.isEmpty ? [] : occurrences.filter(\.isOfAlert)
    }

    /// See ``RuleEngine/decidingPrice(ofRule:on:)``.
    mutating func decidingPrice(ofRule number: Int, on symbol: Symbol) -> Price? {
        settle()
        return engine.decidingPrice(ofRule: number, on: symbol)
    }

    /// See ``RuleEngine/test(ofRule:on:_:)``.
    func test(ofRule number: Int, on symbol: Symbol, _ bound: Bound) -> AlertTest? {
        engine.test(ofRule: number, on: symbol, bound)
    }

    /// The engine after all prices so far.
    var settled: RuleEngine {
        var copy = self
        copy.settle()
        return copy.engine
    }

    /// Where any symbol is missing or new, the response says more than prices.
    private func isQuiet(_ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates?) -> Bool {
        guard prices.count == bands.count else { return false }
        for place in prices.indices {
            guard let band = bands[place], prices[place].symbol == held[place].symbol,
                engine.isQuiet(prices[place].price, in: band, at: time, after: held[place].price)
            else { return false }
        }
        return rates == nil && self.rates == nil || rates == self.rates
    }

    /// The last price that was left out is evaluated, so its windows get it when another one has followed.
    private mutating func giveHeldToWindows() {
        guard let last, isHeld else { return }
        for place in held.indices {
            guard let band = bands[place], band.hasWindows else { continue }
            engine.takeQuietly(held[place].price, in: band, at: Instant(recorded: last))
        }
    }

    private mutating func settle() {
        guard let last, isHeld else { return }
        let occurrences = engine.evaluate(TickerBatch(recorded: held, at: last), rates: rates)
        assert(occurrences.allSatisfy { !$0.isOfAlert }, "prices that were left out have no events")
        isHeld = false
    }
}
