internal import ExchangeRates
internal import Market
internal import Storage
internal import Time

extension RateTable {
    /// Returns the rates in the form in which they are stored.
    func stored(fetched: WallTime) -> [StoredRate] {
        currencies.compactMap { currency in
            self[currency].map {
                StoredRate(source: source, date: date, currency: currency, rate: $0, fetched: fetched)
            }
        }
    }
}

extension [StoredRate] {
    /// The rates of the last date, and the time when they were fetched; nil if there are none, or if they are not a
    /// valid table.
    var latest: (rates: RateTable, fetched: WallTime)? {
        guard let last = self.max(by: { ($0.date, $0.fetched) < ($1.date, $1.fetched) }) else { return nil }
        return table(of: last).map { ($0, last.fetched) }
    }

    /// Returns the rates of the last earlier date with a currency that the given rates lack; nil if there are none.
    func former(lackingIn rates: RateTable) -> RateTable? {
        let lacking = filter { $0.date < rates.date && $0.source == rates.source && rates[$0.currency] == nil }
        return lacking.max { $0.date < $1.date }.flatMap(table)
    }

    /// Returns all rates with the date and the source of one rate.
    private func table(of rate: StoredRate) -> RateTable? {
        let together = filter { $0.date == rate.date && $0.source == rate.source }
        return RateTable(date: rate.date, source: rate.source, rates: together.map { ($0.currency, $0.rate) })
    }
}
