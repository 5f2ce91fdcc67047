public import Market
public import Time

/// The reason why an amount cannot be converted at the rates of a past date.
public enum PastRateError: Error, Hashable, Sendable {
    /// The date is in the future.
    case future(CivilDate)
    /// The date is before the first date with rates.
    case beforeFirst(CivilDate, first: CivilDate)
    /// There are no rates on the date, and the rates of the last date before it are stale. `last` is that date.
    case noRates(on: CivilDate, last: CivilDate)
    /// The currency has no rate in the table that applies on the date.
    case noRate(Currency, on: CivilDate)
    /// The currency is not a national currency, so it has no reference rates.
    case notNational(Currency)
    /// The conversion failed for another reason, such as an amount that is too large.
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

/// The conversion at the reference rates of a past date.
public enum PastConversion {
    /// The first date of the euro's reference rates.
    public static let firstDate = CivilDate(daysSinceEpoch: 10_595)

    /// Refuses dates and currencies that can have no reference rates.
    ///
    /// - Parameters:
    ///   - date: The date to convert on.
    ///   - today: The current date. Later dates are in the future.
    ///   - currencies: The currencies to convert between.
    ///   - pegs: Declared pegs. A coin with a peg can be converted.
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
