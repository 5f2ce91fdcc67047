package import ExchangeRates
internal import Market

/// The reference rates that an engine converts by.
package struct ReferenceRates: Equatable, Sendable {
    /// The rates of one date.
    package var table: RateTable
    /// Whether they are too old for evaluating rules.
    package var isStale: Bool

    /// Rules that need reference rates are not evaluated with stale ones.
    package init(_ table: RateTable, isStale: Bool = false) {
        self.table = table
        self.isStale = isStale
    }
}

extension ExchangeRate {
    /// `USDT` counts as `USD`.
    package static let tetherAsDollar = Currency("USDT").flatMap { tether in
        Currency("USD").flatMap { ExchangeRate.peg(tether, to: $0) }
    }
}
