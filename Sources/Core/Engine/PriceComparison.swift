package import Events
package import ExchangeRates
package import Market
internal import Rules

/// A comparison of the prices of two markets in one currency.
package struct PriceComparison: Equatable, Sendable {
    /// In ``currency``.
    package var first: Price
    /// In ``currency``, rounded if it was converted.
    package var second: Price
    /// The quote currency of the first market.
    package var currency: Currency
    /// The conversion of the second price; nil if none was needed.
    package var conversion: ConversionEvidence?
    /// The difference in per cent of the second price, for people.
    package var percent: Price
    /// True if the prices differ by more than allowed, decided without rounding.
    package var isApart: Bool

    /// Compares two positive prices; nil if a number does not fit.
    ///
    /// - Parameters:
    ///   - first: a price in the currency that the path leads to.
    ///   - second: a price in the currency that the path begins with.
    ///   - path: the conversion of the second price.
    ///   - within: the largest difference in per cent of the second price.
    package init?(_ first: Price, _ second: Price, by path: ConversionPath, within: Price) {
        guard let upper = Price.hundred.adding(within), let lower = Price.hundred.subtracting(within),
            let shown = try? path.convert(second).result.amount, shown.isPositive,
            let percent = first.percentChange(from: shown)
        else { return nil }
        // A hundred times the first price is compared with the second one times 100 ± the percentage.
        let whole = path.ratio.divided(by: Price.hundred)
        let isAbove = whole.multiplied(by: upper).compare(second, to: first) == .less
        let isBelow = lower.isPositive && whole.multiplied(by: lower).compare(second, to: first) == .greater
        self.first = first
        self.second = shown
        self.percent = percent
        currency = path.to
        conversion = path.steps.isEmpty ? nil : RulePath(path).evidence
        isApart = isAbove || isBelow
    }
}
