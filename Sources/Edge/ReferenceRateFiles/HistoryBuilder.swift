internal import ExchangeRates
internal import Market
internal import Time

/// A builder of tables from the elements that a parser finds. It refuses invalid rates.
struct HistoryBuilder {
    private let limits: RateFileLimits
    private var tables: [RateTable] = []
    private var dates: Set<CivilDate> = []
    private var date: CivilDate?
    private var rates: [Price?] = []
    private var currencies: [Currency] = []
    private var attributes: [RateAttribute] = []
    private var rateAttributes: [Currency: [RateAttribute]] = [:]
    /// The date whose rates are kept, or those of the last date before it; nil to keep all rates.
    private let sought: CivilDate?
    /// True if the rates of ``date`` are not needed.
    private(set) var isSkipped = false
    /// The publisher of the rates, which may become known after the first table.
    var source: String

    init(source: String, limits: RateFileLimits, sought: CivilDate? = nil) {
        self.source = source
        self.limits = limits
        self.sought = sought
    }

    mutating func begin(_ text: String, attributes: [RateAttribute] = []) throws(RateFileError.Fault) {
        let date = try Field.date(text)
        guard max(tables.count, sought == nil ? 0 : dates.count) < limits.dateCount else {
            throw .tooManyDates(limit: limits.dateCount)
        }
        guard dates.insert(date).inserted else { throw .repeatedDate("\(date)") }
        self.date = date
        isSkipped = skips(date)
        self.attributes = attributes
        currencies.removeAll(keepingCapacity: true)
        rates.removeAll(keepingCapacity: true)
        rateAttributes = [:]
    }

    mutating func add(
        _ name: String, _ rate: String, attributes: [RateAttribute] = []
    ) throws(RateFileError.Fault) {
        guard !isSkipped else { return }
        let currency = try Field.currency(name)
        guard !currencies.contains(currency) else { throw .repeatedCurrency("\(currency)") }
        guard currencies.count < limits.currencyCount else { throw .tooManyCurrencies(limit: limits.currencyCount) }
        rates.append(try Field.rate(rate, of: currency))
        currencies.append(currency)
        if !attributes.isEmpty { rateAttributes[currency] = attributes }
    }

    /// Ends the table that was built with ``begin(_:attributes:)`` and ``add(_:_:attributes:)``.
    mutating func end() throws(RateFileError.Fault) {
        // Most dates have the same currencies as the previous one and share its array.
        let shared = tables.last.map(\.currencies).flatMap { $0 == currencies ? $0 : nil }
        try append(shared ?? currencies, rates)
    }

    /// Adds the rates of a date, for currencies that are listed once for the whole file.
    mutating func append(_ currencies: [Currency], _ rates: [Price?]) throws(RateFileError.Fault) {
        guard !isSkipped else { return }
        guard rates.contains(where: { $0 != nil }), let date else { throw .noRates }
        if sought != nil { tables.removeAll() }
        tables.append(
            RateTable(
                unchecked: currencies, rates: rates, date: date, source: source, attributes: attributes,
                rateAttributes: rateAttributes))
    }

    /// Returns the history; nil if the file had no date.
    func history(attributes: [RateAttribute] = []) -> RateHistory? {
        RateHistory(tables, attributes: attributes)
    }

    /// Returns true if the search does not need the rates of the date.
    func skips(_ date: CivilDate) -> Bool {
        guard let sought else { return false }
        return date > sought || tables.last.map { $0.date > date } ?? false
    }

    /// The result of the search; nil if the file had no date.
    var found: RateSearch.Result? {
        guard let first = dates.min(), let last = dates.max() else { return nil }
        let table = tables.last
        let next = dates.lazy.filter { date in table.map { date > $0.date } ?? true }.min()
        return RateSearch.Result(table: table, next: next, dates: first...last)
    }
}
