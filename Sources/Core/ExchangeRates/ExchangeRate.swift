public import Market
public import Time

/// The value of one currency in another: one unit of ``base`` is ``rate`` units of ``quote``.
public struct ExchangeRate: Hashable, Sendable {
    /// The source of an exchange rate.
    public enum Basis: Hashable, Sendable {
        /// A reference rate of a date, from the named source.
        case reference(date: CivilDate, source: String)
        /// A rate that the named law fixed permanently, from the day on which the euro replaced the currency.
        case fixed(since: CivilDate, source: String)
        /// A declaration that both currencies have the same value, such as USDT and USD. It is not a measured rate.
        case peg
        /// The price of the symbol with the given name, such as `btcinr`.
        case market(String)
    }

    /// The currency whose value the rate gives.
    public let base: Currency
    /// The currency in which the rate is expressed.
    public let quote: Currency
    /// Units of ``quote`` per unit of ``base``; greater than 0.
    public let rate: Price
    /// The source of the rate.
    public let basis: Basis

    /// Makes a rate, or nil if it is not greater than 0 or both currencies are the same.
    public init?(base: Currency, quote: Currency, rate: Price, basis: Basis) {
        guard rate.isPositive, base != quote else { return nil }
        self.init(checked: base, quote, rate, basis)
    }

    init(checked base: Currency, _ quote: Currency, _ rate: Price, _ basis: Basis) {
        self.base = base
        self.quote = quote
        self.rate = rate
        self.basis = basis
    }

    /// Makes a peg, the declaration that `pegged` has the same value as `other`. Returns nil if both are the same
    /// currency.
    public static func peg(_ pegged: Currency, to other: Currency) -> ExchangeRate? {
        ExchangeRate(base: pegged, quote: other, rate: .one, basis: .peg)
    }
}

extension ExchangeRate: CustomStringConvertible {
    /// `1 EUR = 10.8920 SEK (European Central Bank, 2026-04-13)`
    public var description: String { "1 \(base) = \(rate) \(quote) (\(basis))" }
}

extension ExchangeRate.Basis: CustomStringConvertible {
    /// `European Central Bank, 2026-04-13`, `Council Regulation (EC) No 2866/98, fixed since 2026-01-01`, `peg`, or
    /// `market btcinr`.
    public var description: String {
        switch self {
        case .reference(let date, let source): "\(source), \(date)"
        case .fixed(let since, let source): "\(source), fixed since \(since)"
        case .peg: "peg"
        case .market(let name): "market \(name)"
        }
    }
}
