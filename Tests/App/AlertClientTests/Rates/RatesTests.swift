import AlertClient
import Control
import Testing

struct RatesTests {
    @Test func ratesAsPeopleSeeThem() {
        #expect(
            Run(width: 80).output("rates")
                == """
                    Date: 2026-11-20, 1 day old
                  Source: European Central Bank
                   State: ok
                    From: https://www.ecb.europa.eu/r.xml
                 Fetched: 2h ago
                    Next: in 2h5m
                    Pegs: USDT counts as USD
                CURRENCY    ONE EUR
                USD          1.1684
                IDR       20 082.05

                """)
    }

    @Test func whatIsWrongWithRatesIsSaidFirst() {
        let run = Run()
        var rates = Sample.rates
        rates.stale = true
        rates.ageDays = 7
        rates.state = .timeout
        rates.message = "no answer; wait"
        run.daemon.replies[.rates] = rates
        run("rates")
        #expect(
            run.output.hasPrefix("STALE exchange rates: 7 days old, limit 6 days\nThe last fetch failed: no answer")
        )
    }

    @Test func theStatusShowsRatesThatFail() {
        let run = Run()
        #expect(!run.output("status").contains("exchange rates"))
        var rates = Sample.rates
        rates.message = "no answer; wait"
        run.daemon.replies[.rates] = rates
        #expect(run.output("status").contains("cannot fetch exchange rates: no answer; wait"))
        rates.message = nil
        rates.stale = true
        rates.ageDays = 7
        run.daemon.replies[.rates] = rates
        #expect(run.output("status").contains("exchange rates are stale (7 days old); see 'alertctl rates'"))
        run.daemon.errors[.rates] = .remote(name: "org.varlink.service.MethodNotFound")
        #expect(run("status") == 0)
    }

    @Test func withoutRatesItSaysSo() {
        let run = Run()
        run.daemon.replies[.rates] = RatesReply(
            base: "EUR", stale: true, staleAfterDays: 6, rates: [], pegs: [], state: .disabled, markets: [])
        #expect(run("rates") == 0)
        #expect(run.output.contains("State: turned off"))
        #expect((run.output + run.errors).contains("`enabled = true` in [rates]"))
        run.daemon.replies[.rates] = RatesReply(
            base: "EUR", stale: true, staleAfterDays: 6, rates: [], pegs: [], state: .starting, markets: [])
        #expect(run("rates") == 0)
        #expect((run.output + run.errors).contains("No exchange rates yet."))
    }

    @Test func ratesForPrograms() throws {
        let output = Run().output("rates --json")
        #expect(output.contains(#""rates":[{"currency":"USD","rate":"1.1684"}"#))
        #expect(output.contains(#""age_days":1,"stale":false"#))
        #expect(Run().output("rates --plain").contains("IDR\t20082.05"))
    }

    @Test func aConversionAsPeopleSeeIt() {
        #expect(
            Run(width: 80).output("convert 1000 SEK INR")
                == """
                1\u{A0}000,00\u{A0}kr ≈ ₹10,011.66
                1 EUR = 10,8920\u{A0}kr (European Central Bank, 2026-11-20)
                * 1 USDT = $1.00 (pegged in the settings)
                1 BTC = ₹75,22,957.00 (last price of btcinr)

                """)
    }

    /// People see an amount of money, never `91,621 €` for 91 euros; programs all its digits.
    @Test(arguments: [
        ("91.621", "EUR", true, "= 100,00 kr ≈ 91,62 €"), ("91.62", "EUR", true, "= 100,00 kr = 91,62 €"),
        ("10.3040123", "USD", false, "≈ $10.30"), ("0.0103040123", "USD", false, "≈ $0.010304"),
    ])
    func aResultIsAnAmountOfItsCurrency(result: String, code: String, exact: Bool, text: String) {
        var conversion = Sample.conversion
        (conversion.amount, conversion.to, conversion.result, conversion.exact) = ("100", code, result, exact)
        let expected = text.hasPrefix("= ") ? String(text.dropFirst(2)) : "100,00 kr " + text
        for isJSON in [false, true] {
            let run = Run(width: 80)
            run.daemon.replies[.convert] = conversion
            let output = run.output("convert 100 SEK \(code)" + (isJSON ? " --json" : ""))
            let wanted = isJSON ? #""result":"\#(result)""# : expected + "\n"
            #expect(output.replacing("\u{A0}", with: " ").contains(wanted), "\(output)")
        }
    }

    @Test func aConversionForPrograms() {
        let run = Run()
        let output = run.output("convert 1000 sek inr --json")
        #expect(output.contains(#""result":"10011.6599339","exact":false"#))
        #expect(run.daemon.parameters.last as? ConvertParameters == .init(amount: "1000", from: "SEK", to: "INR"))
    }

    @Test func aStaleConversionIsMarked() {
        let run = Run()
        var conversion = Sample.conversion
        conversion.stale = true
        run.daemon.replies[.convert] = conversion
        #expect(run.output("convert 1000 SEK INR").hasPrefix("! STALE rates of 2026-11-20"))
    }

    @Test(arguments: [
        (["1000", "sek", "INR"], "1000", "SEK"), (["1000,50", "SEK", "INR"], "1000.50", "SEK"),
        (["12", "000", "SEK", "INR"], "12000", "SEK"), (["12 000 kr", "SEK", "INR"], "12000", "SEK"),
        (["₹75,00,000", "INR"], "7500000", "INR"), (["160500", "SEK", "INR"], "160500", "SEK"),
        (["5", "$", "INR"], "5", "USD"), (["0.5", "1inch", "INR"], "0.5", "1INCH"),
        (["1_000", "SEK", "INR"], "1000", "SEK"), (["1,000", "USD", "INR"], "1000", "USD"),
        (["100", "$", "in", "INR"], "100", "USD"), (["1,00,000", "INR", "to", "INR"], "100000", "INR"),
    ])
    func amountsAsTheyAreShown(words: [String], amount: String, from: String) {
        let run = Run()
        #expect(run(["convert"] + words) == 0, "\(run.errors)")
        #expect(
            run.daemon.parameters.last as? ConvertParameters
                == ConvertParameters(amount: amount, from: from, to: "INR"))
    }

    /// With a display in kronor, kr are these; the daemon is asked only for that.
    @Test func aSharedSignIsThatOfTheDisplay() {
        let run = Run()
        var rates = Sample.rates
        rates.displayCurrency = "SEK"
        run.daemon.replies[.rates] = rates
        #expect(run(["convert", "12 000 kr", "INR"]) == 0 && run(["convert", "₹100", "kr"]) == 0)
        let calls = run.daemon.parameters.compactMap { $0 as? ConvertParameters }
        #expect(
            calls == [
                ConvertParameters(amount: "12000", from: "SEK", to: "INR"),
                ConvertParameters(amount: "100", from: "INR", to: "SEK"),
            ])
    }

    @Test func anAmountInAnotherCurrencyThanNamedIsRefused() {
        let run = Run()
        #expect(run(["convert", "₹100", "SEK", "USD"]) == 2)
        #expect(run.errors.contains("'₹100' is not in SEK"))
        let unknown = Run()
        #expect(unknown(["convert", "100", "SEK", "kr"]) == 2)
        #expect(unknown.errors.contains("DKK, ISK, NOK, SEK"))
    }

    @Test(arguments: [
        "convert", "convert 1", "convert 1 SEK", "convert 1,500 btc INR", "convert 1,500 SEK INR", "convert 1 in SEK",
        "convert 1 S€K INR", "convert x SEK INR",
    ])
    func wrongWordsAreAWrongUse(line: String) {
        let run = Run()
        #expect(run(line) == 2)
        #expect(run.daemon.asked.isEmpty)
    }

    @Test func whereThereIsNoWayTheReasonIsSaid() {
        let run = Run()
        run.daemon.errors[.convert] = .unconvertible(Unconvertible(message: "CYP cannot be converted"))
        #expect(run("convert 1 CYP SEK") == 1)
        #expect(run.errors.contains("CYP cannot be converted; 'alertctl rates' shows the available rates"))
    }

    @Test func aMistypedCurrencyIsSuggested() {
        let run = Run()
        run.daemon.errors[.convert] = .unconvertible(Unconvertible(message: "EURO cannot be converted"))
        #expect(run("convert 1 EURO SEK") == 2)
        #expect(run.errors.hasPrefix("alertctl: 'EURO' is not a known currency; did you mean EUR?\n"), "\(run.errors)")
    }

    @Test func aMissingCurrencyIsNamed() {
        let run = Run()
        #expect(run(["convert", "1000,50", "SEK"]) == 2)
        #expect(
            run.errors
                == "alertctl: two currencies are needed, that of the amount first: 'convert 1000,50 SEK USD'\n")
    }
}
