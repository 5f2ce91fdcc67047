import ExchangeRates
import Market
import Testing
import Time

/// The currencies that the euro has replaced.
struct FixedRateTests {
    private func table(_ date: String, with others: [(String, String)] = []) throws -> RateTable {
        let rates = try ([("USD", "1.25"), ("SEK", "10"), ("INR", "100")] + others).map { code, rate in
            (currency: try currency(code), rate: try Price(rate))
        }
        let day = try #require(CivilDate(date))
        return try #require(RateTable(date: day, source: "European Central Bank", rates: rates))
    }

    private func currency(_ code: String) throws -> Currency { try #require(Currency(code)) }

    private func convert(_ money: String, to code: String, by converter: CurrencyConverter) throws -> Conversion {
        let money = try #require(Money(money))
        return try converter.convert(money, to: try currency(code))
    }

    /// Article 1 of Council Regulation (EC) No 2866/98, as amended.
    @Test(arguments: [
        ("ATS", "13.7603", 1999), ("BEF", "40.3399", 1999), ("BGN", "1.95583", 2026), ("CYP", "0.585274", 2008),
        ("DEM", "1.95583", 1999), ("EEK", "15.6466", 2011), ("ESP", "166.386", 1999), ("FIM", "5.94573", 1999),
        ("FRF", "6.55957", 1999), ("GRD", "340.750", 2001), ("HRK", "7.53450", 2023), ("IEP", "0.787564", 1999),
        ("ITL", "1936.27", 1999), ("LTL", "3.45280", 2015), ("LUF", "40.3399", 1999), ("LVL", "0.702804", 2014),
        ("MTL", "0.429300", 2008), ("NLG", "2.20371", 1999), ("PTE", "200.482", 1999), ("SIT", "239.640", 2007),
        ("SKK", "30.1260", 2009),
    ])
    func eachRateIsThatOfTheLaw(code: String, rate: String, year: Int) throws {
        let fixed = try #require(FixedRate.of(currency(code)))
        #expect("\(fixed.rate)" == rate && "\(fixed.since)" == "\(year)-01-01")
        // Six significant digits, as the law says.
        #expect(rate.drop { "0.".contains($0) }.filter(\.isNumber).count == 6)
        // It needs no other rates.
        let euros = try convert("\(rate) \(code)", to: "EUR", by: CurrencyConverter(nil))
        #expect(euros.result.amount == .one && euros.date == nil)
        #expect(
            "\(euros.steps[0].rate)"
                == "1 EUR = \(rate) \(code) (Council Regulation (EC) No 2866/98, fixed since \(year)-01-01)")
    }

    @Test func thereAreTwentyOne() {
        #expect(FixedRate.all.count == 21 && Set(FixedRate.all.map(\.currency)).count == 21)
        #expect(FixedRate.of(.euro) == nil && Currency("SEK").flatMap(FixedRate.of) == nil)
        #expect(FixedRate.all.allSatisfy { Currency.allKnown.contains($0.currency) && $0.currency.isNational })
    }

    @Test(arguments: [("195.583 BGN", "1000"), ("753.45 HRK", "1000"), ("1 DEM", "5.11291881196")])
    func theyAreConvertedThroughTheEuro(money: String, kronor: String) throws {
        let conversion = try convert(money, to: "SEK", by: CurrencyConverter(try table("2026-11-25")))
        #expect("\(conversion.result.amount.reduced)" == kronor)
        // The date is that of the reference rates: the fixed one does not age.
        #expect(conversion.date == CivilDate("2026-11-25"))
        let back = try convert("1000 SEK", to: String(money.suffix(3)), by: CurrencyConverter(try table("2026-11-25")))
        #expect(back.isExact || back.result.amount.isPositive)
    }

    /// Before the change, the reference rates of the day count, and without one there is none.
    @Test func beforeTheChangeTheHistoryCounts() throws {
        let before = CurrencyConverter(try table("2022-12-30", with: [("HRK", "7.5365")]))
        #expect("\(try convert("7.5365 HRK", to: "EUR", by: before).result.amount)" == "1")
        #expect(throws: ConversionError.self) {
            _ = try convert("1 HRK", to: "SEK", by: CurrencyConverter(try table("2022-12-31")))
        }
        let first = CurrencyConverter(try table("2023-01-01"))
        #expect("\(try convert("7.5345 HRK", to: "EUR", by: first).result.amount)" == "1")
        #expect(throws: ConversionError.self) { _ = try convert("1 BGN", to: "EUR", by: first) }
    }

    /// A publisher may continue to publish a rounded rate.
    @Test func afterTheChangeTheLawCounts() throws {
        let converter = CurrencyConverter(try table("2026-11-25", with: [("BGN", "1.9558")]))
        #expect(try convert("1.95583 BGN", to: "EUR", by: converter).result.amount == .one)
    }

    /// `MTL` is a coin as well; where there is a market, its price counts.
    @Test func aMarketOfTheSameCodeCounts() throws {
        let (coin, dollars, half) = (try currency("MTL"), try currency("USD"), try Price("0.5"))
        let price = try #require(ExchangeRate(base: coin, quote: dollars, rate: half, basis: .market("mtlusd")))
        let converter = CurrencyConverter(try table("2026-11-25"), markets: [price])
        #expect("\(try convert("4 MTL", to: "USD", by: converter).result.amount.reduced)" == "2")
    }
}
