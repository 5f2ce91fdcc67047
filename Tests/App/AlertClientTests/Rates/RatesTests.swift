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
                CURRENCY    ONE EUR  NAME
                USD          1.1684  US dollar
                IDR       20 082.05  Indonesian rupiah

                """)
    }

    @Test func theyAreFetchedOnRequest() {
        let run = Run(width: 80)
        run.daemon.replies[.refreshRates] = Nothing()
        #expect(run("rates --refresh") == 0)
        #expect(run.output.contains("Date: 2026-11-20"))
        var rates = Sample.rates
        rates.message = "no answer; wait"
        run.daemon.replies[.rates] = rates
        #expect(run("rates --refresh") == 1 && run("rates") == 0)
        let reason = "the exchange rates were requested just now; try again in 8s"
        run.daemon.errors[.refreshRates] = .refused(Refused(message: reason))
        #expect(run("rates --refresh") != 0)
        #expect(run.errors.contains(reason), "\(run.errors)")
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
            base: "EUR", stale: true, staleAfterDays: 6, rates: [], pegs: [], state: .disabled, ignored: [],
            markets: [])
        #expect(run("rates") == 0)
        #expect(run.output.contains("State: turned off"))
        #expect((run.output + run.errors).contains("`enabled = true` in [rates]"))
        run.daemon.replies[.rates] = RatesReply(
            base: "EUR", stale: true, staleAfterDays: 6, rates: [], pegs: [], state: .starting, ignored: [],
            markets: [])
        #expect(run("rates") == 0)
        #expect((run.output + run.errors).contains("No exchange rates yet."))
    }

    @Test func ratesForPrograms() throws {
        let output = Run().output("rates --json")
        #expect(output.contains(#""rates":[{"currency":"USD","rate":"1.1684","name":"US dollar"}"#))
        #expect(output.contains(#""age_days":1,"stale":false"#))
        #expect(Run().output("rates --plain").contains("IDR\t20082.05\tIndonesian rupiah\n"))
    }

    @Test func aConversionAsPeopleSeeIt() {
        #expect(
            Run(width: 80).output("convert 1000 SEK INR")
                == """
                1\u{A0}000,00\u{A0}kr ≈ ₹10,011.66
                Swedish krona to Indian rupee
                1 EUR = 10,8920\u{A0}kr (European Central Bank, 2026-11-20)
                * 1 USDT = $1.00 (pegged in the settings)
                1 BTC = ₹75,22,957.00 (last price of btcinr)
                SEK → EUR → INR by official reference rates, a declared peg, the last price of a
                market; updated 2h ago

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
        #expect(output.contains(#""from_name":"Swedish krona","to_name":"Indian rupee""#))
        #expect(run.daemon.parameters.last as? ConvertParameters == .init(amount: "1000", from: "SEK", to: "INR"))
    }

    @Test func aStaleConversionIsMarked() {
        let run = Run()
        var conversion = Sample.conversion
        conversion.stale = true
        run.daemon.replies[.convert] = conversion
        #expect(run.output("convert 1000 SEK INR").hasPrefix("! STALE rates of 2026-11-20"))
    }

    @Test func whereThereIsNoWayTheReasonIsSaid() {
        let run = Run()
        run.daemon.errors[.convert] = .unconvertible(Unconvertible(message: "CYP cannot be converted"))
        #expect(run("convert 1 CYP SEK") == 1)
        #expect(run.errors.contains("CYP cannot be converted; 'alertctl rates' shows the available rates"))
    }

    /// A name or a country is understood as far as to say which code it has; nothing is guessed.
    @Test(arguments: [
        ("1 krona SEK", "'krona' is not a known currency; did you mean SEK (Swedish krona)?"),
        ("1 EUR Sweden", "'Sweden' is not a known currency; did you mean SEK (Swedish krona)?"),
        ("1 EUR kroner", "'kroner' is not a known currency; write the code of the one you mean: DKK (Danish krone)"),
    ])
    func aNameIsSuggestedByItsCode(words: String, message: String) {
        let run = Run()
        run.daemon.errors[.convert] = .unconvertible(Unconvertible(message: "no rate"))
        #expect(run("convert \(words)") == 2 && run.errors.hasPrefix("alertctl: \(message)"), "\(run.errors)")
    }

    @Test func aCoinHasNoName() {
        let run = Run()
        var conversion = Sample.conversion
        conversion.from = "BTC"
        run.daemon.replies[.convert] = conversion
        #expect(run.output("convert 1 BTC INR").contains("\nBTC to Indian rupee\n"))
        conversion.to = "USDT"
        run.daemon.replies[.convert] = conversion
        #expect(run.output("convert 1 BTC USDT --json").contains(#""from_name":null,"to_name":null"#))
    }

    @Test func aMistypedCurrencyIsSuggested() {
        let run = Run()
        run.daemon.errors[.convert] = .unconvertible(Unconvertible(message: "EURO cannot be converted"))
        #expect(run("convert 1 EURO SEK") == 2)
        #expect(run.errors.contains("'EURO' is not a known currency; did you mean EUR (Euro)?\n"), "\(run.errors)")
    }
}
