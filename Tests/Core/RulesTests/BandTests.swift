import Events
import Market
import Rules
import Testing

@Suite("Bands")
struct BandTests {
    struct Bad: CustomTestStringConvertible, Sendable {
        let min: String?
        let max: String?
        var hysteresis: Distance?
        let error: ConditionError

        var testDescription: String { "\(min ?? "-")…\(max ?? "-"): \(error)" }
    }

    static func percent(_ count: Int64) -> Distance? { Price(mantissa: count, scale: 0).map(Distance.percent) }
    static func amount(_ count: Int64) -> Distance? { Price(mantissa: count, scale: 0).map(Distance.amount) }

    static let bad = [
        Bad(min: nil, max: nil, error: .noLimit),
        Bad(min: "0", max: nil, error: .notPositive(.min)),
        Bad(min: nil, max: "-1", error: .notPositive(.max)),
        Bad(min: "2", max: "2.0", error: .minNotBelowMax),
        Bad(min: "3", max: "2", error: .minNotBelowMax),
        Bad(min: nil, max: "100", hysteresis: amount(100), error: .hysteresisSwallows(.max)),
        Bad(min: nil, max: "100", hysteresis: percent(100), error: .hysteresisSwallows(.max)),
        Bad(min: "90", max: "100", hysteresis: amount(10), error: .hysteresisSwallows(.max)),
        Bad(min: "98", max: "200", hysteresis: percent(105), error: .hysteresisSwallows(.max)),
        Bad(min: "1", max: "200", hysteresis: amount(199), error: .hysteresisSwallows(.max)),
        Bad(min: nil, max: "5", hysteresis: amount(-1), error: .negativeHysteresis),
        Bad(min: "9000000000000000000", max: nil, hysteresis: percent(10), error: .doesNotFit(.min)),
        Bad(min: nil, max: "0.123456789012345678", hysteresis: percent(3), error: .doesNotFit(.max)),
    ]

    @Test(arguments: bad)
    func refuses(_ row: Bad) throws {
        #expect(throws: row.error) {
            try Band(
                min: try row.min.map { try Price($0) }, max: try row.max.map { try Price($0) },
                hysteresis: row.hysteresis)
        }
    }

    @Test func noHysteresisAndZeroAreTheSame() throws {
        let zero = try Band(min: nil, max: try Price("5"), hysteresis: Self.amount(0))
        #expect(try zero == Band(min: nil, max: try Price("5")))
        #expect(zero.max?.clear == nil)
    }

    @Test func clearLevelsAreExact() throws {
        let half = try Price("0.5")
        let band = try Band(min: try Price("4800000"), max: try Price("7500000"), hysteresis: .percent(half))
        #expect(try band.min?.clear == Price("4824000"))
        #expect(try band.max?.clear == Price("7462500"))
    }
}

@Suite("Symbol patterns")
struct SymbolPatternTests {
    @Test(arguments: [
        ("btcinr", "btcinr", true), ("btcinr", "btcinr1", false), ("*", "1inchinr", true), ("*inr", "btcinr", true),
        ("*inr", "inr", true), ("*inr", "btcinrx", false), ("btc*", "btc", true), ("b*r", "btcinr", true),
        ("b*r", "br", true), ("b*b", "b", false), ("a*a*a", "aa", false), ("a*a*a", "aaa", true),
        ("*cin*", "btcinr", true), ("**", "x", true), ("*ab*ab*", "aab", false), ("*ab*ab*", "abxab", true),
        ("x*aa*ay", "xaay", false), ("x*aa*ay", "xaaay", true),
    ])
    func matches(_ pattern: String, _ name: String, _ expected: Bool) throws {
        let symbol = try #require(Symbol(name))
        #expect(try #require(SymbolPattern(pattern)).matches(symbol) == expected)
    }

    @Test(arguments: [
        "", "BTC", "btc inr", "btc-inr", "btc?", String(repeating: "a", count: 33), String(repeating: "*", count: 65),
    ])
    func refuses(_ text: String) {
        #expect(SymbolPattern(text) == nil)
    }

    @Test func onlyATextWithoutAStarIsExact() {
        #expect(SymbolPattern("btcinr")?.exactSymbol == Symbol("btcinr"))
        #expect(SymbolPattern("btc*")?.exactSymbol == nil)
    }
}

@Suite("Bands with relative limits")
struct RelativeBandTests {
    private static func percent(_ text: String) throws -> DeclaredLimit { .percent(try Price(text)) }

    @Test func limitsAreExact() throws {
        let band = try RelativeBand(
            min: Self.percent("-5"), max: Self.percent("10.50"), hysteresis: .percent(Price("1")), base: .price)
        let made = try band.band(from: Price("0.0000000012345"))
        #expect(try made.min?.price == Price("0.000000001172775"))
        let other = try band.band(from: Price("72046.10"))
        #expect(try other.max?.price == Price("79610.9405") && other.max?.clear == Price("78814.831095"))
        #expect(try other.min?.price == Price("68443.795"))
        #expect(throws: ConditionError.doesNotFit(.min)) { try band.band(from: Price("0.000000000000000001")) }
        #expect(throws: ConditionError.notPositive(.min)) { try band.band(from: .zero) }
    }

    @Test func whatCannotFitIsRefused() throws {
        #expect(throws: ConditionError.reachedAtOnce(.min)) {
            try RelativeBand(min: Self.percent("0"), max: nil, base: .price)
        }
        #expect(throws: ConditionError.reachedAtOnce(.max)) {
            try RelativeBand(min: nil, max: Self.percent("-1"), base: .price)
        }
        #expect(throws: ConditionError.notPositive(.min)) {
            try RelativeBand(min: Self.percent("-100"), max: nil, base: .amount(Price("5")))
        }
        #expect(throws: ConditionError.minNotBelowMax) {
            try RelativeBand(min: Self.percent("10"), max: Self.percent("5"), base: .amount(Price("5")))
        }
        #expect(throws: ConditionError.minNotBelowMax) {
            try RelativeBand(min: .amount(Price("6")), max: Self.percent("5"), base: .amount(Price("5")))
        }
        #expect(throws: ConditionError.hysteresisSwallows(.max)) {
            try RelativeBand(
                min: Self.percent("-1"), max: Self.percent("1"), hysteresis: .percent(Price("2")), base: .price)
        }
        // Above what was paid, below what it once was: neither is reached by definition.
        _ = try RelativeBand(min: Self.percent("5"), max: Self.percent("20"), base: .amount(Price("72046")))
    }
}
