internal import Market
internal import Time

/// The table `rate`: reference rates by source, date and currency.
struct RateTable {
    let database: Database

    /// Stores a rate, replacing the stored rate of the same source, date and currency.
    func write(_ rate: StoredRate) throws(StorageError) {
        try database.run(
            """
            INSERT INTO rate (source, date, currency, rate, fetched) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET rate = excluded.rate, fetched = excluded.fetched
            """, .text(rate.source), .text("\(rate.date)"), .text("\(rate.currency)"), .text("\(rate.rate)"),
            .integer(rate.fetched.milliseconds))
    }

    /// Returns all rates, ordered by source, date and currency. Leaves out rates that this version cannot interpret.
    func all() throws(StorageError) -> [StoredRate] {
        try rates(on: nil)
    }

    /// Returns the rates of the last date that is not after the given one, ordered by source and currency.
    func last(on date: CivilDate) throws(StorageError) -> [StoredRate] {
        try rates(on: date)
    }

    private func rates(on date: CivilDate?) throws(StorageError) -> [StoredRate] {
        var rates: [StoredRate] = []
        try database.read(
            """
            SELECT source, date, currency, rate, fetched FROM rate
            WHERE ?1 IS NULL OR date = (SELECT max(date) FROM rate WHERE date <= ?1)
            ORDER BY source, date, currency
            """, .optional(date.map { "\($0)" })
        ) { row throws(StorageError) in
            let source = try row.text()
            let date = try row.value(CivilDate.init)
            let currency = try row.value(Currency.init)
            let rate = try row.optionalPrice()
            let fetched = try row.time()
            guard let date, let currency, let rate, row.isUnderstood else {
                database.leaveOut(row, of: "rate")
                return true
            }
            rates.append(StoredRate(source: source, date: date, currency: currency, rate: rate, fetched: fetched))
            return true
        }
        return rates
    }

    /// Deletes rates that are older than the time for which events are kept, except the latest ones of each source.
    /// Runs inside a transaction.
    ///
    /// Otherwise, 30 currencies on 250 days a year at about 80 bytes each would make the file grow by 0.6 MB a year.
    func retain(_ options: StoreOptions, at now: WallTime) throws(StorageError) {
        let oldest = now.milliseconds.subtractingReportingOverflow(options.keepEvents.count)
        guard !oldest.overflow else { return }
        let date = CivilDate(daysSinceEpoch: oldest.partialValue / 86_400_000)
        try database.run(
            """
            DELETE FROM rate
            WHERE date < ? AND date < (SELECT max(date) FROM rate AS other WHERE other.source = rate.source)
            """,
            .text("\(date)"))
    }
}
