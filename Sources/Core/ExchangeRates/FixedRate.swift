public import Market
public import Time

/// The rate at which the euro replaced a currency, permanently fixed by law.
///
/// It applies from the day on which the euro replaced the currency; before that day, the reference rates apply.
public struct FixedRate: Hashable, Sendable {
    /// The currency that the euro replaced.
    public let currency: Currency
    /// Units of ``currency`` per euro.
    public let rate: Price
    /// The first day on which the rate applies.
    public let since: CivilDate

    /// The law that fixes these rates. Later regulations have amended it.
    public static let source = "Council Regulation (EC) No 2866/98"

    /// The rates of all currencies that the euro has replaced, latest first.
    public static let all: [FixedRate] = table.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, let currency = Currency(words[0]), let rate = try? Price(words[1]),
            let since = CivilDate(words[2])
        else { return nil }
        return FixedRate(currency: currency, rate: rate, since: since)
    }

    /// Returns the rate of the currency, or nil if the euro has not replaced it.
    public static func of(_ currency: Currency) -> FixedRate? { byCurrency[currency] }

    private static let byCurrency = Dictionary(all.map { ($0.currency, $0) }) { first, _ in first }

    /// The rate with the law as its source.
    public var exchangeRate: ExchangeRate {
        ExchangeRate(checked: .euro, currency, rate, .fixed(since: since, source: Self.source))
    }

    /// The rates of Article 1 of the regulation.
    private static let table = """
        BGN 1.95583 2026-01-01
        HRK 7.53450 2023-01-01
        LTL 3.45280 2015-01-01
        LVL 0.702804 2014-01-01
        EEK 15.6466 2011-01-01
        SKK 30.1260 2009-01-01
        CYP 0.585274 2008-01-01
        MTL 0.429300 2008-01-01
        SIT 239.640 2007-01-01
        GRD 340.750 2001-01-01
        ATS 13.7603 1999-01-01
        BEF 40.3399 1999-01-01
        DEM 1.95583 1999-01-01
        ESP 166.386 1999-01-01
        FIM 5.94573 1999-01-01
        FRF 6.55957 1999-01-01
        IEP 0.787564 1999-01-01
        ITL 1936.27 1999-01-01
        LUF 40.3399 1999-01-01
        NLG 2.20371 1999-01-01
        PTE 200.482 1999-01-01
        """
}
