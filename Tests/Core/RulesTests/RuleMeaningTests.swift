import Events
import Market
import Rules
import TestSupport
import Testing
import Time

@Suite("What a rule means")
struct RuleMeaningTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var min: String?
        var max: String?
        var hysteresis: Distance?
        var symbols = ["btcinr"]
        var currency: String?
        let meaning: String

        var testDescription: String { meaning }
    }

    static let half = Price(mantissa: 50, scale: 2).map(Distance.percent)
    static let two = Price(mantissa: 20, scale: 1).map(Distance.amount)

    /// These texts are stored: a change makes the alerts of that rule start over after an update.
    static let golden = [
        Case(max: "7_500_000.00", meaning: "btcinr: max 7500000"),
        Case(min: "90", max: "100.50", hysteresis: half, meaning: "btcinr: min 90 max 100.5 hysteresis 0.5%"),
        Case(
            min: "90", hysteresis: two, symbols: ["*inr", "btcusdt", "*inr"],
            meaning: "*inr btcusdt: min 90 hysteresis 2"),
        Case(max: "1e2", currency: "sek", meaning: "btcinr: max 100 currency SEK"),
    ]

    @Test(arguments: golden)
    func isWrittenInOneWay(_ row: Case) throws {
        let clean = { (text: String?) in text.map { $0.replacing("_", with: "") } }
        let rule = try Rule.band(
            min: clean(row.min), max: clean(row.max), hysteresis: row.hysteresis, symbols: row.symbols,
            currency: row.currency)
        #expect(rule.meaning == row.meaning)
        #expect(rule.identity == RuleIdentity(name: "band", meaning: row.meaning))
    }

    @Test func theNotificationPolicyIsNoPartOfIt() throws {
        #expect(try Rule.band(max: "1", severity: .critical).meaning == Rule.band(max: "1", severity: .info).meaning)
    }

    /// Name, symbols, condition with its window, currency, price, hysteresis and `for` are part of it.
    @Test func eachPartMakesAnotherMeaning() throws {
        let (one, two) = (try Price("1"), try Price("2"))
        let conditions: [Condition] = [
            .band(try Band(min: nil, max: one)), .band(try Band(min: one, max: nil)),
            .band(try Band(min: one, max: two)), .band(try Band(min: nil, max: two, hysteresis: .percent(one))),
            .band(try Band(min: nil, max: two, hysteresis: .amount(one))), .within(try Zone(low: one, high: two)),
            .within(try Zone(low: one, high: two, hysteresis: .percent(one))),
        ]
        let moves: [Condition] = try Direction.allCases.flatMap { direction in
            [
                .move(try Move(direction, by: .percent(one), window: .seconds(300))),
                .move(try Move(direction, by: .amount(one), window: .seconds(300))),
                .move(try Move(direction, by: .percent(one), window: .seconds(360))),
                .cross(try Crossing(direction, over: one)), .cross(try Crossing(direction, over: two)),
            ]
        }
        var rules = (conditions + moves).map { condition in
            Rule(name: "rule", symbols: [SymbolPattern("btcinr")].compactMap(\.self), condition: condition)
        }
        for change: (inout Rule) -> Void in [
            { $0.price = .bid }, { $0.price = .ask }, { $0.price = .mid }, { $0.currency = Currency("SEK") },
            { $0.currency = Currency("EUR") }, { $0.hold = .seconds(30) }, { $0.hold = .seconds(60) },
            { $0.keepFiring = .seconds(30) }, { $0.keepFiring = .seconds(60) },
            { $0.symbols = [SymbolPattern("btc*")].compactMap(\.self) },
        ] {
            var rule = rules[0]
            change(&rule)
            rules.append(rule)
        }
        #expect(Set(rules.map(\.meaning)).count == rules.count)
    }

    @Test func whomItNotifiesAndWhenIsNoPartOfIt() throws {
        let rule = try Rule.band(max: "1")
        var other = rule
        other.notification = NotificationPolicy(
            repeatAfter: .seconds(60), cooldown: .seconds(90), once: true, onlyWhile: "x")
        other.expires = WallTime(milliseconds: 1)
        other.message = try MessageTemplate("{symbol}")
        other.receivers = ["phone"]
        #expect(other.meaning == rule.meaning)
    }

    @Test func theOrderOfSymbolsIsNoPartOfIt() throws {
        #expect(
            try Rule.band(max: "1", symbols: ["b*", "ainr"]).meaning
                == Rule.band(max: "1.0", symbols: ["ainr", "b*", "ainr"]).meaning)
    }
}

@Suite("Limits as they are shown")
struct LimitValueTests {
    @Test(arguments: ["7500000.50", "120..135", "0.1..0.20"])
    func isReadBackAsItWasWritten(_ text: String) {
        #expect(LimitValue(text)?.description == text)
    }

    @Test(arguments: ["", "1..", "..1", "1..2..3", "x", "1...2", "1. .2"])
    func refuses(_ text: String) {
        #expect(LimitValue(text) == nil)
    }
}
