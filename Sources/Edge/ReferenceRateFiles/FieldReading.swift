internal import ExchangeRates
internal import Market
internal import Time

/// Strict readers for the three kinds of text in a file of rates.
enum Field {
    static func currency(_ text: String) throws(RateFileError.Fault) -> Currency {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ 0x41...0x5A ~= $0 }), let currency = Currency(text) else {
            throw .malformedCurrency(excerpt(text))
        }
        guard currency != .euro else { throw .repeatedCurrency(text) }
        return currency
    }

    /// Parses digits with at most one decimal point between them, greater than 0. A comma, a sign or an exponent is
    /// refused, because it means that another program has changed the file.
    static func rate(_ text: String, of currency: Currency) throws(RateFileError.Fault) -> Price {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }), let rate = try? Price(text), rate.isPositive
        else { throw .malformedRate(excerpt(text), currency: "\(currency)") }
        return rate
    }

    /// Parses `2026-04-13` and, for the daily CSV, `13 April 2026`.
    static func date(_ text: String) throws(RateFileError.Fault) -> CivilDate {
        let dashed = text.split(separator: "-", omittingEmptySubsequences: false)
        let spaced = text.split(separator: " ", omittingEmptySubsequences: false)
        let date: CivilDate? =
            if dashed.count == 3 {
                date(dashed[0], number(dashed[1], digits: 2...2), dashed[2], dayDigits: 2...2)
            } else if spaced.count == 3 {
                date(
                    spaced[2], months.firstIndex { $0 == spaced[1] }.map { Int64($0) + 1 }, spaced[0], dayDigits: 1...2)
            } else { nil }
        guard let date else { throw .malformedDate(excerpt(text)) }
        return date
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private static func date(
        _ year: Substring, _ month: Int64?, _ day: Substring, dayDigits: ClosedRange<Int>
    ) -> CivilDate? {
        guard let year = number(year, digits: 4...4), let month, let day = number(day, digits: dayDigits) else {
            return nil
        }
        return CivilDate(year: year, month: month, day: day)
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int64(text)
    }
}
