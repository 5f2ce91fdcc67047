import Arguments
import JSON
import Market
import Testing

@testable import AlertClient

/// Numbers, amounts and values as text.
struct NumberTextTests {
    @Test(arguments: [
        ("1", "1"), ("123", "123"), ("1234", "1,234"), ("123456", "123,456"), ("1234567.125", "1,234,567.125"),
        ("0.00000041", "0.00000041"), ("-1234.5", "1,234.5"),
    ])
    func digitsAreGroupedByThree(number: String, text: String) throws {
        #expect(NumberStyle.point.text(try Price(number)) == text)
        let swapped = text.replacing(",", with: ";").replacing(".", with: ",").replacing(";", with: ".")
        #expect(NumberStyle.comma.text(try Price(number)) == swapped)
    }

    @Test(arguments: [
        ("1", "1"), ("123", "123"), ("1234", "1,234"), ("12345", "12,345"), ("123456", "1,23,456"),
        ("1234567", "12,34,567"), ("12345678.5", "1,23,45,678.5"),
    ])
    func lakhsHavePairs(number: String, text: String) throws {
        #expect(NumberStyle.lakh.text(try Price(number)) == text)
    }

    /// A hysteresis that is rounded down would not be enough.
    @Test(arguments: [
        ("1983.668489", "1983.67"), ("1983.661", "1983.67"), ("3", "3"), ("0.000012340001", "0.000012341"),
        ("7500000.001", "7500000.01"),
    ])
    func aHysteresisIsRoundedUp(amount: String, text: String) throws {
        #expect("\(try Price(amount).roundedUpForReading)" == text)
    }

    @Test func theDecimalsAreAtLeastSoMany() throws {
        #expect(NumberStyle.point.text(try Price("1.5"), decimals: 2) == "1.50")
        #expect(NumberStyle.point.text(try Price("1"), decimals: 2) == "1.00")
        #expect(NumberStyle.point.text(try Price("1.555"), decimals: 2) == "1.555")
        #expect(NumberStyle.point.text(try Price("0.5")) == "0.5")
        #expect(NumberStyle.space.text(try Price("1234.5")) == "1\u{A0}234,5")
        #expect(NumberStyle.space.ascii.text(try Price("1234.5")) == "1 234,5")
        #expect(NumberStyle.apostrophe.text(try Price("1234.5")) == "1’234.5")
        #expect(NumberStyle.apostrophe.ascii.text(try Price("1234.5")) == "1'234.5")
        #expect(NumberStyle.comma.ascii == .comma)
    }

