internal import ExchangeRates
internal import Market
internal import Storage
internal import Time

extension RateTable {
    /// The rates as the store keeps them.
    func stored(fetched: WallTime) -> [StoredRate] {
        currencies.compactMap { currency in
            self[currency].map {
                StoredRate(source: source, date: date, currency: currency, rate: $0, fetched: fetched)
            }
        }
    }
}

extension [StoredRate] {
    /// The rates of the last date, and when they were fetched; nil when there are none, or they are not a valid table.
    var latest: (rates: RateTable, fetched: WallTime)? {
        guard let last = self.max(by: { ($0.date, $0.fetched) < ($1.date, $1.fetched) }) else { return nil }
        return table(of: last).map { ($0, last.fetched) }
    }

    /// The rates of the last date that had a currency which other rates lack; nil if there is none.
    func former(lackingIn rates: RateTable) -> RateTable? {
        let lacking = filter { $0.date < rates.date && $0.source == rates.source && rates[$0.currency] == nil }
        return lacking.max { $0.date < $1.date }.flatMap(table)
    }

    /// All rates of the date and source of one.
    private func table(of rate: StoredRate) -> RateTable? {
        let together = filter { $0.date == rate.date && $0.source == rate.source }
        return RateTable(date: rate.date, source: rate.source, rates: together.map { ($0.currency, $0.rate) })
    }
}
