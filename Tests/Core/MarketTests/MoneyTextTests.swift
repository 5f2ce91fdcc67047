import Market
import TestSupport
import Testing

/// Amounts as people write them. Spaces in the expected texts stand for no-break spaces.
struct MoneyTextTests {
    private func text(
        _ amount: String, _ code: String, isRounded: Bool = false, hasUnicode: Bool = true
    ) throws -> String {
        let currency = try #require(Currency(code))
        return moneyText(try Price(amount), currency, isRounded: isRounded, hasUnicode: hasUnicode)
    }

    @Test(arguments: [
        ("USD", "$1,234,567.50", "-$0.05"), ("EUR", "1.234.567,50 €", "-0,05 €"),
        ("GBP", "£1,234,567.50", "-£0.05"), ("INR", "₹12,34,567.50", "-₹0.05"),
        ("SEK", "1 234 567,50 kr", "-0,05 kr"), ("NOK", "1 234 567,50 kr", "-0,05 kr"),
        ("DKK", "1.234.567,50 kr.", "-0,05 kr."), ("ISK", "1.234.567,5 kr.", "-0,05 kr."),
        ("JPY", "¥1,234,567.5", "-¥0.05"), ("KRW", "₩1,234,567.5", "-₩0.05"),
        ("CNY", "CN¥1,234,567.50", "-CN¥0.05"), ("CHF", "CHF 1’234’567.50", "-CHF 0.05"),
        ("CZK", "1 234 567,50 Kč", "-0,05 Kč"), ("HUF", "1 234 567,50 Ft", "-0,05 Ft"),
        ("PLN", "1 234 567,50 zł", "-0,05 zł"), ("RON", "1.234.567,50 lei", "-0,05 lei"),
        ("TRY", "₺1.234.567,50", "-₺0,05"), ("AUD", "A$1,234,567.50", "-A$0.05"),
        ("BRL", "R$ 1.234.567,50", "-R$ 0,05"), ("CAD", "CA$1,234,567.50", "-CA$0.05"),
        ("HKD", "HK$1,234,567.50", "-HK$0.05"), ("IDR", "Rp 1.234.567,50", "-Rp 0,05"),
        ("ILS", "₪1,234,567.50", "-₪0.05"), ("MXN", "MX$1,234,567.50", "-MX$0.05"),
        ("MYR", "RM 1,234,567.50", "-RM 0.05"), ("NZD", "NZ$1,234,567.50", "-NZ$0.05"),
        ("PHP", "₱1,234,567.50", "-₱0.05"), ("SGD", "S$1,234,567.50", "-S$0.05"),
        ("THB", "฿1,234,567.50", "-฿0.05"), ("ZAR", "R 1 234 567,50", "-R 0,05"),
        ("USDT", "1,234,567.50 USDT", "-0.05 USDT"), ("BTC", "1,234,567.5 BTC", "-0.05 BTC"),
        ("ETH", "1,234,567.5 ETH", "-0.05 ETH"),
    ])
    func anAmountLooksAsWhereItIsSpent(code: String, large: String, small: String) throws {
        #expect(try text("1234567.5", code) == large.replacing(" ", with: "\u{A0}"))
        #expect(try text("-0.05", code) == small.replacing(" ", with: "\u{A0}"))
    }

