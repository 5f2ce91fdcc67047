import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

/// Faults that other tools had.
@Suite("Faults of other tools")
struct PeerFaultTests {
    @Test func anAlertThatIsAddedLaterIsChecked() throws {
        var timeline = Timeline([try .band("first", max: "100")])
        try timeline.run("99")
        _ = timeline.reload([try .band("first", max: "100"), try .band("later", max: "100")])
        try timeline.run("99 101")
        #expect(timeline.occurrences.suffix(2).map(\.rule) == ["first", "later"])
    }

    @Test func anAlertThatFiredFiresAgain() throws {
        try Sentence(
            "recurring", Draft(kind: .max("100")), "99 101 99 101", ["2:fired:max", "3:resolved:max", "4:fired:max"]
        ).check()
    }

    /// Firing and clearing look at one value: not one at the day's high and the other at the last price.
    @Test func theHighOfTheDayDecidesNothing() throws {
        var timeline = Timeline([try .band(max: "100")])
        let symbol = try required(Symbol("btcinr"))
        for poll in 1...5 as ClosedRange<Int64> {
            let ticker = Ticker(symbol: symbol, high: try Price("150"), last: try Price("99"), volume: try Price("1"))
            let batch = TickerBatch(tickers: [ticker], received: Timeline.start.advanced(bySeconds: poll * 30))
            #expect(timeline.engine.evaluate(batch).isEmpty)
        }
    }

    @Test(arguments: ["?", "0", "-", "!50", "gap 3m"])
    func whatIsMissingNeitherArmsNorFires(_ hole: String) throws {
        var timeline = Timeline([try Draft(kind: .cross("100")).rule(), try .band("band", min: "90", max: "110")])
        try timeline.run("101 \(hole) 101")
        #expect(!timeline.story.contains { $0.contains("fired") || $0.contains("resolved") })
    }

    @Test(arguments: ["?", "0", "-", "!50"])
    func leavingWhatIsMissingTogglesNothing(_ hole: String) throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99 101 \(hole) 101")
        #expect(timeline.story.filter { $0.contains("fired") || $0.contains("resolved") } == ["2:fired:max"])
        #expect(timeline.engine.firingCount == 1)
    }

    /// What still fires when a silence ends is notified then, not when it is time for a repeat.
    @Test func theEndOfASilenceIsNotTheNextRepeat() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), repeatAfter: "4h").rule()])
        try timeline.run("99")
        timeline.engine.silences = [
            Silence(
                number: 1, symbols: SymbolPattern("btc*"), end: .after(timeline.now.boot.advanced(by: .seconds(75))))
        ]
        #expect(try timeline.run("101x20") == ["2:fired:max:silenced:suppressed", "4:fired:max:silenced"])
    }

    /// A silence holds back what is notified, not what is seen: nothing that happened in it is missing afterwards.
    @Test func aSilenceDoesNotStopTheLooking() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), hold: "1m").rule()])
        timeline.engine.silences = [
            Silence(number: 1, rule: "rule", end: .after(timeline.now.boot.advanced(by: .seconds(120))))
        ]
        #expect(try timeline.run("101x6") == ["3:fired:max:silenced:suppressed", "4:fired:max:silenced"])
    }

    /// A coin that is taken off the list may come as 0: that is no fall by 100%.
    @Test func aPriceOfZeroIsNoFall() throws {
        try Sentence("delisted", Draft(kind: .fall("50%", "5m")), "100 0 0.000 100", []).check()
    }

    /// Twenty alerts in a minute are twenty events: no safety limit makes the user blind.
    @Test func noLimitStopsTheAlertItself() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99" + String(repeating: " 101 99", count: 20))
        #expect(timeline.story.count == 40)
    }

    /// An alert is bound to its currency: what people are shown does not change what it means.
    @Test func anAlertKeepsItsCurrency() throws {
        #expect(try Rule.band(max: "100", currency: "SEK").meaning != Rule.band(max: "100", currency: "USD").meaning)
    }
}

