import Market
import TestSupport
import Testing

struct WrittenAmountTests {
    private func read(_ text: String, preferring preferred: String? = nil) throws(WrittenAmountError) -> String {
        let amount = try WrittenAmount(text, preferring: preferred.flatMap { Currency($0) })
        return "\(amount.number)" + (amount.currency.map { " \($0)" } ?? "")
    }

    @Test(arguments: [
        ("1000", "1000"), ("1000.50", "1000.50"), ("4_800_000", "4800000"), ("1e3", "1000"), ("1.000", "1.000"),
        ("1000,50", "1000.50"), ("0,5", "0.5"), ("12,34", "12.34"), ("0,500", "0.500"),
        ("12 000", "12000"), ("12\u{A0}000,25", "12000.25"),
        ("1.234.567,89", "1234567.89"), ("1,234,567.89", "1234567.89"), ("75,00,000", "7500000"),
        ("7,600,000", "7600000"), ("1’234’567.5", "1234567.5"), ("1'234'567", "1234567"), ("  42 ", "42"),
    ])
    func aNumber(_ text: String, means number: String) throws {
        #expect(try read(text) == number)
    }

    @Test(arguments: [
        ("160500 SEK", "160500 SEK"), ("sek 160500", "160500 SEK"), ("₹75,00,000", "7500000 INR"),
        ("₹ 75,00,000.50", "7500000.50 INR"), ("$1,000", "1000 USD"), ("$80", "80 USD"), ("80$", "80 USD"),
        ("1 000,50 €", "1000.50 EUR"), ("0.5 btc", "0.5 BTC"), ("12000USDT", "12000 USDT"), ("A$5", "5 AUD"),
        ("12 000 Kč", "12000 CZK"), ("CHF 1’000", "1000 CHF"), ("0.00000041 usdt", "0.00000041 USDT"),
    ])
    func anAmount(_ text: String, means amount: String) throws {
        #expect(try read(text) == amount)
    }

    @Test func aSignThatSeveralCurrenciesShareNeedsAPreference() throws {
        #expect(try read("12 000,50 kr", preferring: "SEK") == "12000.50 SEK")
        #expect(try read("100 KR.", preferring: "DKK") == "100 DKK")
        let sharing = ["DKK", "ISK", "NOK", "SEK"].compactMap { Currency($0) }
        #expect(throws: WrittenAmountError.ambiguousSign("kr", sharing)) { try WrittenAmount("100 kr") }
        #expect(throws: WrittenAmountError.ambiguousSign("kr", sharing)) {
            try WrittenAmount("100 kr", preferring: Currency("USD"))
        }
        #expect(WrittenAmountError.ambiguousSign("kr", sharing).advice == "write the code: DKK, ISK, NOK, SEK")
    }

    @Test(arguments: ["1,000", "12,345", "1,000 kr", "1,000 €", "1,000 BRL"])
    func aNumberWithTwoMeaningsIsRefused(_ text: String) {
        let amount = Result { () throws(WrittenAmountError) in
            try WrittenAmount(text, preferring: Currency("SEK"))
        }
        guard case .failure(.ambiguousNumber(let one, let other)) = amount else {
            Issue.record("\(text) is \(amount)")
            return
        }
        #expect(one != other)
    }

    /// A point groups digits in these currencies.
    @Test(arguments: ["1.000 €", "12.500 DKK"])
    func aPlainNumberIsRefusedWhereAPointGroupsDigits(_ text: String) throws {
        #expect(throws: WrittenAmountError.self) { try WrittenAmount(text) }
        #expect(try read("1.5 €") == "1.5 EUR")
        #expect(try read("6.194 kr.", preferring: "ISK") == "6194 ISK", "there are no decimals of it")
    }

    @Test(arguments: [
        "", "kr", "ten", "1 2", "1,2,3", "1.2.3", "1,000,00", "$5 SEK", "SEK", "5 !", "5 %", "5 x",
        "0,000,500", "--5", "1..2", "1 000 00", "12\u{1B}[2J", "9,,000", "-5",
    ])
    func anythingElseIsNotAnAmount(_ text: String) {
        #expect(throws: WrittenAmountError.malformed) { try WrittenAmount(text) }
    }

    @Test func whatDoesNotFitIsSaid() {
        #expect(throws: WrittenAmountError.doesNotFit) { try WrittenAmount("99999999999999999999") }
        #expect(throws: WrittenAmountError.doesNotFit) { try WrittenAmount("99 999 999 999 999 999 999 SEK") }
        #expect(throws: WrittenAmountError.malformed) { try WrittenAmount(String(repeating: "1", count: 200)) }
    }

    /// What is shown can be typed: it comes back as the same amount, or is refused, never as another one.
    @Test func whatIsShownIsReadAsItself() throws {
        var random = SplitMix(seed: 1)
        var read = 0
        for code in ["USD", "SEK", "INR", "EUR", "CHF", "DKK", "BRL", "JPY", "USDT", "BTC", "ZAR", "HUF"] {
            let currency = try #require(Currency(code))
            for _ in 0..<300 {
                let mantissa = Int64.random(in: 1...1_000_000_000_000, using: &random)
                let price = try #require(Price(mantissa: mantissa, scale: UInt8.random(in: 0...8, using: &random)))
                for hasUnicode in [true, false] {
                    let text = moneyText(price, currency, isRounded: false, hasUnicode: hasUnicode)
                    guard let amount = try? WrittenAmount(text, preferring: currency) else { continue }
                    #expect(amount.number == price && amount.currency == currency, "\(text)")
                    read += 1
                }
            }
        }
        #expect(read > 6_000)
    }
}
