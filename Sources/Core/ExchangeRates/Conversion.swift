public import Market
public import Time

/// A step of a conversion that uses one exchange rate.
public struct ConversionStep: Hashable, Sendable {
    /// The exchange rate of the step.
    public let rate: ExchangeRate
    /// True if the step converts from the quote to the base of the rate, dividing the amount by the rate instead of
    /// multiplying it.
    public let isInverse: Bool

    /// The currency before the step.
    public var from: Currency { isInverse ? rate.quote : rate.base }
    /// The currency after the step.
    public var to: Currency { isInverse ? rate.base : rate.quote }

    init(_ rate: ExchangeRate, isInverse: Bool) {
        self.rate = rate
        self.isInverse = isInverse
    }
}

/// A converted amount with its evidence: the original amount, and the rates and their dates.
public struct Conversion: Hashable, Sendable {
    /// The original amount.
    public let original: Money
    /// The converted amount for display, rounded half to even to ``ConversionPath/significantDigits`` digits.
    public let result: Money
    /// True if ``result`` is exact, false if it is rounded.
    public let isExact: Bool
    /// The steps of the conversion in order; empty if both currencies are the same.
    public let steps: [ConversionStep]
}

extension Conversion {
    /// The currencies of the path, including the first and the last, such as INR, EUR, SEK.
    public var currencies: [Currency] { [original.currency] + steps.map(\.to) }

    /// The date of the reference rates; nil if none was used.
    public var date: CivilDate? { steps.date }

    /// True if a declared peg was used.
    public var restsOnPeg: Bool { steps.restOnPeg }

    /// True if all rates are fixed by law or are reference rates of the European Central Bank. Market prices, pegs and
    /// rates from other publishers are not official.
    public var isOfficial: Bool {
        steps.allSatisfy { step in
            switch step.rate.basis {
            case .reference(_, let source): source == "European Central Bank"
            case .fixed: true
            case .peg, .market: false
            }
        }
    }
}

extension [ConversionStep] {
    /// The date of the reference rates among the steps; nil if there are none. All of them have the same date, because
    /// a converter uses a single table.
    var date: CivilDate? {
        compactMap { step in
            if case .reference(let date, _) = step.rate.basis { date } else { nil }
        }.min()
    }

    var restOnPeg: Bool { contains { $0.rate.basis == .peg } }
}

extension Conversion: CustomStringConvertible {
    /// `100 SEK = 1001.166 INR (SEK → EUR → INR: European Central Bank, 2026-04-13)`, with `≈` instead of `=` if
    /// the result is rounded.
    public var description: String {
        guard !steps.isEmpty else { return "\(original) = \(result)" }
        var bases: [String] = []
        for basis in steps.map(\.rate.basis.description) where !bases.contains(basis) { bases.append(basis) }
        let path = currencies.map(\.description).joined(separator: " → ")
        return "\(original) \(isExact ? "=" : "≈") \(result) (\(path): \(bases.joined(separator: "; ")))"
    }
}
