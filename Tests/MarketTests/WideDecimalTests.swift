import Market
import TestSupport
import Testing

@Suite("Products of prices")
struct WideDecimalTests {
    static func product(_ text: String) throws -> WideDecimal {
        try text.split(separator: "*").dropFirst().reduce(
            WideDecimal(Price(String(text.split(separator: "*").first ?? "")))
        ) { try $0.multiplied(by: Price(String($1))) }
    }

    @Test(arguments: [
        ("2*3", "6", false), ("2*3", "6.000000000000000001", true), ("0.1*0.1", "0.01", false),
        ("-2*3", "0", true), ("-0*3", "0", false), ("0", "-0*5", false), ("-7", "-6", true), ("-6", "-7", false),
        (
            "9223372036854775807*9223372036854775807*9223372036854775807",
            "9223372036854775807*9223372036854775807*9.223372036854775806", false
        ),
        (
            "0.000000000000000001*0.000000000000000001*0.000000000000000001",
            "0.000000000000000001*0.000000000000000001*0.000000000000000002", true
        ),
        (
            "9223372036854775807*9223372036854775807", "9223372036854775807*9223372036854775807*1.000000000000000001",
            true
        ),
    ])
    func areComparedExactly(_ left: String, _ right: String, _ isLess: Bool) throws {
        #expect(try (Self.product(left) < Self.product(right)) == isLess)
    }

    @Test func agreeWithWholeNumbers() {
        var random = SplitMix(seed: 7)
        for _ in 0..<10_000 {
            let numbers = (0..<4).map { _ in Int64.random(in: -1_000_000...1_000_000, using: &random) }
            let scales = (0..<4).map { _ in UInt8.random(in: 0...3, using: &random) }
            let prices = zip(numbers, scales).compactMap { Price(mantissa: $0, scale: $1) }
            let left = WideDecimal(prices[0]).multiplied(by: prices[1])
            let right = WideDecimal(prices[2]).multiplied(by: prices[3])
            let power = { (scale: UInt8) in Int128([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000][Int(scale)]) }
            let plainLeft = Int128(numbers[0]) * Int128(numbers[1]) * power(scales[2] + scales[3])
            let plainRight = Int128(numbers[2]) * Int128(numbers[3]) * power(scales[0] + scales[1])
            #expect((left < right) == (plainLeft < plainRight), "\(numbers) \(scales)")
            #expect((left == right) == (plainLeft == plainRight), "\(numbers) \(scales)")
        }
    }

    @Test(arguments: [
        ("1", "3", "0.333333333333"), ("2", "3", "0.666666666667"), ("7500000*1", "100.1", "74925.0749251"),
        ("100", "8", "12.5"), ("0", "3", "0"), ("-1", "3", "-0.333333333333"), ("123456789012.5", "1", "123456789012"),
        ("123456789013.5", "1", "123456789014"), ("123456789012.51", "1", "123456789013"),
        ("99999999999.96*10", "1", "1000000000000"), ("1", "9000000000000000000", "0"),
        ("0.000000000000000001", "1", "0.000000000000000001"), ("0.000000000000000001", "2", "0"),
        ("0.000000000000000003", "2", "0.000000000000000002"), ("123456789012345678", "1", "123456789012000000"),
        ("0.00000041*83.5", "1", "0.000034235"), ("25", "0.00000000002", "1250000000000"),
    ])
    func areRoundedHalfToEvenAtTwelveDigits(_ dividend: String, _ divisor: String, _ expected: String) throws {
        #expect(try Self.product(dividend).rounded(dividedBy: Price(divisor))?.description == expected)
    }

    @Test func whatDoesNotFitIsNil() throws {
        #expect(try Self.product("9000000000000000000*10").rounded(dividedBy: Price("1")) == nil)
        #expect(try Self.product("1").rounded(dividedBy: .zero) == nil)
    }

    @Test(arguments: [
        ("1.5", "2.25", "3.75"), ("-1.5", "2.25", "0.75"), ("1.5", "-2.25", "-0.75"), ("-1", "-2", "-3"),
        ("5", "-5", "0"), ("9223372036854775807", "9223372036854775807", "9223372036854775807*2"),
    ])
    func sumsAreExact(_ left: String, _ right: String, _ sum: String) throws {
        #expect(try Self.product(left).adding(Self.product(right)) == Self.product(sum))
    }

    @Test func unitsCompareAsWholeNumbers() throws {
        #expect(try Price("1.50").units == 1_500_000_000_000_000_000)
        #expect(try Price("0.000000000000000001").units == 1)
        #expect(Price(mantissa: .min, scale: 0)?.units == Int128(Int64.min) * 1_000_000_000_000_000_000)
    }

    @Test func differencesAreExact() throws {
        let step = WideDecimal(try Price("9000000000000000000"), minus: try Price("0.000000000000000001"))
        #expect(step < WideDecimal(try Price("9000000000000000000")))
        #expect(WideDecimal(try Price("1.5"), minus: try Price("2")) == WideDecimal(try Price("-0.50")))
    }
}
