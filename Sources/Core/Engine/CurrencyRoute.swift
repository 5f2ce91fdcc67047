internal import Events
internal import ExchangeRates
internal import Market

/// The conversion from the currency of a market to the currency of a rule.
enum CurrencyRoute: Sendable {
    /// The currencies are the same.
    case none
    case path(RulePath)
    case unconvertible
    /// The only conversion path has outdated rates.
    case stale

    /// True if both currencies are the same.
    var isNone: Bool { if case .none = self { true } else { false } }

    var path: RulePath? { if case .path(let path) = self { path } else { nil } }

    /// Returns a range of market prices, in units of 10^-18, that is certain to contain the limit. Nil if the range
    /// may change with the next response.
    func units(of limit: Price) -> ClosedRange<Int128>? {
        switch self {
        case .none: limit.units...limit.units
        case .path(let path): path.usesMarket ? nil : path.units(of: limit)
        case .unconvertible, .stale: nil
        }
    }

    /// Returns the limit in the market's currency, rounded if it is converted; nil if it cannot be converted.
    func marketPrice(of limit: Price) -> Price? {
        switch self {
        case .none: limit
        case .path(let path): path.marketPrice(of: limit)
        case .unconvertible, .stale: nil
        }
    }

    /// Returns a market price in the rule's currency, for display; nil if it cannot be converted.
    func shown(_ price: Price) -> Price? {
        switch self {
        case .none: price
        case .path(let path): path.shown(price)
        case .unconvertible, .stale: nil
        }
    }
}

/// The exchange rates and pegs that convert the prices of rules.
struct CurrencyRoutes: Sendable {
    private(set) var rates: ReferenceRates?
    private var pegs: [ExchangeRate] = []
    /// Increases with every change. A route found with an earlier version may no longer be valid.
    private(set) var version = 0

    /// Sets the current rates and pegs. Unchanged rates are the same array and cost nothing to compare.
    ///
    /// - Returns: true if they differ from the previous ones.
    @discardableResult
    mutating func update(_ rates: ReferenceRates?, pegs: [ExchangeRate]) -> Bool {
        guard rates != self.rates || pegs != self.pegs else { return false }
        (self.rates, self.pegs) = (rates, pegs)
        version += 1
        return true
    }

    /// Returns the route from the currency of a market to the currency of a rule.
    ///
    /// - Parameters:
    ///   - quote: the currency of the market.
    ///   - target: the currency of the rule, which differs from `quote`.
    ///   - market: returns the price of a coin at the exchange. It is called only for `quote`, because a market never
    ///     prices the currency of a rule.
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
