import Market
import Rules
import TestSupport
import Testing
import Time
import Trials

@Suite struct HysteresisSearchTests {
    private static let flapMinutes: Int64 = 3

    private static func answer(
        _ recording: Recording, _ rule: Rule, flap: Milliseconds = .seconds(60 * flapMinutes)
    ) throws -> HysteresisAnswer?? {
        var search = HysteresisSearch(rules: [rule], settings: Recording.settings, flapLength: flap)
        try recording.forEach { search.evaluate($0, at: $1) }
        return search.answers()["r"]
    }

    private static func amount(_ text: String, _ rule: Rule) throws -> String? {
        let answer = try #require(try answer(try Recording(text), rule))
        return answer?.amount.description
    }

    /// The price goes back to 108 and fires again: with a hysteresis of 2 it is over, with 3 it is not.
    @Test func isOneTickMoreThanThePriceGoesBack() throws {
        let rule = try Recording.rule(Recording.max("110"))
        #expect(try Self.amount("100 110 108 110", rule) == "3")
        #expect(try Self.amount("100 110 108.25 110", rule) == "1.76")
        // Exchanges write more zeros than anybody trades in.
        #expect(try Self.amount("100.00000000 110.00000000 108.50000000 110.00000000", rule) == "1.6")
        #expect(try Self.amount("100 110 108 110 109 110 107 110", rule) == "4")
    }

    @Test func aWayBackThatIsLongAgoIsNoFlap() throws {
        let rule = try Recording.rule(Recording.max("110"))
        #expect(try Self.amount("100 110 100 100x9 110", rule) == "0")
        // Over at 105 with up to 5: long before. With more it is over at 104, just before it fires again.
        #expect(try Self.amount("100 110 105x9 104 110", rule) == "0")
        #expect(try Self.amount("100 110 105x9 104 110 108 110", rule) == "3")
        // With up to 5 it is over long before, with 6 not at all; but the second way back asks for more than 5.
        #expect(try Self.amount("100 110 105x9 104 110 104.5 110", rule) == "6.1")
    }

    @Test func lowerLimitsAndZonesAreMirrored() throws {
        let min = try Recording.rule(.band(try Band(min: try Price("90"), max: nil)))
        #expect(try Self.amount("100 90 92.5 90", min) == "2.6")
        let zone = try Recording.rule(.within(try Zone(low: try Price("90"), high: try Price("110"))))
        // A zone is left when the price is farther away than the hysteresis: as far is enough.
        #expect(try Self.amount("80 100 112.5 100", zone) == "2.5")
        #expect(try Self.amount("80 100 88 100 111 100", zone) == "2")
    }

    @Test func bothLimitsOfABandHaveOne() throws {
        let rule = try Recording.rule(.band(try Band(min: try Price("90"), max: try Price("110"))))
        #expect(try Self.amount("100 110 108 110 100 90 93 90 95x9", rule) == "4")
        // 20 of 20 and more would leave nothing between the limits.
        #expect(try Self.amount("100 110 91 110", rule) == nil)
    }

    @Test func rulesThatTakeNoneHaveNone() throws {
        let rule = try Recording.rule(.cross(try Crossing(.up, over: try Price("110"))))
        #expect(try Self.answer(try Recording("100 110 100 110"), rule) == nil)
    }

    @Test func convertedPricesHaveOneInTheCurrencyOfTheRule() throws {
        var rule = try Recording.rule(Recording.max("1100"))
        rule.currency = Currency("SEK")
        let rates = try Recording.rates(usd: "1.1", sek: "11")
        let recording = try Recording("100 110 108 110")
        var search = HysteresisSearch(
            rules: [rule], settings: Recording.settings, flapLength: .seconds(60 * Self.flapMinutes))
        try recording.forEach { search.evaluate($0, at: $1, rates: rates) }
        let answer = try #require(search.answers()["r"] ?? nil)
        #expect(answer.amount == (try Price("21")))
        var check = HysteresisCheck(
            ["r": answer], rules: [rule], settings: Recording.settings, flapLength: .seconds(60 * Self.flapMinutes))
        try recording.forEach { check.evaluate($0, at: $1, rates: rates) }
        #expect(check.proved() == ["r"])
    }

