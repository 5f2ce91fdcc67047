/// The reason why a file of reference rates was refused, or a part of it ignored, with the position. Nothing of a
/// refused file is used.
public struct RateFileError: Error, Hashable, Sendable {
    /// The reasons for refusing a file. Excerpts are shortened to printable ASCII, so that they are safe for any
    /// output.
    public enum Fault: Error, Hashable, Sendable {
        /// The file is longer than this many bytes.
        case tooManyBytes(limit: Int)
        /// The file is empty.
        case empty
        /// The file is not well-formed XML, with the message of the parser.
        case malformedXML(String)
        /// The XML has a document type, which rates do not need and which can make a small file expand without limit.
        case documentType
        /// XML elements are nested more deeply than this.
        case tooDeep(limit: Int)
        /// An element has more attributes than this.
        case tooManyAttributes(limit: Int)
        /// A name or a value is longer than this many bytes.
        case tooLong(limit: Int)
        /// The file is XML, but not an `Envelope` with `Cube` elements of the European Central Bank.
        case notRates(found: String)
        /// A `Cube` lacks a required attribute.
        case missingAttribute(String)
        /// The text is not a date, or there is no such day.
        case malformedDate(String)
        /// The text is not a currency of three capital letters.
        case malformedCurrency(String)
        /// The text is not a positive decimal number with a decimal point, or does not fit.
        case malformedRate(String, currency: String)
        /// A currency appears twice on the same date, or it is the euro, the base of all rates.
        case repeatedCurrency(String)
        /// A date appears twice.
        case repeatedDate(String)
        /// A date has more currencies than this.
        case tooManyCurrencies(limit: Int)
        /// The file has more dates than this.
        case tooManyDates(limit: Int)
        /// A date has no rate at all.
        case noRates
        /// A CSV file does not begin with a line of `Date,` and currencies.
        case malformedHeader(String)
        /// A line of a CSV file has a different number of fields than the header, for example because of a decimal
        /// comma.
        case fieldCount(found: Int, expected: Int)
        /// The last line of a CSV file seems to be truncated.
        case cutOff
    }

    /// True if only one rate, currency or date is unusable, so that the rest of the file keeps its meaning without
    /// it.
    var isOfOneElement: Bool {
        switch fault {
        case .malformedRate, .malformedCurrency, .noRates: true
        default: false
        }
    }

    /// The reason for refusing the file, or for ignoring a part of it.
    public let fault: Fault
    /// The line, counted from 1.
    public let line: Int
    /// The byte within the line, counted from 1; for an XML element, its beginning.
    public let column: Int

    /// Creates an error at a position in a file.
    public init(_ fault: Fault, line: Int, column: Int) {
        self.fault = fault
        self.line = line
        self.column = column
    }
}

extension RateFileError: CustomStringConvertible {
    /// `line 8, column 4: the rate of USD is not a positive number with a decimal point: 1,0556`
    public var description: String { "line \(line), column \(column): \(fault)" }
}

extension RateFileError.Fault: CustomStringConvertible {
    /// The reason in one line, for people.
    public var description: String {
        switch self {
        case .tooManyBytes(let limit): "the file is larger than \(limit) bytes"
        case .empty: "the file is empty"
        case .malformedXML(let words): "not well-formed XML: \(words)"
        case .documentType: "a document type declaration is not allowed"
        case .tooDeep(let limit): "elements nested more than \(limit) deep"
        case .tooManyAttributes(let limit): "more than \(limit) attributes"
        case .tooLong(let limit): "a name or a value of more than \(limit) bytes"
        case .notRates(let found): "not a file of reference rates: \(found)"
        case .missingAttribute(let name): "a Cube without the attribute \(name)"
        case .malformedDate(let text): "not a date: \(text)"
        case .malformedCurrency(let text): "not a currency of three capital letters: \(text)"
        case .malformedRate(let text, let currency):
            "the rate of \(currency) is not a positive number with a decimal point: \(text.isEmpty ? "(empty)" : text)"
        case .repeatedCurrency(let name): "the currency \(name) appears twice, or is the base of all rates"
        case .repeatedDate(let date): "the date \(date) appears twice"
        case .tooManyCurrencies(let limit): "more than \(limit) currencies on a date"
        case .tooManyDates(let limit): "more than \(limit) dates"
        case .noRates: "a date without rates"
        case .malformedHeader(let text): "the first line is not Date followed by currencies: \(text)"
        case .fieldCount(let found, let expected):
            "\(found) fields, but \(expected) in the first line; rates have a decimal point, not a comma"
        case .cutOff: "the last line is cut off"
        }
    }
}
