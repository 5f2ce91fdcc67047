import ExchangeRates
import Market
import Testing

struct RateTableTests {
    @Test func aRateIsFoundAsItWasGiven() throws {
        let table = try table("USD 1.1684, GBP 0.84770")
        #expect(table[try currency("gbp")]?.description == "0.84770")
        #expect(table[.euro] == (try price("1")))
        #expect(table[try currency("SEK")] == nil)
        #expect(table.currencies == [try currency("USD"), try currency("GBP")])
    }

    @Test func aTableThatCannotBeIsRefused() throws {
        let date = try day(2026, 4, 13)
        let usd = try currency("USD")
        let refused: [[(currency: Currency, rate: Price)]] = [
            [], [(usd, .zero)], [(usd, try price("-1"))], [(usd, try price("1")), (usd, try price("2"))],
            [(.euro, try price("1"))],
        ]
        for rates in refused { #expect(RateTable(date: date, source: "", rates: rates) == nil) }
    }

    @Test(arguments: [(13, 0, false), (19, 6, false), (20, 7, true), (12, -1, false), (11, -2, true)])
    func ratesAreStaleAfterSixDays(today: Int64, age: Int64, isStale: Bool) throws {
        let table = try table("USD 1.1684", on: day(2026, 4, 13))
        #expect(table.age(on: try day(2026, 4, today)) == age)
        #expect(table.isStale(on: try day(2026, 4, today)) == isStale)
    }

    @Test func theAgeThatIsStaleCanBeGiven() throws {
        let table = try table("USD 1.1684", on: day(2025, 12, 31))
        #expect(!table.isStale(on: try day(2026, 1, 2), after: 2))
        #expect(table.isStale(on: try day(2026, 1, 2), after: 1))
        #expect(!table.isStale(on: try day(2025, 12, 31), after: -5))
    }

    @Test func aRateSaysWhatItRestsOn() throws {
        let rate = try table("SEK 10.8920").exchangeRate(of: currency("SEK"))
        #expect(rate?.description == "1 EUR = 10.8920 SEK (made up, 2026-04-13)")
        #expect(try table("SEK 10.8920").exchangeRate(of: .euro) == nil)
        #expect(try table("SEK 10.8920").exchangeRate(of: currency("CYP")) == nil)
    }
}
