public import Market
public import Time

/// Something that a file says beyond what this module understands, kept as it stands there.
public struct RateAttribute: Hashable, Sendable {
    /// The name in the file.
    public let name: String
    /// The text in the file.
    public let value: String

    /// Keeps a name with its value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Reference rates of one date: how many units of each currency are one euro.
///
/// All rates of a table belong together. A conversion uses two rates of the same table, never of two.
public struct RateTable: Hashable, Sendable {
    /// The date that the rates are of; not when they were fetched.
    public let date: CivilDate
    /// Who says so, such as `European Central Bank`.
    public let source: String
    /// The currencies in the order of the file, also those without a rate on this date; the euro is not among them.
    public let currencies: [Currency]
    /// What the file says of the date besides.
    public let attributes: [RateAttribute]

    /// A value for each of ``currencies``, nil where the file has `N/A`.
    private let rates: [Price?]
    private let rateAttributes: [Currency: [RateAttribute]]

    /// Makes a table of rates that were checked already.
    ///
    /// The currencies are an array of their own because the tables of a history share it.
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
    /// It is nil when there is no rate, when one is not greater than 0, when a currency is there twice, or when the
    /// euro is among them.
    ///
    /// - Parameters:
    ///   - date: The date that the rates are of.
    ///   - source: Who says so.
    ///   - rates: Each currency with its rate.
    public init?(date: CivilDate, source: String, rates: [(currency: Currency, rate: Price)]) {
        let currencies = rates.map(\.currency)
        guard !rates.isEmpty, rates.allSatisfy(\.rate.isPositive), !currencies.contains(.euro),
            Set(currencies).count == currencies.count
        else { return nil }
        self.init(unchecked: currencies, rates: rates.map(\.rate), date: date, source: source)
    }

    /// How many units of the currency are one euro: 1 for the euro itself, nil where the table has no rate.
    public subscript(currency: Currency) -> Price? {
        if currency == .euro { return .one }
        return currencies.firstIndex(of: currency).flatMap { rates[$0] }
    }

    /// What the file says of a currency beyond its rate; empty for the files of today.
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
    /// How many days the rates may be old before they count as stale.
    ///
    /// Between two dates of the European Central Bank there were never more than 5 days (Easter, Christmas); a day more
    /// allows for one missed fetch.
    public static let daysUntilStale: Int64 = 6

    /// How many days before `today` the rates are of; negative when their date is after it.
    public func age(on today: CivilDate) -> Int64 {
        today.daysSinceEpoch - date.daysSinceEpoch
    }

    /// Whether the rates are more than `days` days old on the date `today`, or more than a day in the future, as when a
    /// clock is wrong.
    public func isStale(on today: CivilDate, after days: Int64 = daysUntilStale) -> Bool {
        !(-1...max(days, 0)).contains(age(on: today))
    }
}
