import Market
import TestSupport
import Testing

struct PriceTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var mantissa: Int64
        var scale: UInt8
        var testDescription: String { text }

        init(_ text: String, _ mantissa: Int64, _ scale: UInt8) {
            (self.text, self.mantissa, self.scale) = (text, mantissa, scale)
        }
    }

    @Test(arguments: [
        Row("72046", 72_046, 0), Row("73216.0", 732_160, 1), Row("0.00000041", 41, 8), Row("4.9e-7", 49, 8),
        Row("-5", -5, 0), Row("1e5", 100_000, 0), Row("1.5E+3", 1_500, 0), Row("1.5e0", 15, 1), Row("0", 0, 0),
        Row("007", 7, 0), Row("00000000000000000000000000000000001.50", 150, 2), Row("-0.5", -5, 1),
        Row("123456789012345678", 123_456_789_012_345_678, 0),
        Row("1234567890123456789", 1_234_567_890_123_456_789, 0),
        Row("1234567890123456.789", 1_234_567_890_123_456_789, 3),
        Row("0.123456789012345678", 123_456_789_012_345_678, 18),
        Row("1.23456789012345678", 123_456_789_012_345_678, 17),
        Row("9.223372036854775807", .max, 18), Row("-9.223372036854775808", .min, 18),
        Row("9223372036854775807", .max, 0), Row("-9223372036854775808", .min, 0),
        Row("9223372036854775807.0", .max, 0), Row("9223372036854775807000e-3", .max, 0),
        Row("1e-18", 1, 18), Row("10e-19", 1, 18), Row("1.0e-18", 1, 18), Row("1e18", 1_000_000_000_000_000_000, 0),
        Row("0.0000000000000000010", 1, 18), Row("5.0000000000000000000000000000000", 5, 0),
        Row("0.1e1", 1, 0), Row("1000000000000000000000e-21", 1, 0),
        Row("1e000000000000000000000000000000000002", 100, 0),
    ])
    func numbersThatFitAreExact(row: Row) throws {
        let price = try Price(row.text)
        #expect(price == Price(mantissa: row.mantissa, scale: row.scale))
    }

    @Test(arguments: [
        "0", "-0", "0.0", "0e5", "0e99999999999999999999", "-0.000e-99999999999999999999",
        "0." + String(repeating: "0", count: 10_000), String(repeating: "0", count: 10_000),
    ])
    func zeroIsZeroHoweverItIsWritten(text: String) throws {
        let price = try Price(text)
        #expect(price.isZero)
        #expect(!price.isPositive)
    }

    @Test(arguments: [
        "72046", "73216.0", "0.00000041", "-5", "1.50", "0.10", "9223372036854775807", "0.000000000000000001",
    ])
    func numberIsWrittenBackTheWayItCame(text: String) throws {
        #expect(try Price(text).description == text)
    }

    @Test(arguments: [
        "", "-", ".", ".5", "5.", "-.5", "-5.", "+5", " 5", "5 ", "1e", "1e+", "1e-", "1E", "e5", "0x1", "NaN", "nan",
        "inf",
        "Infinity", "1_000", "1,000", "1.2.3", "--5", "5-", "1e5.0", "1e5e5", "1\0", "\0", "1\0002", "1.\0", "٣",
        "１",
        "₹5",
        "1e٣", "5\n", "\t5", "1..2", "1.e5", "-e5", "1ee5", "1.5e+-3", "null", "\"5\"", "/", ":",
    ])
    func otherTextsAreMalformed(text: String) {
        #expect(throws: PriceError.malformed) { try Price(text) }
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "12345678901234567890", "99999999999999999999",
        "9.2233720368547758080001", "1e-19", "1.5e-18", "0.1234567890123456789", "1e19", "10e18",
        "1e99999999999999999999",
        "1e-99999999999999999999", "1e9999", "1e-9999", "1e10000", "1e-10000",
        "1" + String(repeating: "0", count: 10_000),
        "0." + String(repeating: "0", count: 10_000) + "1", String(repeating: "9", count: 10_000),
        "1." + String(repeating: "0", count: 10_000) + "1", "9223372036854775807.5", "0.0000000000000000001",
        "1" + String(repeating: "0", count: 40) + "1", "99999999999999999e19", "12345678901234567890e20",
        "0." + String(repeating: "0", count: 9_999) + "1e20000",
        "1" + String(repeating: "0", count: 10_000) + "e-20000", "340282366920938463463374607431768211456",
    ])
    func numbersThatNeedMoreAreNeverRounded(text: String) {
        #expect(throws: PriceError.doesNotFit) { try Price(text) }
    }

    @Test func manyZerosAtTheEndDoNoHarm() throws {
        let zeros = String(repeating: "0", count: 9_000)
        #expect(try Price("1.5\(zeros)") == Price("1.5"))
        #expect(try Price("15\(zeros)e-9000") == Price("15"))
        #expect(try Price("0.\(zeros)15e9001") == Price("1.5"))
    }

    @Test func bytesThatAreNoTextAreMalformed() {
        for byte in UInt8.min...UInt8.max where !(0x30...0x39).contains(byte) {
            #expect(throws: PriceError.malformed) { try Price(parsing: [byte].span) }
            if byte != 0x2E, byte != 0x65, byte != 0x45 {
                #expect(throws: PriceError.malformed) { try Price(parsing: [0x31, byte, 0x32].span) }
            }
        }
    }

    /// Compared with a reference that works digit by digit on texts.
    @Test func everyTextMeansWhatTheReferenceSays() throws {
        var random = SplitMix(seed: 7)
        for _ in 0..<20_000 {
            let text = randomNumber(using: &random)
            let expected = reference(text)
            let price = try? Price(text)
            guard price?.reduced.description == expected else {
                Issue.record("\(text): \(price?.description ?? "nil"), expected \(expected ?? "nil")")
                return
            }
        }
    }

    @Test func descriptionIsReadBackAsTheSame() throws {
        var random = SplitMix(seed: 11)
        for _ in 0..<5_000 {
            let price = try #require(randomPrice(using: &random))
            let again = try Price(price.description)
            #expect(again == price)
            #expect(again.scale == price.scale)
            #expect(again.mantissa == price.mantissa)
        }
    }
}

