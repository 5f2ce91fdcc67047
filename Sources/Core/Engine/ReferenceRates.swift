package import ExchangeRates
internal import Market

/// Reference rates as the engine is given them.
package struct ReferenceRates: Equatable, Sendable {
    package var table: RateTable
    /// Whether they are too old for rules to be decided on.
    package var isStale: Bool

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
