internal import Events
internal import ExchangeRates
internal import Market

/// How the prices of a market are converted into the currency of a rule.
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

    /// A range of market prices, in units of 10^-18, that certainly contains the limit; nil where it may differ with
    /// the next response.
    func units(of limit: Price) -> ClosedRange<Int128>? {
        switch self {
        case .none: limit.units...limit.units
        case .path(let path): path.usesMarket ? nil : path.units(of: limit)
        case .unconvertible, .stale: nil
        }
    }

    /// The limit in the market's currency, rounded where it is converted; nil when it cannot be converted.
    func marketPrice(of limit: Price) -> Price? {
        switch self {
        case .none: limit
        case .path(let path): path.marketPrice(of: limit)
        case .unconvertible, .stale: nil
        }
    }

    /// A market price in the other currency, for display; nil when it cannot be converted.
    func shown(_ price: Price) -> Price? {
        switch self {
        case .none: price
        case .path(let path): path.shown(price)
        case .unconvertible, .stale: nil
        }
    }
}

/// The rates and pegs that rules are converted by.
struct CurrencyRoutes: Sendable {
    private(set) var rates: ReferenceRates?
    private var pegs: [ExchangeRate] = []
    /// Grows with every change: a route found with an earlier version may no longer hold.
    private(set) var version = 0

    /// Takes the present rates and pegs. Unchanged rates are the same array and cost nothing to compare.
    ///
    /// - Returns: whether they are others than before.
    @discardableResult
    mutating func update(_ rates: ReferenceRates?, pegs: [ExchangeRate]) -> Bool {
        guard rates != self.rates || pegs != self.pegs else { return false }
        (self.rates, self.pegs) = (rates, pegs)
        version += 1
        return true
    }

    /// The route from the currency of a market to that of a rule.
    ///
    /// - Parameters:
    ///   - quote: the currency of the market.
    ///   - target: that of the rule, another one.
    ///   - market: what a coin costs at the exchange; only asked for `quote`, as nothing is guessed about a coin that a
    ///     rule is in.
    /// - Returns: the route, or why there is none.
    func route(
        from quote: Currency, to target: Currency, market: (Currency) -> ExchangeRate?
    ) -> CurrencyRoute {
        let converter = CurrencyConverter(rates?.table, pegs: pegs, markets: [market(quote)].compactMap(\.self))
        guard let path = try? converter.path(from: quote, to: target) else { return .unconvertible }
        if path.date != nil, rates?.isStale ?? true { return .stale }
        return .path(RulePath(path))
    }
}
