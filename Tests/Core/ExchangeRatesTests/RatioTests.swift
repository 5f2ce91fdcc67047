import ExchangeRates
import Market
import TestSupport
import Testing

/// Factors, sums and differences of amounts, each exact until it is shown.
struct RatioTests {
    /// The product of the factors, each a number.
    private func ratio(_ factors: String) throws -> Ratio {
        try factors.split(separator: "*").reduce(Ratio.one) { try $0.multiplied(by: price(String($1))) }
    }

    @Test(arguments: [
        ("2*3", "1", "0", "6"), ("0.01*105.5", "1234.5", "0", "1302.3975"), ("0", "5", "0", "0"), ("1", "0", "0", "0"),
        ("0.1", "3", "0.7", "1"), ("0.1", "3", "-0.7", "-0.4"), ("1", "-3", "1", "-2"), ("1", "-3", "-1", "-4"),
        ("1", "5", "-5", "0"), ("1", "123456789012.5", "0", "123456789012"),
        ("1", "123456789013.5", "0", "123456789014"),
        ("1", "123456789012", "0.5", "123456789012"), ("1", "123456789012", "0.500000000000000001", "123456789013"),
        ("1", "123456789013", "-0.500000000000000001", "123456789012"),
        ("0.00000041*83.5", "1", "0", "0.000034235"),
    ])
    func anAmountTimesFactorsAndASumAreRoundedOnce(
        _ factors: String, _ amount: String, _ other: String, _ result: String
    ) throws {
        let rounded = try ratio(factors).convert(price(amount), adding: price(other), digits: 12).0
        #expect(rounded.description == result)
    }

    @Test func theInverseLeadsBack() throws {
        let ratio = try ratio("0.8*1.25*3")
        #expect(try ratio.inverse.convert(price("1"), digits: 12).0 == price("0.333333333333"))
        #expect(try ratio.inverse.compare(price("3"), to: price("1")) == .equal)
    }

    /// The same ratio in numbers that need more than 64 bits.
    @Test func amountsOfAllSizesAreConvertedAlike() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        for _ in 0..<5_000 {
            let number = { (random: inout SplitMix) in
                Price(
                    mantissa: .max >> Int64.random(in: 0...62, using: &random),
                    scale: .random(in: 0...18, using: &random))
            }
            let (up, down) = (try #require(number(&random)), try #require(number(&random)))
            let amount = try #require(number(&random))
            let ratio = Ratio.one.multiplied(by: down).inverse.multiplied(by: up)
            let wide = try ratio.multiplied(by: price("1000000000000000000")).multiplied(
                by: price("0.000000000000000001"))
            let results = [ratio, wide].map { ratio in
                Result { () throws(ConversionError) in try ratio.convert(amount, digits: 12) }.map { "\($0)" }
            }
            #expect(results[0] == results[1], "seed \(seed): \(amount) × \(up) ÷ \(down)")
        }
    }

    @Test func whatDoesNotFitIsSaid() throws {
        #expect(throws: ConversionError.tooLarge) {
            try ratio("9000000000000000000*10").convert(price("1"), digits: 12)
        }
        #expect(throws: ConversionError.tooSmall) {
            try ratio("0.000000000000000001*0.1").convert(price("1"), digits: 12)
        }
    }

    @Test(arguments: [
        ("1", "1.5", "2", "0.5", Comparison.equal), ("2", "1.5", "2", "1", .equal), ("2", "1.5", "2", "1.01", .less),
        ("1", "1.000000000000000001", "101.5", "100.5", .less),
        ("1", "1.000000000000000001", "101.5", "100.49", .greater),
        ("3", "1.000000000000000001", "101.5", "301.5", .less), ("3", "0", "9000000000000000000", "0", .greater),
        ("0.1", "0.000000000000000001", "9000000000000000000", "900000000000000000", .less),
    ])
    func differencesAreComparedExactly(
        _ factor: String, _ lower: String, _ upper: String, _ limit: String, _ expected: Comparison
    ) throws {
        #expect(try ratio(factor).compare(from: price(lower), to: price(upper), with: price(limit)) == expected)
    }

    @Test func comparisonsAgreeWithWholeNumbers() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        for _ in 0..<5_000 {
            let numbers = (0..<4).map { _ in Int64.random(in: 0...1_000_000, using: &random) }
            let scales = (0..<4).map { _ in UInt8.random(in: 0...3, using: &random) }
            let prices = zip(numbers, scales).compactMap { Price(mantissa: $0, scale: $1) }
            let thousandths = zip(numbers, scales).map { Int128($0) * [1_000, 100, 10, 1][Int($1)] }
            let ratio = Ratio.one.multiplied(by: prices[0])
            let product = thousandths[0] * thousandths[1]
            let order = ratio.compare(prices[1], to: prices[2])
            #expect((order == .less) == (product < thousandths[2] * 1_000), "seed \(seed)")
            #expect((order == .greater) == (product > thousandths[2] * 1_000), "seed \(seed)")
            let sum = try? ratio.convert(prices[1], adding: prices[3], digits: 18).0
            #expect(sum?.units == (product + thousandths[3] * 1_000) * 1_000_000_000_000, "seed \(seed)")
        }
    }
}
