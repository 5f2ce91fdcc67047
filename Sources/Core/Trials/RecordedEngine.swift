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
    /// For each symbol of the last moment, the prices that can be left out; none if one of them has no such prices.
    private var bands: [QuietBand] = []
    private var last: WallTime?
    private var rates: ReferenceRates?
    private var hasRates = false
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

    /// Where any symbol is missing or new, the response says more than prices. A gap before a price matters only to
    /// what the price would change.
    private func isQuiet(_ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates?) -> Bool {
        guard !prices.isEmpty, prices.count == bands.count else { return false }
        for place in prices.indices {
            let price = prices[place].price
            guard bands[place].contains(price, at: time), prices[place].symbol == held[place].symbol,
                !bands[place].hasWindows
                    || engine.isShort(price, after: held[place].price, ofMovesIn: bands[place])
            else { return false }
        }
        // Without rates, as for most rules, nothing is compared.
        guard rates != nil else { return !hasRates }
        return rates == self.rates
    }

    /// The last price that was left out is evaluated, so its windows get it when another one has followed.
    private mutating func giveHeldToWindows() {
        guard let last, isHeld else { return }
        for place in held.indices {
            guard bands[place].hasWindows else { continue }
            engine.takeQuietly(held[place].price, in: bands[place], at: Instant(recorded: last))
        }
    }

    private mutating func settle() {
        guard let last, isHeld else { return }
        let occurrences = engine.evaluate(TickerBatch(recorded: held, at: last), rates: rates)
        assert(occurrences.allSatisfy { !$0.isOfAlert }, "prices that were left out have no events")
        isHeld = false
    }
}