    /// 1234.5 of each currency that has a style, in Unicode and in ASCII.
    @Test(arguments: [
        ("EUR", "1.234,50 €", "1.234,50 EUR"), ("USD", "$1,234.50", "$1,234.50"), ("JPY", "¥1,234.5", "JPY 1,234.5"),
        ("CZK", "1 234,50 Kč", "1 234,50 CZK"), ("DKK", "1.234,50 kr.", "1.234,50 kr."),
        ("GBP", "£1,234.50", "GBP 1,234.50"), ("HUF", "1 234,50 Ft", "1 234,50 Ft"),
        ("PLN", "1 234,50 zł", "1 234,50 PLN"), ("RON", "1.234,50 lei", "1.234,50 lei"),
        ("SEK", "1 234,50 kr", "1 234,50 kr"), ("CHF", "CHF 1’234.50", "CHF 1'234.50"),
        ("ISK", "1.234,5 kr.", "1.234,5 kr."), ("NOK", "1 234,50 kr", "1 234,50 kr"),
        ("TRY", "₺1.234,50", "TRY 1.234,50"), ("AUD", "A$1,234.50", "A$1,234.50"),
        ("BRL", "R$ 1.234,50", "R$ 1.234,50"), ("CAD", "CA$1,234.50", "CA$1,234.50"),
        ("CNY", "CN¥1,234.50", "CNY 1,234.50"), ("HKD", "HK$1,234.50", "HK$1,234.50"),
        ("IDR", "Rp 1.234,50", "Rp 1.234,50"), ("ILS", "₪1,234.50", "ILS 1,234.50"),
        ("INR", "₹1,234.50", "INR 1,234.50"), ("KRW", "₩1,234.5", "KRW 1,234.5"),
        ("MXN", "MX$1,234.50", "MX$1,234.50"), ("MYR", "RM 1,234.50", "RM 1,234.50"),
        ("NZD", "NZ$1,234.50", "NZ$1,234.50"), ("PHP", "₱1,234.50", "PHP 1,234.50"),
        ("SGD", "S$1,234.50", "S$1,234.50"), ("THB", "฿1,234.50", "THB 1,234.50"),
        ("USDT", "1,234.50 USDT", "1,234.50 USDT"), ("ZAR", "R 1 234,50", "R 1 234,50"),
        ("BTC", "1,234.5 BTC", "1,234.5 BTC"),
    ])
    func eachCurrencyIsWrittenAsAtHome(code: String, unicode: String, ascii: String) throws {
        let currency = try #require(Currency(code))
        let amount = try Price("1234.5")
        let shown = moneyText(amount, currency, isRounded: false, hasUnicode: true)
        #expect(shown.replacing("\u{A0}", with: " ") == unicode)
        #expect(!shown.contains(" "), "no line breaks in it")
        #expect(moneyText(amount, currency, isRounded: false, hasUnicode: false) == ascii)
        #expect(
            moneyText(try Price("-1234.5"), currency, isRounded: false, hasUnicode: false) == "-" + ascii)
    }

    /// A currency without a smaller coin has no decimals unless the amount has.
    @Test(arguments: [
        ("ISK", "1.234 kr."), ("JPY", "JPY 1,234"), ("KRW", "KRW 1,234"), ("INR", "INR 1,234.00"), ("BTC", "1,234 BTC"),
    ])
    func wholeAmounts(code: String, text: String) throws {
        let currency = try #require(Currency(code))
        #expect(moneyText(try Price("1234"), currency, isRounded: false, hasUnicode: false) == text)
        #expect(moneyText(try Price("1234"), currency, isRounded: true, hasUnicode: false) == text)
    }

    @Test(arguments: [
        ("1234567.891", 5, 2, "1234567.89"), ("1.23456", 5, 2, "1.2346"), ("0.0000123456", 5, 2, "0.000012346"),
        ("1.005", 0, 2, "1"), ("1.015", 0, 2, "1.02"), ("-1.015", 0, 2, "-1.02"), ("1.0151", 0, 2, "1.02"),
        ("2.5", 0, 0, "2"),
        ("3.5", 0, 0, "4"), ("0.4", 1, 0, "0.4"), ("7", 5, 2, "7"), ("1.50", 8, 0, "1.5"), ("123.456", 1, 0, "123"),
    ])
    func roundedForReading(number: String, digits: Int, decimals: Int, expected: String) throws {
        #expect(try Price(number).roundedForReading(digits: digits, decimals: decimals).description == expected)
    }

    @Test(arguments: [
        ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#), ("\n\t", #""\n\t""#), ("\r\u{1B}\u{7F}", #""\r\u001b\u007f""#),
        ("\u{9B}\u{2028}\u{202E}", #""\u009b\u2028\u202e""#), ("₹é🚀", "\"₹é🚀\""),
        ("\u{E0001}", #""\udb40\udc01""#),
    ])
    func jsonStrings(text: String, json: String) {
        #expect(String(decoding: JSONWriter.text(of: text), as: UTF8.self) == json)
    }

    @Test func jsonAndPlainValues() {
        let values: [(Value, String, String)] = [
            (.missing, "null", ""), (.text("a\tb"), #""a\tb""#, "a\\tb"), (.decimal("1.50"), #""1.50""#, "1.50"),
            (.time("t"), #""t""#, "t"), (.point(price: "5", time: "t"), #"{"price":"5","time":"t"}"#, "5"),
            (.count(-7), "-7", "-7"),
            (.flag(true), "true", "true"), (.flag(false), "false", "false"), (.list(["a", "b"]), #"["a","b"]"#, "a,b"),
            (.list([]), "[]", ""), (.facts([]), "{}", ""),
        ]
        for (value, jsonText, plainText) in values {
            #expect(String(decoding: JSONWriter.text(of: value), as: UTF8.self) == jsonText)
            #expect(plain(value) == plainText)
        }
    }
}

struct SortingTests {
    private func sorted(_ values: [Value], descending: Bool = false) -> [String] {
        let rows = values.enumerated().map { [Cell($1), Cell(.count($0))] }
        return AlertClient.sorted(rows, isDescending: descending) { $0[0].sortKey }.map {
            "\(plain($0[0].value))@\(plain($0[1].value))"
        }
    }

    @Test func numbersAreSortedByTheirSize() {
        let values: [Value] = [
            .decimal("10"), .decimal("9.5"), .missing, .count(9), .point(price: "100", time: "t"), .decimal("x"),
        ]
        #expect(sorted(values) == ["9@3", "9.5@1", "10@0", "100@4", "@2", "x@5"])
        #expect(sorted(values, descending: true) == ["100@4", "10@0", "9.5@1", "9@3", "@2", "x@5"])
    }

    @Test func equalRowsKeepTheirOrder() {
        let values: [Value] = [.text("b"), .text("a"), .text("b"), .text("a"), .missing, .missing]
        #expect(sorted(values) == ["a@1", "a@3", "b@0", "b@2", "@4", "@5"])
        #expect(sorted(values, descending: true) == ["b@0", "b@2", "a@1", "a@3", "@4", "@5"])
        #expect(
            sorted([.count(2), .decimal("2.0"), .count(1), .decimal("1.00")]) == ["1@2", "1.00@3", "2@0", "2.0@1"])
    }

    @Test func otherValuesAreSortedAsTheyRead() {
        #expect(sorted([.flag(true), .flag(false)]) == ["false@1", "true@0"])
        #expect(sorted([.list(["b"]), .list(["a", "z"])]) == ["a,z@1", "b@0"])
        #expect(sorted([.time("2026-02"), .time("2026-01"), .facts([])]) == ["2026-01@1", "2026-02@0", "@2"])
    }

    @Test func aCellMayBeOrderedBySomethingElse() {
        var first = Cell(.text("a"))
        first.order = SortKey(.count(2))
        var second = Cell(.text("b"))
        second.order = SortKey(.count(1))
        let ordered = AlertClient.sorted([first, second], isDescending: false, by: \.sortKey)
        #expect(ordered.map { plain($0.value) } == ["b", "a"])
    }
}

/// Numbers for people, on a terminal and elsewhere.
struct HumanNumberTests {
    /// What a run on a terminal of that width, or on none, formats with.
    private func formatter(width: Int?) throws -> HumanFormatter {
        let run = width.map { Run(width: $0) } ?? Run()
        return HumanFormatter(try ClientCommandLine.specification.parse(["list", "--utc"]), in: run.environment)
    }

    @Test(arguments: [
        ("1", "1"), ("123", "123"), ("1234", "1 234"), ("12345.6789", "12 345.6789"), ("1234567", "1 234 567"),
        ("-1234", "-1 234"), ("+123456", "+123 456"), ("abc", "abc"), ("12x45", "12x45"), ("0.12345", "0.12345"),
    ])
    func digitsAreGroupedOnATerminalOnly(text: String, grouped: String) throws {
        #expect(try formatter(width: 80).number(text).replacing("\u{A0}", with: " ") == grouped)
        #expect(try formatter(width: nil).number(text) == text)
    }

    @Test(arguments: [
        (0, "0 B"), (1_023, "1023 B"), (1_024, "1 KiB"), (1_536, "1.5 KiB"), (1_048_575, "1023.9 KiB"),
        (1_048_576, "1 MiB"), (1_610_612_736, "1.5 GiB"), (1 << 41, "2048 GiB"),
    ])
    func bytes(count: Int, text: String) throws {
        #expect(try formatter(width: nil).bytes(count) == text)
    }
}
