import ExchangeRates
import Market
import Testing

/// The names of currencies.
struct NationalCurrencyTests {
    /// A row that could not be read would be missing.
    @Test func everyRowIsReadOnce() {
        let all = NationalCurrency.all
        #expect(all.count == 54)
        #expect(Set(all.map(\.currency)).count == all.count)
        #expect(Set(all.map(\.number)).count == all.count && all.allSatisfy { (1...999).contains($0.number) })
        #expect(all.allSatisfy { !$0.name.isEmpty && !$0.areas.isEmpty && !$0.areas.contains("") })
        #expect(all.allSatisfy { $0.symbol != "\($0.currency)" })
    }

    @Test func whatTheEuroHasReplacedIsThatOfTheLaw() {
        let replaced = NationalCurrency.all.filter { $0.successor == .euro }.map(\.currency)
        #expect(Set(replaced) == Set(FixedRate.all.map(\.currency)))
        #expect(NationalCurrency.all.filter { $0.successor != nil }.count == replaced.count + 2)
        let current = NationalCurrency.all.prefix { $0.successor == nil }
        #expect(NationalCurrency.all.dropFirst(current.count).allSatisfy { $0.successor != nil })
    }

    /// What is searched for is what is shown.
    @Test func symbolsAreThoseOfAmounts() {
        for entry in NationalCurrency.all where entry.successor == nil && "\(entry.currency)" != "RUB" {
            let symbol = CurrencyStyle.of(entry.currency).symbol
            #expect(symbol == entry.symbol ?? "\(entry.currency)", "\(entry)")
        }
    }

    private func named(_ code: String) throws -> NationalCurrency? {
        NationalCurrency.of(try #require(Currency(code)))
    }

    @Test func aCurrencyHasANameAndPlaces() throws {
        let krona = try #require(try named("sek"))
        #expect((krona.name, krona.symbol, krona.number) == ("Swedish krona", "kr", 752))
        #expect(krona.areas == ["Sweden"] && krona.description == "Swedish krona (SEK, kr)")
        #expect(try named("INR")?.areas == ["India", "Bhutan"])
        #expect(try named("CHF")?.description == "Swiss franc (CHF)")
        #expect(try named("TRL")?.successor == Currency("TRY"))
        #expect(try named("BTC") == nil)
    }

    @Test(arguments: [
        ("sek", "SEK"), (" SEK ", "SEK"), ("₹", "INR"), ("kr", "SEK NOK DKK ISK"), ("kr.", "SEK NOK DKK ISK"),
        ("krona", "SEK ISK"), ("Swedish krona", "SEK"), ("sweden", "SEK"), ("Rupees", "INR"), ("yens", "JPY"),
        ("złoty", "PLN"), ("króna", "SEK ISK"), ("Türkiye", "TRY"), ("south kor", "KRW"), ("rupi", "IDR"),
        ("uk", "GBP"), ("euros", "EUR"), ("renminbi", "CNY"), ("Bhutan", "INR"), ("franc", "CHF BEF FRF LUF"),
        ("Andorra", "EUR ESP FRF"), ("guilder", "NLG"), ("öS", "ATS"), ("sw", ""), ("", ""), (".", ""), ("xyz", ""),
        ("rupees of India", ""), ("bitcoin", ""),
    ])
    func currenciesAreFoundByWhatPeopleCallThem(text: String, codes: String) {
        let found = NationalCurrency.search(text).map(\.currency.description)
        #expect(Set(found) == Set(codes.split(separator: " ").map(String.init)), "\(text): \(found)")
        #expect(found == NationalCurrency.all.map(\.currency.description).filter(found.contains))
    }

    /// A list that is searched while typing never hides what fits less well.
    @Test func filteringKeepsEverythingThatMatches() {
        #expect(NationalCurrency.filter("") == NationalCurrency.all)
        let codes = { (text: String) in NationalCurrency.filter(text).map(\.currency.description) }
        #expect(codes("ind") == ["IDR", "INR"])
        #expect(codes("won").first == "KRW" && codes("dollar").prefix(2) == ["USD", "AUD"])
        #expect(codes("aus") == ["EUR", "AUD", "ATS"])
        #expect(codes("sek").first == "SEK")
    }
}
