public import Market
public import Time

/// A converter that converts and compares amounts of different currencies, using a table of reference rates.
///
/// Each currency has at most one step to another currency, so that there is at most one path between two currencies:
///
/// 1. a pegged currency to the currency that it is pegged to;
/// 2. a currency of the table to the euro;
/// 3. any other currency to the quote currency of its first market price;
/// 4. a currency that the euro has replaced to the euro, at its ``FixedRate``, unless the date of the conversion is
///    before the replacement. From that date on, this rate is used even if the table has another one.
///
/// For example, INR is converted to SEK through EUR, USDT to USD by its peg only, and BTC to SEK through INR and EUR
/// with a price of `btcinr`.
public struct CurrencyConverter: Sendable {
    /// The maximum number of steps from a currency. It is more than market, peg and euro need, and stops cycles.
    private static let longestChain = 6

    /// The reference rates; nil if there are only pegs and market prices.
    public let rates: RateTable?
    private let pegs: [Currency: ExchangeRate]
    private let markets: [Currency: ExchangeRate]
    /// The date of the conversion, which decides which rates are fixed.
    private let date: CivilDate?

    /// Makes a converter. If a currency has several pegs or several market prices, the first one is used.
    ///
    /// - Parameters:
    ///   - rates: the reference rates of one date.
    ///   - pegs: the pegs, made by ``ExchangeRate/peg(_:to:)``.
    ///   - markets: market prices of currencies without a peg or reference rate, such as cryptocurrencies.
    ///   - date: the date of the conversion, which may be some days after that of the rates; nil for the same date.
    public init(
        _ rates: RateTable?, pegs: [ExchangeRate] = [], markets: [ExchangeRate] = [], on date: CivilDate? = nil
    ) {
        self.rates = rates
        self.date = date ?? rates?.date
        self.pegs = Dictionary(pegs.map { ($0.base, $0) }) { first, _ in first }
        self.markets = Dictionary(markets.map { ($0.base, $0) }) { first, _ in first }
    }

    /// Returns the path from one currency to another.
    ///
    /// - Throws: ``ConversionError/noWay(from:to:missing:)``.
    public func path(from: Currency, to: Currency) throws(ConversionError) -> ConversionPath {
        let up = chain(from: from)
        let down = chain(from: to)
        let stations = [from] + up.map(\.to)
        let ends = [to] + down.map(\.to)
        guard let meeting = stations.firstIndex(where: ends.contains), let end = ends.firstIndex(of: stations[meeting])
        else {
            let missing = stations.last == .euro ? ends.last : stations.last
            throw .noWay(from: from, to: to, missing: missing ?? from)
        }
        let back = down.prefix(end).reversed().map { ConversionStep($0.rate, isInverse: !$0.isInverse) }
        return ConversionPath(from: from, to: to, steps: Array(up.prefix(meeting)) + back)
    }

    /// Converts an amount to another currency, for display, like ``ConversionPath/convert(_:)``.
    ///
    /// - Throws: ``ConversionError``.
    public func convert(_ money: Money, to currency: Currency) throws(ConversionError) -> Conversion {
        try path(from: money.currency, to: currency).convert(money.amount)
    }

    /// Compares two amounts exactly, like ``ConversionPath/compare(_:to:)``.
    ///
    /// - Throws: ``ConversionError/noWay(from:to:missing:)``.
    public func compare(_ money: Money, to limit: Money) throws(ConversionError) -> Comparison {
        try path(from: money.currency, to: limit.currency).compare(money.amount, to: limit.amount)
    }

    /// Returns the steps from a currency toward the euro, as far as there are any.
    private func chain(from currency: Currency) -> [ConversionStep] {
        var steps: [ConversionStep] = []
        while steps.count < Self.longestChain, let step = step(from: steps.last?.to ?? currency) { steps.append(step) }
        return steps
    }

    private func step(from currency: Currency) -> ConversionStep? {
        guard currency != .euro else { return nil }
        if let peg = pegs[currency] { return ConversionStep(peg, isInverse: false) }
        let fixed = FixedRate.of(currency).flatMap { $0.since <= date ?? $0.since ? $0.exchangeRate : nil }
        if let rate = rates?.exchangeRate(of: currency) { return ConversionStep(fixed ?? rate, isInverse: true) }
        // A coin may have the code of a former currency, for example MTL.
        if let market = markets[currency] { return ConversionStep(market, isInverse: false) }
        return fixed.map { ConversionStep($0, isInverse: true) }
    }
}
