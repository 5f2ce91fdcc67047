import Market
import Rules
import TestSupport
import Testing

@testable import Configuration

struct CurrencyAdviceTests {
    @Test(arguments: [
        ("₹", "write its code, INR"), ("EURO", "did you mean EUR (Euro)?"), ("usd1", "did you mean USD (US dollar)?"),
        ("rupees of India", "write a code such as USD or SEK"), ("Dollars", "did you mean USD (US dollar)?"),
        ("kronor", "did you mean SEK (Swedish krona)?"), ("Rs.", "write its code, INR"),
        ("kroner", "write the code of the one you mean: DKK (Danish krone), NOK (Norwegian krone)"),
        ("Sweden", "did you mean SEK (Swedish krona)?"), ("Swedish krona", "did you mean SEK (Swedish krona)?"),
        ("złoty", "did you mean PLN (Polish zloty)?"), ("SKE", "did you mean SEK (Swedish krona)?"),
        ("Germany", "did you mean EUR (Euro)?"), ("drachma", "did you mean GRD (Greek drachma)?"),
        ("BTCC", "did you mean BTC?"),
    ])
    func adviceNamesACode(text: String, expected: String) {
        #expect(currencyAdvice(text) == expected)
    }

    /// Several currencies are written with a dollar sign or `kr`.
    @Test func aSharedSymbolNamesAll() {
        let advice = currencyAdvice("kr")
        #expect(advice.hasPrefix("write the code of the one you mean: "))
        #expect(["SEK", "NOK", "DKK"].allSatisfy { advice.contains($0) })
    }

    @Test func aWordThatMayBeWrittenInsteadIsOffered() {
        #expect(currencyAdvice("rupees of India", word: "quote") == "write a code such as USD or SEK, or \"quote\"")
    }

    @Test func currenciesThatAreKnownHereAreMeantToo() throws {
        let other = try #require(Currency("WRXQZ"))
        #expect(currencyAdvice("wrxqx", others: [other]) == "did you mean WRXQZ?")
        #expect(currencyAdvice("wrxqx") == "write a code such as USD or SEK")
    }
}

/// Whether prices may come into the currency of a rule, before there is a market to ask.
struct ReachableCurrencyTests {
    private func canReach(_ currency: String, symbols: [String], tether: String? = "USD") throws -> Bool {
        try Rule.band(max: "1", symbols: symbols).canReach(
            #require(Currency(currency)), tetherCountsAs: tether.flatMap { Currency($0) })
    }

    @Test(
        arguments: [
            ("EUR", ["btcinr"], "USD", true), ("SEK", ["btcinr"], nil, true), ("USDT", ["btcinr"], "USD", true),
            ("USDT", ["btcinr"], nil, false), ("USDT", ["btcusdt"], nil, true), ("WRX", ["btcinr"], "USD", false),
            ("WRX", ["ethwrx"], "USD", true), ("WRX", ["eth*"], "USD", true),
            ("WRX", ["btcinr", "ethwrx"], "USD", true),
            ("BGN", ["btcinr"], nil, true), ("HRK", ["btcinr"], nil, true), ("DEM", ["btcinr"], nil, true),
            ("BUSD", ["btcinr"], "BUSD", true), ("BUSD", ["btcinr"], "USD", false),
        ] as [(String, [String], String?, Bool)])
    func byARateAPegOrAMarket(currency: String, symbols: [String], tether: String?, expected: Bool) throws {
        #expect(try canReach(currency, symbols: symbols, tether: tether) == expected)
    }
}
