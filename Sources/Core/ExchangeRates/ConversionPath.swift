public import Market
public import Time

/// How an amount compares with another.
public enum Comparison: Hashable, Sendable {
    /// The first is less than the second.
    case less
    /// Both are the same.
    case equal
    /// The first is greater than the second.
    case greater

    init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left == right ? .equal : left < right ? .less : .greater
    }

    var reversed: Comparison {
        switch self {
        case .less: .greater
        case .equal: .equal
        case .greater: .less
        }
    }
}

/// The conversion from one currency to another, made once and used for many amounts.
///
/// ``CurrencyConverter/path(from:to:)`` finds one.
public struct ConversionPath: Sendable {
    /// To how many significant digits a converted amount is rounded.
    public static let significantDigits = 12

    /// The currency that is converted from.
    public let from: Currency
    /// The currency that is converted to.
    public let to: Currency
    /// The steps in order; empty when both currencies are the same.
    public let steps: [ConversionStep]

    /// The combined ratio of all steps.
    package let ratio: Ratio

    /// Makes a path of steps, each of which begins where the previous one ends.
    init(from: Currency, to: Currency, steps: [ConversionStep]) {
        self.from = from
        self.to = to
        self.steps = steps
        ratio = Ratio(steps)
    }

    /// The date of the reference rates; nil when none is used.
    public var date: CivilDate? { steps.date }

    /// Whether a declared peg is used.
    public var restsOnPeg: Bool { steps.restOnPeg }

    /// Compares an amount of ``from`` with a limit in ``to``.
    ///
    /// It multiplies across and never divides or rounds: the answer is exact, whatever the size of the numbers.
    public func compare(_ amount: Price, to limit: Price) -> Comparison {
        ratio.compare(amount, to: limit)
    }

    /// Converts an amount of ``from``, for display.
    ///
    /// The result is rounded half to even to ``significantDigits`` significant digits, or to 18 decimal places where
    /// those are fewer. An amount that is converted by a peg alone, or not at all, keeps every digit.
    ///
    /// - Throws: ``ConversionError/tooLarge`` or ``ConversionError/tooSmall``.
    public func convert(_ amount: Price) throws(ConversionError) -> Conversion {
        let (result, isExact) =
            ratio.isOne ? (amount, true) : try ratio.convert(amount, digits: Self.significantDigits)
        return Conversion(original: Money(amount, from), result: Money(result, to), isExact: isExact, steps: steps)
    }
}
