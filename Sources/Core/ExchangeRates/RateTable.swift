public import Market
public import Time

/// An attribute of a file that this module does not interpret, kept verbatim.
public struct RateAttribute: Hashable, Sendable {
    /// The name in the file.
    public let name: String
    /// The text in the file.
    public let value: String

    /// Makes an attribute of a name and its value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Reference rates of one date: units of each currency per euro.
///
/// A conversion uses rates of one table only, never of two.
public struct RateTable: Hashable, Sendable {
    /// The date of the rates, not of their download.
    public let date: CivilDate
    /// Who published the rates, such as `European Central Bank`.
    public let source: String
    /// The currencies in the order of the file, also those without a rate on this date; the euro is not among them.
    public let currencies: [Currency]
    /// Other attributes of the date in the file.
    public let attributes: [RateAttribute]

    /// A value for each of ``currencies``, nil where the file has `N/A`.
    private let rates: [Price?]
    private let rateAttributes: [Currency: [RateAttribute]]

    /// Makes a table of rates that have already been checked.
    ///
    /// The currencies are a separate array because the tables of a history share it.
    package init(
        unchecked currencies: [Currency], rates: [Price?], date: CivilDate, source: String,
        attributes: [RateAttribute] = [], rateAttributes: [Currency: [RateAttribute]] = [:]
    ) {
        self.currencies = currencies
        self.rates = rates
        self.date = date
        self.source = source
        self.attributes = attributes
        self.rateAttributes = rateAttributes
    }

    /// Makes a table of rates in units per euro.
    ///
    /// It is nil when there is no rate, when one is not greater than 0, when a currency appears twice, or when the euro
    /// is among them.
    ///
    /// - Parameters:
    ///   - date: The date of the rates.
    ///   - source: Who published them.
    ///   - rates: Each currency with its rate, in units per euro.
    public init?(date: CivilDate, source: String, rates: [(currency: Currency, rate: Price)]) {
        let currencies = rates.map(\.currency)
        guard !rates.isEmpty, rates.allSatisfy(\.rate.isPositive), !currencies.contains(.euro),
            Set(currencies).count == currencies.count
        else { return nil }
        self.init(unchecked: currencies, rates: rates.map(\.rate), date: date, source: source)
    }

    /// Units of the currency per euro: 1 for the euro itself, nil where the table has no rate.
    public subscript(currency: Currency) -> Price? {
        if currency == .euro { return .one }
        return currencies.firstIndex(of: currency).flatMap { rates[$0] }
    }

    /// Other attributes of a currency in the file; empty in present files.
    public func attributes(of currency: Currency) -> [RateAttribute] {
        rateAttributes[currency] ?? []
    }

    /// The rate of the currency with its date and source; nil for the euro and where the table has no rate.
    public func exchangeRate(of currency: Currency) -> ExchangeRate? {
        guard currency != .euro, let rate = self[currency] else { return nil }
        return ExchangeRate(checked: .euro, currency, rate, .reference(date: date, source: source))
    }
}

extension RateTable {
    /// The age in days up to which rates are not stale.
    ///
    /// The European Central Bank has never left more than 5 days between two dates (Easter, Christmas); one more day
    /// allows for a missed download.
    public static let daysUntilStale: Int64 = 6

    /// The age of the rates in days; negative when their date is after `today`.
    public func age(on today: CivilDate) -> Int64 {
        today.daysSinceEpoch - date.daysSinceEpoch
    }

    /// Whether the rates are more than `days` days old on the date `today`, or more than a day in the future, as when a
    /// clock is wrong.
    public func isStale(on today: CivilDate, after days: Int64 = daysUntilStale) -> Bool {
        !(-1...max(days, 0)).contains(age(on: today))
    }
}
