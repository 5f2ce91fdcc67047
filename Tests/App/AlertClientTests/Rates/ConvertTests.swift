import Control
import Testing

@testable import AlertClient

/// The words of `alertctl convert`.
struct ConvertTests {
    @Test(arguments: [
        (["1000", "sek", "INR"], "1000", "SEK"), (["1000,50", "SEK", "INR"], "1000.50", "SEK"),
        (["12", "000", "SEK", "INR"], "12000", "SEK"), (["12 000 kr", "SEK", "INR"], "12000", "SEK"),
        (["₹75,00,000", "INR"], "7500000", "INR"), (["160500", "SEK", "INR"], "160500", "SEK"),
        (["5", "$", "INR"], "5", "USD"), (["0.5", "1inch", "INR"], "0.5", "1INCH"),
        (["1_000", "SEK", "INR"], "1000", "SEK"), (["1,000", "USD", "INR"], "1000", "USD"),
        (["100", "$", "in", "INR"], "100", "USD"), (["1,00,000", "INR", "to", "INR"], "100000", "INR"),
        (["-5", "EUR", "INR"], "-5", "EUR"), (["--", "-5", "EUR", "INR"], "-5", "EUR"),
        (["-₹1,00,000", "INR"], "-100000", "INR"), (["−5", "EUR", "INR"], "-5", "EUR"),
        (["-1 000,50 kr", "SEK", "INR"], "-1000.50", "SEK"), (["1", "000,50", "SEK", "in", "INR"], "1000.50", "SEK"),
        (["₹", "100", "INR"], "100", "INR"), (["EUR", "100", "INR"], "100", "EUR"), (["0", "eur", "INR"], "0", "EUR"),
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

    private func requests(_ words: [String], displaying currency: String? = nil) -> (Run, [ConvertParameters]) {
        let run = Run()
        var rates = Sample.rates
        rates.displayCurrency = currency
        run.daemon.replies[.rates] = rates
        #expect(run(["convert"] + words) == 0, "\(run.errors)")
        return (run, run.daemon.parameters.compactMap { $0 as? ConvertParameters })
    }

    @Test(arguments: [
        (["100", "EUR", "SEK", "USD"], "EUR", "100", ["SEK", "USD"]),
        (["100", "EUR", "in", "SEK", "USD", "INR"], "EUR", "100", ["SEK", "USD", "INR"]),
        (["0.5", "btc", "SEK", "USD"], "BTC", "0.5", ["SEK", "USD"]),
        (["₹100", "SEK", "USD"], "INR", "100", ["SEK", "USD"]),
        (["₹100", "INR", "SEK", "USD"], "INR", "100", ["SEK", "USD"]),
        (["12 000 kr", "NOK", "SEK", "USD"], "NOK", "12000", ["SEK", "USD"]),
    ])
    func severalTargetsAreSeveralResults(words: [String], from: String, amount: String, targets: [String]) {
        let (_, calls) = requests(words)
        #expect(calls == targets.map { ConvertParameters(amount: amount, from: from, to: $0) })
    }

    @Test func programsGetAnObjectForEachTarget() {
        let run = Run()
        run("convert 100 EUR SEK USD --json")
        #expect(run.output.split(separator: "\n").count { $0.hasPrefix("{") && $0.hasSuffix("}") } == 2)
    }

    /// A result next to an error would be taken for the answer.
    @Test func ifOneTargetIsWrongThereIsNoResult() {
        let run = Run()
        run.daemon.failures[.convert] = { parameters in
            (parameters as? ConvertParameters)?.to == "XYZ"
                ? .unconvertible(Unconvertible(message: "no exchange rate for XYZ")) : nil
        }
        #expect(run("convert 1 EUR SEK XYZ") == 1 && run.output.isEmpty)
        #expect(run.errors.contains("no exchange rate for XYZ"))
    }

    /// The part that is wrong is named, with what to write; nothing else is blamed, and the daemon is not asked.
    @Test(arguments: [
        (["12abc", "usd"], "'12abc' is not an amount; write it like"),
        (["12abc", "usd", "sek"], "'12abc' is not an amount; write it like"),
        (["1e400", "usd", "sek"], "'1e400' has an exponent; write all digits"),
        (["1e3", "usd", "sek"], "'1e3' has an exponent; write all digits"),
        (["x", "SEK", "INR"], "'x' is not an amount; write it like"),
        (["100", "50", "SEK", "INR"], "'100 50' is not an amount"),
        (["1.2.3", "SEK", "INR"], "'1.2.3' is not an amount"),
        (["1,500", "btc", "INR"], "'1,500' may be two different amounts; write 1500 or 1.5"),
        (["1,500", "SEK", "INR"], "'1,500' may be two different amounts; write 1500 or 1.5"),
        (["12345678901234567890", "SEK", "INR"], "'12345678901234567890' has too many digits"),
        (["1000,50 kr", "USD"], "'1000,50 kr' does not say which currency 'kr' is; write the code: DKK, ISK"),
        (["1", "000,50", "kr", "USD"], "'kr' is the sign of several currencies; write the code of the one you mean"),
        (["100", "SEK", "kr"], "'kr' is the sign of several currencies; write the code of the one you mean: DKK"),
        (["1", "S€K", "INR"], "'S€K' is not a currency"), (["100", "SEK", "IN-R"], "'IN-R' is not a currency"),
        (["100", "SEK", "INR", "5"], "'5' is not a currency"),
        (
            ["100", "SEK", "INR", "2024-01-05"],
            "'2024-01-05' is a date, not a currency; for the rates of that day, write --on 2024-01-05"
        ),
        (["1000,50", "SEK"], "the currency to convert to is missing: write it last, as in 'convert 1000,50 SEK USD'"),
        (["₹100"], "the currency to convert to is missing: write it last, as in 'convert '₹100' USD'"),
        (["1", "usd", "in"], "the currency to convert to is missing: write it last, as in 'convert 1 USD EUR'"),
        (["1", "in", "SEK"], "the currency of '1' is missing: write it after the amount, as in 'convert 1 USD SEK'"),
        (["1"], "the currency of '1' is missing: write it after the amount, as in 'convert 1 USD INR'"),
    ])
    func theWordThatIsWrongIsNamed(words: [String], message: String) {
        let run = Run()
        #expect(run(["convert"] + words) == 2 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("alertctl: \(message)"), "\(run.errors)")
        #expect(!run.daemon.asked.contains(.convert) && !run.errors.contains("is not in"))
    }

    @Test func withoutAnyWordItSaysWhatItTakes() {
        let run = Run()
        #expect(run("convert") == 2 && run.errors.contains("AMOUNT"))
    }

    @Test func amountsBelowZeroAreNotOptions() {
        let run = Run()
        #expect(run(["convert", "-x", "EUR", "SEK"]) == 2 && run.errors.contains("unknown option -x"))
        #expect(run(["status", "-5"]) == 2 && run.errors.contains("unknown option -5"))
    }

    @Test func aFixedRateIsShownWithItsLaw() {
        let run = Run(width: 120)
        var conversion = Sample.conversion
        (conversion.amount, conversion.from, conversion.to, conversion.result) = ("195.583", "BGN", "SEK", "1000")
        conversion.steps = [
            RateStep(
                base: "EUR", quote: "BGN", rate: "1.95583", basis: .fixed, date: "2026-01-01",
                source: "Council Regulation (EC) No 2866/98")
        ]
        run.daemon.replies[.convert] = conversion
        let output = run.output("convert 195.583 BGN SEK").replacing("\u{A0}", with: " ")
        #expect(output.contains("195,5830 BGN ≈ 1 000,00 kr"), "\(output)")
        #expect(
            output.contains("1 EUR = 1,95583 BGN (fixed since 2026-01-01 by Council Regulation (EC) No 2866/98)"),
            "\(output)")
    }
}
