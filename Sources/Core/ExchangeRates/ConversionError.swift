public import Market

/// The reason why an amount could not be converted or compared.
public enum ConversionError: Error, Hashable, Sendable {
    /// There is no conversion path between the currencies, because there is no rate for `missing`.
    case noWay(from: Currency, to: Currency, missing: Currency)
    /// The result has too many integer digits for a `Price`.
    case tooLarge
    /// The result is not 0, but less than half of the smallest `Price`, 10^-18.
    case tooSmall
}

extension ConversionError: CustomStringConvertible {
    /// The error as one line for people.
    public var description: String {
        switch self {
        case .noWay(let from, let to, let missing):
            "\(from) cannot be converted to \(to): there is no exchange rate for \(missing)"
        case .tooLarge: "the converted amount is too large to be written exactly"
        case .tooSmall: "the converted amount is too small to be distinguished from 0"
        }
    }
}
