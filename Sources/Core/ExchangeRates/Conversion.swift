public import Market
public import Time

/// One step of a conversion, by one exchange rate.
public struct ConversionStep: Hashable, Sendable {
    /// The rate that is used.
    public let rate: ExchangeRate
    /// Whether the step converts from the rate's quote to its base: the amount is divided by the rate, not multiplied.
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

/// A converted amount with its evidence: the original amount, and the rates and dates it was converted with.
public struct Conversion: Hashable, Sendable {
    /// The amount that was converted.
    public let original: Money
    /// The same value in the other currency, for display: rounded half to even to ``ConversionPath/significantDigits``
    /// digits.
    public let result: Money
    /// Whether ``result`` is exact; otherwise it is rounded.
    public let isExact: Bool
    /// The steps of the conversion, in order; empty when both currencies are the same.
    public let steps: [ConversionStep]
}

extension Conversion {
    /// The currencies that the path goes through, including the first and the last, such as INR, EUR, SEK.
    public var currencies: [Currency] { [original.currency] + steps.map(\.to) }

    /// The date of the reference rates; nil when none was used.
    public var date: CivilDate? { steps.date }

    /// Whether a declared peg was used.
    public var restsOnPeg: Bool { steps.restOnPeg }
}

extension [ConversionStep] {
    /// The oldest date of the reference rates among the steps. A converter uses one table, so there is no other.
    var date: CivilDate? {
        compactMap { step in
            if case .reference(let date, _) = step.rate.basis { date } else { nil }
        }.min()
    }

    var restOnPeg: Bool { contains { $0.rate.basis == .peg } }
}

extension Conversion: CustomStringConvertible {
    /// `100 SEK = 1001.166 INR (SEK → EUR → INR: European Central Bank, 2026-04-13)`, with `≈` in place of `=`
    /// when it is rounded.
    public var description: String {
        guard !steps.isEmpty else { return "\(original) = \(result)" }
        var bases: [String] = []
        for basis in steps.map(\.rate.basis.description) where !bases.contains(basis) { bases.append(basis) }
        let path = currencies.map(\.description).joined(separator: " → ")
        return "\(original) \(isExact ? "=" : "≈") \(result) (\(path): \(bases.joined(separator: "; ")))"
    }
}
