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

/// The way from one currency to another, made once and used for many amounts.
///
/// ``CurrencyConverter/path(from:to:)`` finds one.
public struct ConversionPath: Sendable {
    /// To how many significant digits a converted amount is rounded.
    public static let significantDigits = 12

    /// The currency of what is converted.
    public let from: Currency
    /// The currency that it becomes.
    public let to: Currency
    /// The rates on the way, first step first; none when both currencies are the same.
    public let steps: [ConversionStep]

    /// What the rates make together.
    package let ratio: Ratio

    /// Makes a path of steps of which each begins where the one before ends.
    init(from: Currency, to: Currency, steps: [ConversionStep]) {
        self.from = from
        self.to = to
        self.steps = steps
        ratio = Ratio(steps)
    }

    /// The date of the reference rates; nil when none takes part.
    public var date: CivilDate? { steps.date }

    /// Whether a declared peg takes part.
    public var restsOnPeg: Bool { steps.restOnPeg }

    /// Compares an amount of ``from`` with a limit in ``to``.
    ///
    /// It multiplies across and never divides or rounds: the answer is exact, whatever the size of the numbers.
    public func compare(_ amount: Price, to limit: Price) -> Comparison {
        ratio.compare(amount, to: limit)
    }

    /// Converts an amount of ``from``, for showing.
    ///
    /// The result is rounded half to even at ``significantDigits`` significant digits, or after 18 digits behind the
    /// point where those come first. An amount that needs no rate but a peg, or none, stays as it is to the last digit.
    ///
    /// - Throws: ``ConversionError/tooLarge`` or ``ConversionError/tooSmall``.
    public func convert(_ amount: Price) throws(ConversionError) -> Conversion {
        let (result, isExact) =
            ratio.isOne ? (amount, true) : try ratio.convert(amount, digits: Self.significantDigits)
        return Conversion(original: Money(amount, from), result: Money(result, to), isExact: isExact, steps: steps)
    }
}