private func randomNumber(using random: inout SplitMix) -> String {
    let digits = { (count: Int, random: inout SplitMix) in
        String(
            (0..<count).map { _ in
                Bool.random(using: &random) ? "0" : Character("\(Int.random(in: 0...9, using: &random))")
            })
    }
    var text = Bool.random(using: &random) ? "-" : ""
    text += digits(Int.random(in: 1...22, using: &random), &random)
    if Bool.random(using: &random) { text += "." + digits(Int.random(in: 1...22, using: &random), &random) }
    if Bool.random(using: &random) { text += "e\(Int.random(in: -25...25, using: &random))" }
    return text
}

@Suite struct PriceInLongerTextTests {
    /// Every text of up to five of the characters that matter, and long ones: the method of reading changes at 8 and 16
    /// bytes.
    private static let texts: [String] = {
        let characters = ["0", "7", ".", "-", "e", "/", ":", "é"]
        var texts = [""]
        var longest = texts
        for _ in 0..<4 {
            longest = longest.flatMap { text in characters.map { text + $0 } }
            texts += longest
        }
        let digits = "1234567890123456789"
        for count in 1...19 {
            let text = String(digits.prefix(count))
            texts.append(text)
            for point in 0...count { texts.append(text.prefix(point) + "." + text.dropFirst(point)) }
        }
        return texts
    }()

    @Test func whatFollowsDoesNotMatter() {
        for text in Self.texts {
            let alone = Result { try Price(text) }
            for rest in ["0000000000000000", "................", "\",\"volume\":\"12"] {
                let bytes = Array((rest + text + rest).utf8)
                let range = rest.utf8.count..<bytes.count - rest.utf8.count
                let inside = Result { try Price(parsing: bytes.span, in: range) }
                #expect((try? inside.get()) == (try? alone.get()), "\(text)")
                #expect((try? inside.get())?.scale == (try? alone.get())?.scale, "\(text)")
            }
        }
    }
}

/// The number in its shortest plain form, or nil when it needs more than 18 digits after the point, or 64 bits.
private func reference(_ text: String) -> String? {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: "e")
    let number = parts[0].split(separator: ".")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    var fraction = number.count > 1 ? Array(number[1]) : []
    var digits = Array(number[0]) + fraction
    var scale = fraction.count - exponent
    while scale < 0 {
        digits.append("0")
        scale += 1
    }
    while scale > 0, digits.last == "0" {
        digits.removeLast()
        scale -= 1
    }
    while digits.count <= scale { digits.insert("0", at: 0) }
    fraction = Array(digits.suffix(scale))
    let whole = String(digits.dropLast(scale).drop { $0 == "0" })
    let all = String(digits.drop { $0 == "0" })
    if all.isEmpty { return "0" }
    guard scale <= 18, Int64((isNegative ? "-" : "") + all) != nil else { return nil }
    return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : whole) + (scale > 0 ? "." + String(fraction) : "")
}
