import Market
import Rules
import TestSupport
import Testing
import Time

/// A rule as it is written in lists: in plain digits for programs, as its currency is written for people.
struct RuleTextTests {
    private static let space = "\u{A0}"
    private static let inr = Currency("INR")

    @Test func amountsAreWrittenAsTheirCurrencyIs() throws {
        let hysteresis = Price(mantissa: 37_500, scale: 0).map(Distance.amount)
        let rule = try Rule.band(min: "4800000", max: "7500000.5", hysteresis: hysteresis)
        #expect(rule.terms == "min 4800000 max 7500000.5 hysteresis 37500")
        #expect(rule.text(quote: Self.inr) == "min ₹48,00,000.00 max ₹75,00,000.50 hysteresis ₹37,500.00")
        #expect(rule.text(quote: nil) == rule.terms)
    }

    @Test func theCurrencyOfTheRuleComesFirst() throws {
        let rule = try Rule.band(
            max: "12000", hysteresis: Price(mantissa: 5, scale: 1).map(Distance.percent), currency: "sek")
        #expect(rule.text(quote: Self.inr) == "max 12\(Self.space)000,00\(Self.space)kr hysteresis 0.5%")
        #expect(rule.text(quote: nil) == rule.text(quote: Self.inr))
    }

    @Test func everyKindOfConditionIsWritten() throws {
        var rule = try Rule.band(max: "1")
        let price = try Price("100")
        let conditions: [(Condition, String)] = [
            (.within(try Zone(low: price, high: Price("120"))), "within ₹100.00..₹120.00"),
            (.move(try Move(.up, by: .amount(price), window: .seconds(300))), "rise ₹100.00 window 5m"),
            (.move(try Move(.both, by: .percent(Price("5")), window: .seconds(300))), "move 5% window 5m"),
            (.cross(try Crossing(.down, over: price)), "cross_down ₹100.00"),
        ]
        for (condition, text) in conditions {
            rule.condition = condition
            #expect(rule.text(quote: Self.inr) == text)
        }
    }

    @Test func modifiersFollowTheCondition() throws {
        var rule = try Rule.band(max: "1")
        (rule.price, rule.hold) = (.bid, .seconds(60))
        (rule.notification.once, rule.notification.cooldown) = (true, .seconds(3_600))
        rule.notification.repeatAfter = .seconds(90)
        (rule.keepFiring, rule.notification.onlyWhile) = (.seconds(120), "big drop")
        let modifiers =
            "price bid for 1m keep_firing_for 2m repeat 1m30s cooldown 1h only_while 'big drop' once"
        #expect(rule.terms == "max 1 \(modifiers)")
        #expect(rule.text(quote: Self.inr) == "max ₹1.00 \(modifiers)")
    }
}
