package import ExchangeRates
internal import Market

/// The reference rates that an engine converts prices with.
package struct ReferenceRates: Equatable, Sendable {
    /// The rates of one date.
    package var table: RateTable
    /// True if the rates are too old for evaluating rules.
    package var isStale: Bool

    /// Creates reference rates. Rules that need them are not evaluated while they are stale.
    package init(_ table: RateTable, isStale: Bool = false) {
        self.table = table
        self.isStale = isStale
    }
}

extension ExchangeRate {
    /// The peg of `USDT` to `USD`.
    package static let tetherAsDollar = Currency("USDT").flatMap { tether in
        Currency("USD").flatMap { ExchangeRate.peg(tether, to: $0) }
    }
}