@Suite("Messages of rules")
struct MessageTests {
    @Test func placeholdersAreFilledIn() throws {
        let message =
            "{rule}|{kind}|{symbol}|{bound}|{price}|{limit}|{currency}|{previous}|{severity}|{reason}|{time}|{{x}}"
        var timeline = Timeline([try Draft(kind: .max("100"), message: message).rule("a rule")])
        try timeline.run("99 101.50 98")
        #expect(
            timeline.occurrences.map(\.text) == [
                "a rule|fired|btcinr|max|101.50|100|INR|99|warning|none|2023-11-14T22:14:20.000Z|{x}",
                "a rule|resolved|btcinr|max|98|100|INR|101.50|warning|none|2023-11-14T22:14:50.000Z|{x}",
            ])
    }

    @Test(
        arguments: [
            ("high {price}", ["high 101", "still 102", "low 98"]),
            (nil, ["BTC/INR ₹101.00 is at or above its maximum ₹100.00", "still 102", "low 98"]),
        ] as [(String?, [String])])
    func anEndMayHaveATextOfItsOwn(_ message: String?, _ texts: [String]) throws {
        var rule = try Draft(kind: .max("100"), repeatAfter: "30s", message: message).rule()
        rule.messageRepeated = try MessageTemplate("still {price}")
        rule.messageResolved = try MessageTemplate("low {price}")
        var timeline = Timeline([rule])
        try timeline.run("99 101 102 98")
        #expect(timeline.occurrences.map { $0.text.replacing("\u{A0}", with: " ") } == texts)
    }

    @Test(arguments: [
        ("{prize}", MessageError.unknown("prize")), ("{}", .unknown("")), ("a {price", .unpaired("{")),
        ("}", .unpaired("}")), ("{Price}", .unknown("Price")),
    ])
    func refuses(_ text: String, _ error: MessageError) {
        #expect(throws: error) { try MessageTemplate(text) }
    }
}

@Suite("Windows of many samples")
struct LongWindowTests {
    /// A fall by 1 each poll leaves as many record prices as the window has samples, here 1,200: more than are kept
    /// apart. The highest price may then leave some polls late, and never early.
    @Test(arguments: [(1_199, true), (1_210, false)])
    func aLongFallIsMeasuredWithinAFewPolls(_ amount: Int, _ fires: Bool) throws {
        var timeline = Timeline([try Draft(kind: .fall("\(amount)", "10h")).rule()])
        for price in (10_000...13_000).reversed() { try timeline.run("\(price)") }
        #expect(timeline.story == (fires ? ["\(amount + 1):fired:fall"] : []))
    }
}

@Suite("Which price decides")
struct PriceKindTests {
    @Test(arguments: [
        (PriceKind.last, "100", "90", "110", true), (.last, "99", "110", "110", false), (.bid, "1", "100", "1", true),
        (.bid, "200", "99", "200", false), (.ask, "1", "1", "100", true), (.ask, "200", "200", "99", false),
        (.mid, "1", "99", "101", true), (.mid, "200", "99", "100.9", false), (.mid, "200", "0", "300", false),
        (.mid, "200", "300", "x", false), (.bid, "200", "x", "200", false),
    ])
    func isTheOneThatTheRuleNames(
        _ kind: PriceKind, _ last: String, _ bid: String, _ ask: String, _ isBreached: Bool
    ) throws {
        var timeline = Timeline([try Draft(kind: .max("100"), price: kind).rule()])
        let ticker = Ticker(
            symbol: try required(Symbol("btcinr")), last: try? Price(last), volume: try Price("1"),
            bid: try? Price(bid), ask: try? Price(ask))
        let notified = timeline.engine.evaluate(TickerBatch(tickers: [ticker], received: Timeline.start))
        #expect(notified.count == (isBreached ? 1 : 0))
    }
}
