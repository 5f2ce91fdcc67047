import ExchangeRates
import Market
import TestSupport
import Testing

/// Rounding, the ends of the range, and comparisons against a second, naive arithmetic.
struct ExactnessTests {
    /// A path with one rate that multiplies and one that divides.
    private func path(times: String, over: String) throws -> ConversionPath {
        try CurrencyConverter(table("AAA \(over), BBB \(times)")).path(from: currency("AAA"), to: currency("BBB"))
    }

    @Test(arguments: [
        ("1", "1", "3", "0.333333333333"), ("2", "1", "3", "0.666666666667"),
        ("1000000000005", "1", "10", "100000000000"),  // …0.5: the digit before is even
        ("1000000000015", "1", "10", "100000000002"),  // …1.5: the digit before is odd
        ("1000000000005.000001", "1", "10", "100000000001"), ("9999999999995", "1", "10", "1000000000000"),
        ("9999999999985", "1", "10", "999999999998"), ("123456789012345678", "2", "1", "246913578025000000"),
        ("0.000000000000000001", "1", "1.5", "0.000000000000000001"),
        ("0.000000000000000003", "1", "2", "0.000000000000000002"),
        ("0.000000000000000005", "1", "2", "0.000000000000000002"), ("1", "1", "8", "0.125"),
    ])
    func aResultIsRoundedHalfToEvenAtTwelveDigits(amount: String, times: String, over: String, result: String) throws {
        for sign in ["", "-"] {
            let conversion = try path(times: times, over: over).convert(price(sign + amount))
            #expect(conversion.result.amount == (try price(sign + result)))
        }
    }

    @Test func anExactResultSaysSo() throws {
        #expect(try path(times: "1", over: "8").convert(price("1")).isExact)
        #expect(try !path(times: "1", over: "3").convert(price("1")).isExact)
        #expect(try !path(times: "2", over: "1").convert(price("123456789012345678")).isExact)
    }

    @Test func whatDoesNotFitIsSaid() throws {
        let (huge, tiny) = ("9223372036854775807", "0.000000000000000001")
        #expect(throws: ConversionError.tooLarge) { try path(times: "2", over: "1").convert(price(huge)) }
        #expect(throws: ConversionError.tooLarge) { try path(times: huge, over: tiny).convert(price("-" + huge)) }
        #expect(throws: ConversionError.tooSmall) { try path(times: "1", over: "2").convert(price(tiny)) }
        #expect(throws: ConversionError.tooSmall) { try path(times: tiny, over: huge).convert(price("-" + tiny)) }
        #expect(try path(times: huge, over: huge).convert(price(huge)).result.amount == price(huge))
        // -2^63 is the only number whose magnitude does not fit in Int64.
        let lowest = try #require(Price(mantissa: .min, scale: 0))
        #expect(try path(times: "1", over: "10").convert(lowest).result.amount == price("-922337203685000000"))
        #expect(try path(times: "3", over: "2").compare(lowest, to: lowest) == .less)
    }

    @Test func aComparisonNeverOverflows() throws {
        let (huge, tiny) = ("9223372036854775807", "0.000000000000000001")
        let steep = try path(times: huge, over: tiny)
        #expect(try steep.compare(price(huge), to: price(tiny)) == .greater)
        #expect(try steep.compare(price("-" + huge), to: price("-" + tiny)) == .less)
        #expect(try steep.compare(price("-" + tiny), to: price(tiny)) == .less)
        #expect(try steep.compare(price(tiny), to: .zero) == .greater)
        #expect(steep.compare(.zero, to: .zero) == .equal)
        #expect(try path(times: tiny, over: huge).compare(price(huge), to: price(tiny)) == .equal)
    }

    /// Numbers of at most six digits, so that cross products fit 128 bits with room.
    @Test func comparisonsAndResultsAgreeWithPlainIntegers() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        for _ in 0..<5_000 {
            let number = { (random: inout SplitMix) in
                Price(mantissa: .random(in: 1...999_999, using: &random), scale: .random(in: 0...6, using: &random))
            }
            let (amount, times) = (try #require(number(&random)), try #require(number(&random)))
            let (over, other) = (try #require(number(&random)), try #require(number(&random)))
            let path = try path(times: "\(times)", over: "\(over)")
            let result = try path.convert(amount).result.amount
            let limit = Bool.random(using: &random) ? result : other
            let (left, right) = (scaled(amount) * scaled(times) * trillion, wide(limit) * scaled(over))
            let expected: Comparison = left == right ? .equal : left < right ? .less : .greater
            #expect(path.compare(amount, to: limit) == expected, "seed \(seed): \(amount) × \(times) ÷ \(over)")
            #expect(
                isNearest(result, amount, times, over), "seed \(seed): \(amount) × \(times) ÷ \(over) → \(result)")
        }
    }

    private let trillion: Int128 = 1_000_000_000_000

    /// In millionths.
    private func scaled(_ price: Price) -> Int128 { wide(price) / trillion }

    /// In units of 10^-18.
    private func wide(_ price: Price) -> Int128 {
        (0..<(18 - price.scale)).reduce(Int128(price.mantissa)) { value, _ in value * 10 }
    }

    /// |result × over − amount × times| ≤ over × half a unit in the twelfth digit of the result.
    private func isNearest(_ result: Price, _ amount: Price, _ times: Price, _ over: Price) -> Bool {
        let unit = max(1, unitOfTwelfthDigit(wide(result)))
        let difference = wide(result) * scaled(over) - scaled(amount) * scaled(times) * trillion
        return difference.magnitude * 2 <= UInt128(unit * scaled(over))
    }

    private func unitOfTwelfthDigit(_ value: Int128) -> Int128 {
        var unit: Int128 = 1
        while value / unit >= trillion { unit *= 10 }
        return unit
    }
}