    /// The digits of the limits count as those of the prices do.
    @Test func theNextStepIsThatOfLimitAndPrices() throws {
        #expect(try Self.amount("100 111 108 111", Recording.rule(Recording.max("110.5"))) == "2.6")
        let band = try Recording.rule(.band(try Band(min: try Price("90.25"), max: try Price("110"))))
        #expect(try Self.amount("100 110 108 110", band) == "2.01")
    }

    /// An answer of 0 has nothing smaller that could flap.
    @Test func noHysteresisIsProvedWhereNothingFlaps() throws {
        let rule = try Recording.rule(Recording.max("110"))
        let proved = { (text: String?) throws in
            var check = HysteresisCheck(
                ["r": HysteresisAnswer(amount: .zero, less: nil)], rules: [rule], settings: Recording.settings,
                flapLength: .seconds(60 * Self.flapMinutes))
            if let text { try Recording(text).forEach { check.evaluate($0, at: $1) } }
            return check.proved()
        }
        #expect(try proved("100 110 100x9 110") == ["r"])
        #expect(try proved("100 110 108 110") == [])
        #expect(try proved(nil) == ["r"])
        let check = HysteresisCheck(
            ["r": HysteresisAnswer(amount: try Price("2"), less: try Price("1"))], rules: [rule],
            settings: Recording.settings, flapLength: .seconds(60 * Self.flapMinutes))
        #expect(check.proved() == [], "nothing showed that 1 is too little")
    }

    @Test func aWrongAnswerIsNotProved() throws {
        let rule = try Recording.rule(Recording.max("110"))
        let recording = try Recording("100 110 108 110")
        for (amount, less) in [("2", "1"), ("4", "3")] {
            var check = HysteresisCheck(
                ["r": HysteresisAnswer(amount: try Price(amount), less: try Price(less))], rules: [rule],
                settings: Recording.settings, flapLength: .seconds(60 * Self.flapMinutes))
            try recording.forEach { check.evaluate($0, at: $1) }
            #expect(check.proved() == [], "\(amount)")
        }
    }

    /// Against trying one hysteresis after the other, from 0 on.
    @Test(arguments: 0..<UInt64(LongRun.count(300, otherwise: 100)))
    func isWhatTryingAllFinds(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let prices = try (0..<80).map { _ in
            try #require(Price(mantissa: Int64.random(in: 90...112, using: &random), scale: 0))
        }
        let condition: Condition =
            switch seed % 3 {
            case 0: try Recording.max("105")
            case 1: .band(try Band(min: try Price("95"), max: try Price("108")))
            default: .within(try Zone(low: try Price("99"), high: try Price("102")))
            }
        let rule = try Recording.rule(condition, hold: Int64(seed / 3 % 3))
        var recording = Recording(prices: prices)
        if seed % 2 == 0 { recording.prices.removeSubrange(30..<33) }
        let found = try Self.answer(recording, rule)
        // A rule that never fires has no answer.
        guard let found else { return }
        #expect(found?.amount == (try smallest(recording, condition, rule)), "seed \(seed)")
    }

    private func smallest(_ recording: Recording, _ condition: Condition, _ rule: Rule) throws -> Price? {
        for amount in 0..<100 as Range<Int64> {
            let distance = Distance.amount(try #require(Price(mantissa: amount, scale: 0)))
            var tried = rule
            switch condition {
            case .band(let band):
                guard let band = try? Band(min: band.min?.price, max: band.max?.price, hysteresis: distance) else {
                    return nil
                }
                tried.condition = .band(band)
            case .within(let zone):
                guard let zone = try? Zone(low: zone.low.price, high: zone.high.price, hysteresis: distance) else {
                    return nil
                }
                tried.condition = .within(zone)
            default: return nil
            }
            let flaps = try recording.tallies([tried], flap: .seconds(60 * Self.flapMinutes)).reduce(0) {
                $0 + $1.flaps
            }
            if flaps == 0 { return distance.value }
        }
        return nil
    }
}
