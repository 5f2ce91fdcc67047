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
        let together = filter { $0.date == last.date && $0.source == last.source }
        return RateTable(date: last.date, source: last.source, rates: together.map { ($0.currency, $0.rate) })
            .map { ($0, last.fetched) }
    }
}