    /// Three decimals after a comma could be thousands.
    @Test(arguments: [
        ("61.9446", "SEK", "61,9446 kr"), ("61.945", "SEK", "61,9450 kr"), ("91.62149", "EUR", "91,6215 €"),
        ("0.1234", "EUR", "0,1234 €"), ("0.123", "EUR", "0,123 €"), ("3.64851", "SEK", "3,6485 kr"),
        ("10.3041", "USD", "$10.304"), ("161.9446", "SEK", "161,94 kr"),
    ])
    func aPriceDoesNotLookLikeThousands(amount: String, code: String, shown: String) throws {
        #expect(try text(amount, code, isRounded: true) == shown.replacing(" ", with: "\u{A0}"))
        if amount == "61.945" { #expect(try text(amount, code) == "61,9450\u{A0}kr") }
    }

    /// Whatever is shown can be typed, and means the same.
    @Test(arguments: Currency.allKnown)
    func whatIsShownCanBeTyped(currency: Currency) throws {
        for isRounded in [true, false] {
            for digits in [1, 10, 12, 999, 1_000, 6_194, 61_945, 619_446, 12_345_678] as [Int64] {
                for scale in 0...9 as ClosedRange<UInt8> {
                    let amount = try #require(Price(mantissa: digits, scale: scale))
                    let shown = moneyText(amount, currency, isRounded: isRounded, hasUnicode: true)
                    let read = try? WrittenAmount(shown, preferring: currency)
                    #expect(read?.currency == currency, "\(shown)")
                    #expect(isRounded || read?.number == amount, "\(shown)")
                }
            }
        }
    }

    /// From one unit on, a sum has the decimals of its currency, however small its digits are.
    @Test(arguments: [
        ("10.304", "USD", "$10.30"), ("91.621", "EUR", "91,62 €"), ("91621", "EUR", "91.621,00 €"),
        ("1.0304", "USD", "$1.03"), ("1", "SEK", "1,00 kr"), ("160261.4567", "SEK", "160 261,46 kr"),
        ("-10.304", "USD", "-$10.30"), ("0.99999", "USD", "$0.99999"), ("0.0015", "USD", "$0.0015"),
        ("0.000000123456", "EUR", "0,00000012346 €"), ("0", "USD", "$0.00"), ("10.304", "JPY", "¥10.3"),
        ("1234.5", "JPY", "¥1,234"), ("0.123456789", "BTC", "0.12345679 BTC"),
    ])
    func aSumHasTheDecimalsOfItsCurrency(amount: String, code: String, text: String) throws {
        let currency = try #require(Currency(code))
        let format = MoneyFormat(currency, hasUnicode: true)
        #expect(format.sum(try Price(amount)) == text.replacing(" ", with: "\u{A0}"))
    }

    @Test(arguments: [
        ("0", "₹0.00"), ("5", "₹5.00"), ("99", "₹99.00"), ("999.9", "₹999.90"), ("1000", "₹1,000.00"),
        ("99999", "₹99,999.00"), ("100000", "₹1,00,000.00"), ("1234567", "₹12,34,567.00"),
        ("12345678", "₹1,23,45,678.00"), ("123456789", "₹12,34,56,789.00"),
        ("9223372036854775807", "₹92,23,37,20,36,85,47,75,807.00"),
        ("-9223372036854775808", "-₹92,23,37,20,36,85,47,75,808.00"),
    ])
    func rupeesAreGroupedByLakhAndCrore(amount: String, shown: String) throws {
        #expect(try text(amount, "INR") == shown)
    }

    @Test(arguments: [
        ("999", "$999.00"), ("1000", "$1,000.00"), ("73216.0", "$73,216.00"), ("73216.123", "$73,216.123"),
        ("0.00000041", "$0.00000041"), ("0.000000000000000001", "$0.000000000000000001"), ("-0", "$0.00"),
    ])
    func aPriceOfTheExchangeKeepsAllItsDigits(amount: String, shown: String) throws {
        #expect(try text(amount, "USD") == shown)
    }

    @Test(arguments: [
        ("80605.8209653", "$80,605.82"), ("80605.825", "$80,605.82"), ("80605.835", "$80,605.84"),
        ("80605.8250001", "$80,605.83"), ("312.449999", "$312.45"), ("31.2449999", "$31.245"),
        ("3.12445", "$3.1244"), ("1.0523", "$1.0523"), ("1.50001", "$1.50"), ("0.1", "$0.10"),
        ("0.999999", "$1.00"), ("0.0000000043930949", "$0.0000000043931"), ("0.00000000439", "$0.00000000439"),
        ("-31.2449999", "-$31.245"), ("-80605.825", "-$80,605.82"), ("1234567890123", "$1,234,567,890,123.00"),
        ("0.000000000000000001", "$0.000000000000000001"),
    ])
    func aConvertedPriceHasAsManyDigitsAsAnybodyReads(amount: String, shown: String) throws {
        #expect(try text(amount, "USD", isRounded: true) == shown)
    }

    @Test(arguments: [("0.00114455667", "0.0011445567 BTC"), ("1.00027556", "1.0002756 BTC"), ("2", "2 BTC")])
    func coinsHaveMoreDigits(amount: String, shown: String) throws {
        #expect(try text(amount, "BTC", isRounded: true) == shown.replacing(" ", with: "\u{A0}"))
    }

    @Test(arguments: [
        ("12345678.4", "¥12,345,678"), ("12345678.5", "¥12,345,678"), ("12345679.5", "¥12,345,680"),
        ("963.4", "¥963"), ("12.3456", "¥12.3"), ("0.54321", "¥0.543"), ("0.5", "¥0.5"),
    ])
    func yenHaveNoDecimalsUnlessTheyAreFew(amount: String, shown: String) throws {
        #expect(try text(amount, "JPY", isRounded: true) == shown)
    }

    @Test(arguments: [
        ("USD", "$1,234,567.50"), ("EUR", "1.234.567,50 EUR"), ("INR", "INR 12,34,567.50"),
        ("SEK", "1 234 567,50 kr"), ("CHF", "CHF 1'234'567.50"), ("CZK", "1 234 567,50 CZK"),
        ("JPY", "JPY 1,234,567.5"),
        ("CNY", "CNY 1,234,567.50"), ("BTC", "1,234,567.5 BTC"),
    ])
    func withoutUnicodeTheCodeStandsForTheSymbol(code: String, shown: String) throws {
        #expect(try text("1234567.5", code, hasUnicode: false) == shown)
    }

    /// Taking the groups away gives the number back, whatever its length.
    @Test func noDigitIsLost() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        for code in ["INR", "SEK", "USD", "CHF"] {
            let style = CurrencyStyle.of(try #require(Currency(code))).numbers
            for _ in 0..<1_000 {
                let mantissa = Int64(bitPattern: random.next()) >> Int64.random(in: 0...62, using: &random)
                let price = try #require(Price(mantissa: mantissa, scale: .random(in: 0...18, using: &random)))
                let bare = style.text(price).filter { !style.separator.contains($0) }
                    .replacing(style.decimalMark, with: ".")
                #expect(try Price(bare).units.magnitude == price.units.magnitude, "seed \(seed): \(price)")
            }
        }
    }
}
