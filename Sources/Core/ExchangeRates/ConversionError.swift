public import Market

/// Why an amount could not be converted or compared.
public enum ConversionError: Error, Hashable, Sendable {
    /// No chain of known rates leads from one currency to the other, because none is known for `missing`.
    case noWay(from: Currency, to: Currency, missing: Currency)
    /// The result has more integer digits than a `Price` can hold.
    case tooLarge
    /// The result is not 0, but less than half of the smallest `Price`, 10^-18.
    case tooSmall
}

extension ConversionError: CustomStringConvertible {
    /// The error in one line, for people.
    public var description: String {
        switch self {
        case .noWay(let from, let to, let missing):
            "\(from) cannot be converted to \(to): there is no exchange rate for \(missing)"
        case .tooLarge: "the converted amount is too large to be written exactly"
        case .tooSmall: "the converted amount is too small to be distinguished from 0"
        }
    }
}
