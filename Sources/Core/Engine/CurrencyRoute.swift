internal import Events
internal import ExchangeRates
internal import Market

/// How the prices of a market come into the currency of a rule.
enum CurrencyRoute: Sendable {
    /// They are in it.
    case none
    case path(RulePath)
    case unconvertible
    /// Only over rates that are too old.
    case stale

    /// Whether both are the same currency.
    var isNone: Bool { if case .none = self { true } else { false } }

    var path: RulePath? { if case .path(let path) = self { path } else { nil } }

    /// Where a limit lies in the market's currency, in units of 10^-18 and never too narrow; nil where that is not
    /// known beyond this response.
    func units(of limit: Price) -> ClosedRange<Int128>? {
        switch self {
        case .none: limit.units...limit.units
        case .path(let path): path.usesMarket ? nil : path.units(of: limit)
        case .unconvertible, .stale: nil
        }
    }

    /// A price of the market in the other currency, for showing; nil when there is no way.
    func shown(_ price: Price) -> Price? {
        switch self {
        case .none: price
        case .path(let path): path.shown(price)
        case .unconvertible, .stale: nil
        }
    }
}

/// The way from a market's currency to a rule's. A class, so that all who need it share one, and the many prices that
/// need none carry a pointer and no more.
final class RulePath: Sendable {
    private let path: ConversionPath
    /// The way back.
    private let inverse: Ratio
    /// Whether a price of the exchange takes part, which may be another one in the next response.
    let usesMarket: Bool

    init(_ path: ConversionPath) {
        self.path = path
        inverse = path.ratio.inverse
        usesMarket = path.steps.contains { if case .market = $0.rate.basis { true } else { false } }
    }

    /// What the rates on the way make together.
    var ratio: Ratio { path.ratio }

    /// Where a limit lies in the market's currency, in units of 10^-18: twelve digits and what they may be off.
    fileprivate func units(of limit: Price) -> ClosedRange<Int128>? {
        guard let middle = try? inverse.convert(limit, digits: 12).0.units else { return nil }
        let margin = middle / 100_000_000_000 + 1
        return middle - margin...middle + margin
    }

    /// The price in the other currency, rounded for showing; nil when it does not fit.
    func shown(_ price: Price) -> Price? {
        try? path.convert(price).result.amount
    }

    /// What an event says of it.
    var evidence: ConversionEvidence? {
        let currencies = [path.from] + path.steps.map(\.to)
        return shown(.one).map {
            ConversionEvidence(
                rate: $0, date: path.date, source: sources.joined(separator: " + "),
                path: currencies.map(\.description).joined(separator: ">"))
        }
    }

    /// Who says so: the exchange, a peg, and who gives the reference rates, in this order.
    private var sources: [String] {
        let references = path.steps.compactMap { step in
            if case .reference(_, let source) = step.rate.basis { source } else { nil }
        }
        return (usesMarket ? ["exchange"] : []) + (path.restsOnPeg ? ["peg"] : []) + references.prefix(1)
    }
}

/// The rates and pegs that rules are converted by.
struct CurrencyRoutes: Sendable {
    private(set) var rates: ReferenceRates?
    private var pegs: [ExchangeRate] = []
    /// Counts how often they became others: a route that was found before may no longer hold.
    private(set) var version = 0

    /// Takes what is in force now. Rates that stayed the same are the same array and cost nothing to compare.
    mutating func update(_ rates: ReferenceRates?, pegs: [ExchangeRate]) {
        guard rates != self.rates || pegs != self.pegs else { return }
        (self.rates, self.pegs) = (rates, pegs)
        version += 1
    }

    /// The way from the currency of a market to that of a rule.
    ///
    /// - Parameters:
    ///   - quote: the currency of the market.
    ///   - target: that of the rule, another one.
    ///   - market: what a coin costs at the exchange; only asked for `quote`, as nothing is guessed about a coin that a
    ///     rule is in.
    /// - Returns: the way, or why there is none.
    func route(
        from quote: Currency, to target: Currency, market: (Currency) -> ExchangeRate?
    ) -> CurrencyRoute {
        let converter = CurrencyConverter(rates?.table, pegs: pegs, markets: [market(quote)].compactMap(\.self))
        guard let path = try? converter.path(from: quote, to: target) else { return .unconvertible }
        if path.date != nil, rates?.isStale ?? true { return .stale }
        return .path(RulePath(path))
    }
}
