import Market
import TestSupport
import Testing

struct PriceTests {
    @Test(arguments: [
        ("1.5", "1.50"), ("0", "0.000000000000000000"), ("-2", "-2.0"), ("1e18", "1000000000000000000"),
        ("9", "9.000000000000000000"), ("0.1", "0.100000000000000000"), ("-0", "0"),
    ])
    func equalNumbersOfDifferentScales(left: String, right: String) throws {
        let (left, right) = (try Price(left), try Price(right))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(!(left < right) && !(right < left))
        #expect(Set([left, right]).count == 1)
    }

    /// In ascending order; every pair is compared.
    @Test func orderIsThatOfTheNumbers() throws {
        let texts = [
            "-9223372036854775808", "-9223372036854775807", "-922337203685477580.8", "-9.223372036854775808", "-1.5",
            "-1",
            "-0.000000000000000001", "0", "0.000000000000000001", "0.00000041", "0.1", "0.100000000000000001", "1",
            "1.5",
            "9.223372036854775807", "9.3", "1000000000000000000", "9223372036854775806", "9223372036854775807",
        ]
        let prices = try texts.map { try Price($0) }
        for (leftIndex, left) in prices.enumerated() {
            for (rightIndex, right) in prices.enumerated() {
                #expect((left < right) == (leftIndex < rightIndex), "\(left) < \(right)")
                #expect((left == right) == (leftIndex == rightIndex), "\(left) == \(right)")
            }
        }
    }

    @Test func scaleHasALimit() {
        #expect(Price(mantissa: 1, scale: 18) != nil)
        #expect(Price(mantissa: 1, scale: 19) == nil)
        #expect(Price(mantissa: 1, scale: 255) == nil)
    }

    @Test func longNumbersLoseTheirZerosOrDoNotFit() {
        #expect(Price(exactly: 1_500, scale: 20)?.description == "0.000000000000000015")
        #expect(Price(exactly: 1_500, scale: 21) == nil)
        #expect(Price(exactly: 150, scale: 19)?.description == "0.000000000000000015")
        #expect(Price(exactly: Int128(Int64.max) * 10, scale: 1)?.description == "9223372036854775807")
        #expect(Price(exactly: Int128(Int64.max) * 10, scale: 0) == nil)
        #expect(Price(exactly: Int128(Int64.max) + 1, scale: 0) == nil)
        #expect(Price(exactly: Int128(Int64.min), scale: 0)?.mantissa == .min)
        #expect(Price(exactly: .min, scale: 18) == nil)
        #expect(Price(exactly: .max, scale: .max) == nil)
        #expect(Price(exactly: 5, scale: -1) == nil)
        #expect(Price(exactly: 0, scale: 18)?.isZero == true)
        #expect(Price(exactly: 0, scale: 1_000)?.isZero == true)
    }

    @Test func reducedHasTheSmallestScale() throws {
        #expect(try Price("1.500").reduced.description == "1.5")
        #expect(try Price("100").reduced.description == "100")
        #expect(try Price("0.000").reduced.description == "0")
        #expect(Price(mantissa: .min, scale: 18)?.reduced.mantissa == .min)
    }

    @Test func descriptionHasAllDigits() {
        #expect(Price(mantissa: .min, scale: 0)?.description == "-9223372036854775808")
        #expect(Price(mantissa: .min, scale: 18)?.description == "-9.223372036854775808")
        #expect(Price(mantissa: .max, scale: 18)?.description == "9.223372036854775807")
        #expect(Price(mantissa: -1, scale: 18)?.description == "-0.000000000000000001")
        #expect(Price(mantissa: 0, scale: 3)?.description == "0.000")
    }
}

struct PriceArithmeticTests {
    @Test(arguments: [
        ("1.5", "2.25", "3.75"), ("-1", "1", "0"), ("9223372036854775807", "-1", "9223372036854775806"),
        ("9.223372036854775807", "0.000000000000000001", nil), ("9223372036854775807", "1", nil),
        ("-9223372036854775808", "-1", nil), ("9223372036854775807", "0.1", nil),
        ("9223372036854775807", "0.0", "9223372036854775807"), ("5e17", "5e-1", "500000000000000000.5"),
        ("1e18", "0.000000000000000001", nil), ("9223372036854775807", "9.223372036854775807", nil),
    ])
    func sumIsExactOrNil(left: String, right: String, sum: String?) throws {
        let (left, right) = (try Price(left), try Price(right))
        #expect(left.adding(right) == (try sum.map { try Price($0) }))
        #expect(right.adding(left) == left.adding(right))
    }

