public import Market
public import Time

/// The result of comparing two amounts.
public enum Comparison: Hashable, Sendable {
    /// The first is less than the second.
    case less
    /// Both are equal.
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

/// A conversion from one currency to another, found once and used for many amounts.
///
/// Use ``CurrencyConverter/path(from:to:)`` to find a path.
public struct ConversionPath: Sendable {
    /// The number of significant digits to which a converted amount is rounded.
    public static let significantDigits = 12

    /// The original currency.
    public let from: Currency
    /// The target currency.
    public let to: Currency
    /// The steps in order; empty if both currencies are the same.
    public let steps: [ConversionStep]

    /// The combined ratio of all steps.
    package let ratio: Ratio

    /// Makes a path of steps. Each step must begin with the currency with which the previous one ends.
    init(from: Currency, to: Currency, steps: [ConversionStep]) {
        self.from = from
        self.to = to
        self.steps = steps
        ratio = Ratio(steps)
    }

    /// The date of the reference rates; nil if none is used.
    public var date: CivilDate? { steps.date }

    /// True if a declared peg is used.
    public var restsOnPeg: Bool { steps.restOnPeg }

    /// Compares an amount of ``from`` with a limit in ``to``.
    ///
    /// It cross-multiplies and never divides or rounds, so the result is exact for numbers of any size.
    public func compare(_ amount: Price, to limit: Price) -> Comparison {
        ratio.compare(amount, to: limit)
    }

    /// Converts an amount of ``from``, for display.
    ///
    /// The result is rounded half to even to ``significantDigits`` significant digits, or to 18 decimal places if
    /// those are fewer digits. An amount that is converted only by a peg, or not at all, keeps all its digits.
    ///
    /// - Throws: ``ConversionError/tooLarge`` or ``ConversionError/tooSmall``.
    public func convert(_ amount: Price) throws(ConversionError) -> Conversion {
        let (result, isExact) =
            ratio.isOne ? (amount, true) : try ratio.convert(amount, digits: Self.significantDigits)
        return Conversion(original: Money(amount, from), result: Money(result, to), isExact: isExact, steps: steps)
    }
}
