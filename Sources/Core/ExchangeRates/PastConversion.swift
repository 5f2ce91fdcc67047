public import Market
public import Time

/// Why an amount cannot be converted at the rates of a past date.
public enum PastRateError: Error, Hashable, Sendable {
    /// The date has not come yet.
    case future(CivilDate)
    /// The date is before the first one with rates.
    case beforeFirst(CivilDate, first: CivilDate)
    /// There are no rates on the date or in the days before it, after which rates are stale; with the last date before
    /// it.
    case noRates(on: CivilDate, last: CivilDate)
    /// The currency has no rate in the table that applies on the date.
    case noRate(Currency, on: CivilDate)
    /// It is not a currency of a country, so that there are no reference rates of it.
    case notNational(Currency)
    /// The amount does not fit.
    case conversion(ConversionError)
}

extension PastRateError: CustomStringConvertible {
    /// The error in one line, for people.
    public var description: String {
        switch self {
        case .future(let date): "\(date) is in the future"
        case .beforeFirst(let date, let first): "there are no rates on \(date); the first are of \(first)"
        case .noRates(let date, let last):
            "there are no rates on \(date) or in the \(RateTable.daysUntilStale) days before it; the last ones before "
                + "it are of \(last)"
        case .noRate(let currency, let date): "there is no reference rate of \(currency) on \(date)"
        case .notNational(let currency):
            "past dates are possible for currencies with reference rates only, and \(currency) is none; coins have a "
                + "market price of now"
        case .conversion(let error): error.description
        }
    }
}

/// Converting at the reference rates of a past date.
public enum PastConversion {
    /// The first date of the euro's reference rates.
    public static let firstDate = CivilDate(daysSinceEpoch: 10_595)

    /// Refuses a date for which nobody has rates, and currencies for which there never are any.
    ///
    /// - Parameters:
    ///   - date: The date to convert on.
    ///   - today: The latest date that is not in the future, wherever the question comes from.
    ///   - currencies: The currencies to convert between.
    ///   - pegs: Declared pegs, which make a coin a currency.
    /// - Throws: ``PastRateError``.
    public static func check(
        _ date: CivilDate, today: CivilDate, _ currencies: [Currency], pegs: [ExchangeRate] = []
    ) throws(PastRateError) {
        guard date <= today else { throw .future(date) }
        guard date >= firstDate else { throw .beforeFirst(date, first: firstDate) }
        for currency in currencies {
            let isPegged = pegs.contains { $0.base == currency }
            guard isPegged || NationalCurrency.of(currency) != nil || currency.isNational else {
                throw .notNational(currency)
            }
        }
    }

    /// Converts at the rates that applied on a date.
    ///
    /// - Parameters:
    ///   - money: The amount.
    ///   - currency: The currency to convert to.
    ///   - date: The date. The rate of a currency that the euro replaced is fixed from its day on, even if the table is
    ///     of the day before.
    ///   - table: The rates of that date or of the last date before it.
    ///   - pegs: Declared pegs.
    /// - Returns: The amount with its evidence.
    /// - Throws: ``PastRateError``.
    public static func convert(
        _ money: Money, to currency: Currency, on date: CivilDate, by table: RateTable, pegs: [ExchangeRate] = []
    ) throws(PastRateError) -> Conversion {
        guard !table.isStale(on: date) else { throw .noRates(on: date, last: table.date) }
        do throws(ConversionError) {
            return try CurrencyConverter(table, pegs: pegs, on: date).convert(money, to: currency)
        } catch {
            if case .noWay(_, _, let missing) = error { throw .noRate(missing, on: date) }
            throw .conversion(error)
        }
    }
}
