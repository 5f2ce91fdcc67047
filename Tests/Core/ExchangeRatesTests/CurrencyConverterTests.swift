import ExchangeRates
import Market
import Testing

struct CurrencyConverterTests {
    @Test(arguments: [
        ("100 SEK", "INR", "1001.16599339"),  // 100 ÷ 10.8920 × 109.0470 = 1001.165993389…
        ("1 USD", "SEK", "9.32214994865"),  // 10.8920 ÷ 1.1684 = 9.322149948647…
        ("7522957 INR", "USD", "80605.8209653"),  // 7522957 ÷ 109.0470 × 1.1684 = 80605.82096527…
        ("100 EUR", "INR", "10904.7"), ("109.0470 INR", "EUR", "1"), ("0 SEK", "INR", "0"),
        ("-100 SEK", "INR", "-1001.16599339"), ("100 EUR", "EUR", "100"), ("1.50 SEK", "SEK", "1.5"),
    ])
    func anAmountIsConverted(given: String, to: String, result: String) throws {
        let conversion = try CurrencyConverter(table(someRates)).convert(money(given), to: currency(to))
        #expect(conversion.result == (try money("\(result) \(to)")))
        #expect(conversion.original == (try money(given)))
    }

    @Test func theEvidenceIsRateDateSourceAndPath() throws {
        let conversion = try CurrencyConverter(table(someRates)).convert(money("100 SEK"), to: currency("INR"))
        #expect(conversion.currencies.map(\.description) == ["SEK", "EUR", "INR"])
        #expect(
            conversion.steps.map(\.rate.description) == [
                "1 EUR = 10.8920 SEK (made up, 2026-04-13)", "1 EUR = 109.0470 INR (made up, 2026-04-13)",
            ])
        #expect(conversion.steps.map(\.isInverse) == [true, false])
        #expect(conversion.date == (try day(2026, 4, 13)))
        #expect(!conversion.restsOnPeg && !conversion.isExact)
        #expect(conversion.description == "100 SEK ≈ 1001.16599339 INR (SEK → EUR → INR: made up, 2026-04-13)")
    }

    @Test func aPegAloneNeedsNoRatesAndChangesNoDigit() throws {
        let converter = CurrencyConverter(nil, pegs: [try .usdtIsUSD()])
        let there = try converter.convert(money("1234567.890123456789 USDT"), to: currency("USD"))
        #expect(there.description == "1234567.890123456789 USDT = 1234567.890123456789 USD (USDT → USD: peg)")
        #expect(there.restsOnPeg && there.isExact && there.date == nil)
        #expect(try converter.convert(money("2 USD"), to: currency("USDT")).result == money("2 USDT"))
    }

    @Test func aPeggedCurrencyGoesOnThroughTheTable() throws {
        let converter = CurrencyConverter(try table(someRates), pegs: [try .usdtIsUSD()])
        let conversion = try converter.convert(money("1.1684 USDT"), to: currency("SEK"))
        #expect(conversion.result == (try money("10.892 SEK")))
        #expect(conversion.isExact && conversion.restsOnPeg)
        #expect(conversion.currencies.map(\.description) == ["USDT", "USD", "EUR", "SEK"])
        let back = try converter.path(from: currency("SEK"), to: currency("USDT"))
        #expect(back.steps.map(\.to.description) == ["EUR", "USD", "USDT"])
        #expect(back.restsOnPeg && back.date != nil)
    }

    @Test func aCryptoCurrencyGoesThroughItsMarket() throws {
        let converter = CurrencyConverter(
            try table(someRates), pegs: [try .usdtIsUSD()],
            markets: [try .market("BTC INR 7522957"), try .market("BTC USDT 70000"), try .market("ETH BTC 0.05")])
        let path = { (from: String, to: String) in
            try converter.path(from: currency(from), to: currency(to)).steps.map(\.to.description)
        }
        #expect(try path("BTC", "INR") == ["INR"])
        #expect(try path("INR", "BTC") == ["BTC"])
        #expect(try path("BTC", "SEK") == ["INR", "EUR", "SEK"])
        #expect(try path("ETH", "USD") == ["BTC", "INR", "EUR", "USD"])
        #expect(try path("USDT", "BTC") == ["USD", "EUR", "INR", "BTC"])
        let half = try converter.convert(money("0.5 btc"), to: currency("INR"))
        #expect(half.description == "0.5 BTC = 3761478.5 INR (BTC → INR: market btcinr)")
    }

    @Test func aPegOrAReferenceRateComesBeforeAMarket() throws {
        let converter = CurrencyConverter(
            try table(someRates), pegs: [try .usdtIsUSD()],
            markets: [try .market("USDT INR 99.11"), try .market("USD INR 99.11")])
        let conversion = try converter.convert(money("1 USDT"), to: currency("INR"))
        #expect(conversion.currencies.map(\.description) == ["USDT", "USD", "EUR", "INR"])
    }

    @Test func aPegComesBeforeAReferenceRate() throws {
        let peg = try #require(try ExchangeRate.peg(currency("SEK"), to: currency("USD")))
        let conversion = try CurrencyConverter(table(someRates), pegs: [peg])
            .convert(money("1 SEK"), to: currency("USD"))
        #expect(conversion.result == (try money("1 USD")))
        #expect(conversion.restsOnPeg && conversion.date == nil)
    }

    @Test func whereThereIsNoWayTheMissingCurrencyIsNamed() throws {
        let converter = CurrencyConverter(try table(someRates), markets: [try .market("ETH WRX 10")])
        for (from, to, missing) in [("SEK", "SRD", "SRD"), ("SRD", "SEK", "SRD"), ("ETH", "SEK", "WRX")] {
            let error = ConversionError.noWay(
                from: try currency(from), to: try currency(to), missing: try currency(missing))
            #expect(throws: error) { try converter.path(from: currency(from), to: currency(to)) }
        }
        #expect(throws: ConversionError.self) {
            try CurrencyConverter(nil).path(from: currency("INR"), to: currency("SEK"))
        }
        #expect(try converter.convert(money("3 SRD"), to: currency("SRD")).result == money("3 SRD"))
    }

    @Test func aCircleOfPegsEnds() throws {
        let converter = CurrencyConverter(
            try table(someRates),
            pegs: [
                try #require(try ExchangeRate.peg(currency("A"), to: currency("B"))),
                try #require(try ExchangeRate.peg(currency("B"), to: currency("A"))),
            ])
        #expect(throws: ConversionError.self) { try converter.path(from: currency("A"), to: currency("SEK")) }
        #expect(try converter.convert(money("2 A"), to: currency("B")).result == money("2 B"))
    }

    @Test func amountsOfTwoCurrenciesCompare() throws {
        let converter = CurrencyConverter(try table("SEK 10, INR 100"))
        #expect(try converter.compare(money("100 INR"), to: money("10 SEK")) == .equal)
        #expect(try converter.compare(money("99.999999999999999 INR"), to: money("10 SEK")) == .less)
        #expect(try converter.compare(money("100.000000000000001 INR"), to: money("10 SEK")) == .greater)
    }

    @Test func aRateThatCannotBeIsNone() throws {
        let (usd, sek) = (try currency("USD"), try currency("SEK"))
        #expect(ExchangeRate(base: usd, quote: sek, rate: .zero, basis: .peg) == nil)
        #expect(ExchangeRate(base: usd, quote: sek, rate: try price("-1"), basis: .peg) == nil)
        #expect(ExchangeRate.peg(usd, to: usd) == nil)
    }

    @Test(arguments: ["", "100", "100SEK", "100  SEK", " 100 SEK", "100 SEK ", "1,5 SEK", "SEK 100", "100 S€K"])
    func textThatIsNoMoneyIsRefused(text: String) {
        #expect(Money(text) == nil)
    }
}
