import ExchangeRates
import Market
import Testing
import Time

/// Conversions on a past date.
struct PastConversionTests {
    private func currency(_ code: String) throws -> Currency { try #require(Currency(code)) }
    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    private func table(_ date: String, source: String = "European Central Bank") throws -> RateTable {
        let rates = [("SEK", "11.1218"), ("HRK", "7.5365"), ("USD", "1.0666")].map {
            (currency: Currency($0) ?? .euro, rate: (try? Price($1)) ?? .one)
        }
        return try #require(RateTable(date: day(date), source: source, rates: rates))
    }

    @Test(arguments: [
        ("1999-01-03", "there are no rates on 1999-01-03; the first are of 1999-01-04"),
        ("2026-11-22", "2026-11-22 is in the future"), ("1999-01-04", nil), ("2026-11-21", nil),
    ])
    func datesWithoutRatesAreRefused(date: String, message: String?) throws {
        let today = try day("2026-11-21")
        #expect(PastConversion.firstDate == (try day("1999-01-04")))
        let date = try day(date)
        let found = refusal { () throws(PastRateError) in try PastConversion.check(date, today: today, []) }
        #expect(found == message)
    }

    /// A coin has a price of now only; a declared peg makes it a currency.
    @Test func coinsHaveNoPast() throws {
        let date = try day("2023-05-12")
        let (euro, tether) = (Currency.euro, try currency("USDT"))
        let pegs = try [#require(ExchangeRate.peg(tether, to: currency("USD")))]
        for coin in ["BTC", "USDT", "KRONA"] {
            let currencies = [euro, try currency(coin)]
            let found = refusal { () throws(PastRateError) in
                try PastConversion.check(date, today: date, currencies)
            }
            #expect(found?.contains("and \(coin) is none") == true)
        }
        for code in ["SEK", "DEM", "TRL", "SRD"] {
            try PastConversion.check(date, today: date, [euro, currency(code)])
        }
        try PastConversion.check(date, today: date, [tether], pegs: pegs)
        let conversion = try PastConversion.convert(
            #require(Money("100 USDT")), to: euro, on: date, by: table("2023-05-12"), pegs: pegs)
        #expect(conversion.restsOnPeg && !conversion.isOfficial)
    }

    /// The kuna was replaced on a Sunday, when the last rates were of Friday.
    @Test(arguments: [("2022-12-31", "7.5365"), ("2023-01-01", "7.5345"), ("2023-01-02", "7.5345")])
    func aFixedRateCountsFromItsDay(date: String, expected: String) throws {
        let conversion = try PastConversion.convert(
            #require(Money("1 EUR")), to: currency("HRK"), on: day(date), by: table("2022-12-30"))
        #expect(conversion.result.amount == (try Price(expected)) && conversion.isOfficial)
    }

    @Test func ratesThatAreTooOldAreRefused() throws {
        let money = try #require(Money("1 EUR"))
        let (krona, friday) = (try currency("SEK"), try table("2022-12-30"))
        _ = try PastConversion.convert(money, to: krona, on: day("2023-01-05"), by: friday)
        let late = try day("2023-01-06")
        #expect(throws: PastRateError.noRates(on: late, last: friday.date)) {
            try PastConversion.convert(money, to: krona, on: late, by: friday)
        }
        #expect(
            PastRateError.noRates(on: late, last: friday.date).description
                == "there are no rates on 2023-01-06 or in the 6 days before it; the last ones before it are of "
                + "2022-12-30")
    }

    @Test func aCurrencyWithoutARateIsNamedWithTheDate() throws {
        let (rupee, date) = (try currency("INR"), try day("2022-12-30"))
        let error = PastRateError.noRate(rupee, on: date)
        #expect(error.description == "there is no reference rate of INR on 2022-12-30")
        #expect(throws: error) {
            try PastConversion.convert(#require(Money("1 SEK")), to: rupee, on: date, by: table("2022-12-30"))
        }
    }

    @Test func othersThanTheBankAreNotOfficial() throws {
        let conversion = try PastConversion.convert(
            #require(Money("1 EUR")), to: currency("SEK"), on: day("2022-12-30"), by: table("2022-12-30", source: "me"))
        #expect(!conversion.isOfficial)
    }

    private func refusal(_ body: () throws(PastRateError) -> Void) -> String? {
        do throws(PastRateError) {
            try body()
            return nil
        } catch { return error.description }
    }
}
