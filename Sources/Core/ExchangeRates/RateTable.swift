public import Market
public import Time

/// An attribute in a file that this module does not interpret and keeps verbatim.
public struct RateAttribute: Hashable, Sendable {
    /// The name in the file.
    public let name: String
    /// The value in the file.
    public let value: String

    /// Makes an attribute from its name and value in the file.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A table of the reference rates of one date, in units of each currency per euro.
///
/// A conversion never combines rates of several tables.
public struct RateTable: Hashable, Sendable {
    /// The date of the rates, not of their download.
    public let date: CivilDate
    /// The publisher of the rates, such as `European Central Bank`.
    public let source: String
    /// The currencies in the order of the file, including those without a rate on this date, but not the euro.
    public let currencies: [Currency]
    /// Other attributes of the date in the file.
    public let attributes: [RateAttribute]

    /// The rate of each of ``currencies``; nil if the file has `N/A`.
    private let rates: [Price?]
    private let rateAttributes: [Currency: [RateAttribute]]

    /// Makes a table from rates that have already been checked.
    ///
    /// The currencies are a separate array, so that all tables of a history can share it.
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

    /// Makes a table from rates in units per euro.
    ///
    /// The result is nil if there is no rate, if a rate is not greater than 0, if a currency appears twice, or if the
    /// euro is included.
    ///
    /// - Parameters:
    ///   - date: the date of the rates.
    ///   - source: the publisher of the rates.
    ///   - rates: each currency with its rate, in units per euro.
    public init?(date: CivilDate, source: String, rates: [(currency: Currency, rate: Price)]) {
        let currencies = rates.map(\.currency)
        guard !rates.isEmpty, rates.allSatisfy(\.rate.isPositive), !currencies.contains(.euro),
            Set(currencies).count == currencies.count
        else { return nil }
        self.init(unchecked: currencies, rates: rates.map(\.rate), date: date, source: source)
    }

    /// The units of a currency per euro: 1 for the euro itself, nil if the table has no rate for it.
    public subscript(currency: Currency) -> Price? {
        if currency == .euro { return .one }
        return currencies.firstIndex(of: currency).flatMap { rates[$0] }
    }

    /// Returns other attributes of a currency in the file. Current files have none.
    public func attributes(of currency: Currency) -> [RateAttribute] {
        rateAttributes[currency] ?? []
    }

    /// Returns the rate of a currency with its date and source, or nil for the euro and if the table has no rate.
    public func exchangeRate(of currency: Currency) -> ExchangeRate? {
        guard currency != .euro, let rate = self[currency] else { return nil }
        return ExchangeRate(checked: .euro, currency, rate, .reference(date: date, source: source))
    }
}

extension RateTable {
    /// The maximum age of rates that are not stale, in days.
    ///
    /// The European Central Bank has never left more than 5 days between two dates (Easter, Christmas). One more day
    /// allows for a missed download.
    public static let daysUntilStale: Int64 = 6

    /// Returns the age of the rates in days, which is negative if their date is after `today`.
    public func age(on today: CivilDate) -> Int64 {
        today.daysSinceEpoch - date.daysSinceEpoch
    }

    /// Returns true if, on the date `today`, the rates are more than `days` days old, or more than a day in the future
    /// as with a wrong clock.
    public func isStale(on today: CivilDate, after days: Int64 = daysUntilStale) -> Bool {
        !(-1...max(days, 0)).contains(age(on: today))
    }
}