    @Test(arguments: [
        ("3.75", "2.25", "1.5"), ("1", "1", "0"), ("0", "9223372036854775807", "-9223372036854775807"),
        ("0", "-9223372036854775808", nil), ("-1", "-9223372036854775808", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808", "0"), ("-9223372036854775808", "1", nil),
        ("-0.9", "-9.223372036854775808", "8.323372036854775808"),
    ])
    func differenceIsExactOrNil(left: String, right: String, difference: String?) throws {
        #expect(try Price(left).subtracting(Price(right)) == (try difference.map { try Price($0) }))
    }

    @Test(arguments: [
        ("1.5", "2", "3"), ("-0.1", "0.1", "-0.01"), ("0", "9223372036854775807", "0"),
        ("3037000500", "3037000500", nil),
        ("0.000000001", "0.000000001", "0.000000000000000001"), ("0.0000000001", "0.000000001", nil),
        ("0.0000000005", "0.000000002", "0.000000000000000001"), ("-9223372036854775808", "-1", nil),
        ("-9223372036854775808", "1", "-9223372036854775808"), ("-9223372036854775808", "-9223372036854775808", nil),
        ("9.223372036854775807", "9.223372036854775807", nil), ("4611686018427387904", "0.5", "2305843009213693952"),
    ])
    func productIsExactOrNil(left: String, right: String, product: String?) throws {
        let (left, right) = (try Price(left), try Price(right))
        #expect(left.multiplied(by: right) == (try product.map { try Price($0) }))
        #expect(right.multiplied(by: left) == left.multiplied(by: right))
    }

    @Test(arguments: [
        ("1", "2", "1.5"), ("1.1", "1.2", "1.15"), ("-1", "1", "0"), ("5", "5", "5"),
        ("0.000000000000000001", "0.000000000000000002", nil),
        ("0.000000000000000001", "0.000000000000000003", "2e-18"),
        ("9223372036854775807", "9223372036854775807", "9223372036854775807"),
        ("9223372036854775807", "9223372036854775806", nil),
        ("-9223372036854775808", "-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775807", "9223372036854775805", "9223372036854775806"),
    ])
    func midpointIsExactOrNil(left: String, right: String, midpoint: String?) throws {
        let (left, right) = (try Price(left), try Price(right))
        #expect(left.midpoint(to: right) == (try midpoint.map { try Price($0) }))
        #expect(right.midpoint(to: left) == left.midpoint(to: right))
    }

    @Test(arguments: [
        ("110", "100", "10.00"), ("90", "100", "-10.00"), ("100", "100", "0.00"), ("0", "5", "-100.00"),
        ("1", "3", "-66.67"), ("2", "3", "-33.33"), ("-1", "100", "-101.00"),
        // Half of a hundredth goes to the even neighbour.
        ("100.005", "100", "0.00"), ("100.015", "100", "0.02"), ("100.025", "100", "0.02"), ("99.995", "100", "0.00"),
        ("99.985", "100", "-0.02"), ("99.975", "100", "-0.02"), ("100.0050000001", "100", "0.01"),
        ("1", "0", nil), ("1", "-1", nil), ("9223372036854775807", "0.000000000000000001", nil),
        ("9223372036854775807", "9223372036854775807.0", "0.00"),
        ("9223372036854775807", "9223372036854775806", "0.00"),
        ("-9223372036854775808", "9223372036854775807", "-200.00"),
        ("9223372036854775807", "100", nil), ("92233720368547", "0.1", "92233720368546900.00"),
        ("0.000000000000000001", "9223372036854775807", "-100.00"), ("0.00000042", "0.00000041", "2.44"),
        ("9223372036854775807", "0.5", nil), ("9.223372036854775807", "9.223372036854775806", "0.00"),
    ])
    func percentChangeIsRoundedHalfToEven(new: String, old: String, change: String?) throws {
        #expect(try Price(new).percentChange(from: Price(old))?.description == change)
    }

    @Test func sumsAndProductsAgreeWithWideIntegers() throws {
        var random = SplitMix(seed: 3)
        for _ in 0..<5_000 {
            let (left, right) = (try #require(randomPrice(using: &random)), try #require(randomPrice(using: &random)))
            if let sum = left.adding(right) {
                #expect(sum.subtracting(right) == left)
            }
            if let product = left.multiplied(by: right) {
                let wide = Int128(left.mantissa) * Int128(right.mantissa)
                #expect(Price(exactly: wide, scale: Int(left.scale) + Int(right.scale)) == product)
            }
            #expect((left < right) == (left.subtracting(right).map { $0 < .zero } ?? (left < right)))
        }
    }
}

/// Random digits, short and long numbers equally often.
func randomPrice(using random: inout SplitMix) -> Price? {
    let mantissa = Int64(bitPattern: random.next()) >> Int64.random(in: 0...62, using: &random)
    return Price(mantissa: mantissa, scale: UInt8.random(in: 0...18, using: &random))
}
