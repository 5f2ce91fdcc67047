import Engine
import Events
import Market
import Rules
import Testing
import Time
import Trials

@Suite struct RuleTrialTests {
    private static func settings(_ rules: [Rule]) -> TrialSettings {
        let interval = Milliseconds.seconds(30)
        return TrialSettings(
            rules: rules, interval: interval, start: WallTime(milliseconds: 1_767_225_600_000),
            engine: EngineSettings(
                maximumGap: interval.times(3), frozenAfter: .seconds(120), staleAfter: interval.times(3)))
    }

    private static func rule(_ max: String, symbols: [String] = ["btcinr"], price: PriceKind = .last) throws -> Rule {
        Rule(
            name: "r", symbols: symbols.compactMap(SymbolPattern.init),
            condition: .band(try Band(min: nil, max: try Price(max))), price: price)
    }

    private static func trial(_ series: [(String, String)], _ expected: [ExpectedEvent] = []) throws -> RuleTrial {
        RuleTrial(
            name: "t",
            markets: try series.map { name, text in
                TrialMarket(
                    symbol: try #require(Symbol(name)), series: try PriceScript(text, interval: .seconds(30)))
            }, expected: expected)
    }

    private static func story(_ series: [(String, String)], _ rule: Rule) throws -> [String] {
        try trial(series).events(settings([rule])).map {
            "\($0.time) \($0.occurrence.kind.rawValue)\($0.occurrence.symbol.map { " \($0)" } ?? "")"
        }
    }

    @Test func theFirstPollIsAtZero() throws {
        #expect(
            try Self.story([("btcinr", "100 110 100")], try Self.rule("110"))
                == ["30s fired btcinr", "1m resolved btcinr"])
        #expect(try Self.story([("btcinr", "110")], try Self.rule("110")) == ["0s fired btcinr"])
    }

    @Test func aGapOfAllIsAnOutageThatIsNotifiedAtItsMoment() throws {
        #expect(
            try Self.story([("btcinr", "100 gap 2m 100")], try Self.rule("110"))
                == ["1m30s feed_stale", "2m30s feed_recovered"])
    }

    @Test func aResponseAtTheLastMomentIsInTime() throws {
        #expect(try Self.story([("btcinr", "100 gap 1m 100")], try Self.rule("110")) == [])
        #expect(try Self.story([("btcinr", "100 gap 90s")], try Self.rule("110")) == ["1m30s feed_stale"])
    }

    @Test func aGapOfOneSymbolIsAResponseWithoutIt() throws {
        #expect(
            try Self.story([("btcinr", "100 gap 1m 100"), ("ethinr", "1x4")], try Self.rule("110"))
                == ["30s symbol_missing btcinr", "1m30s symbol_returned btcinr"])
    }

    @Test func aSeriesThatEndsEarlierIsMissingFromThenOn() throws {
        #expect(
            try Self.story([("btcinr", "100"), ("ethinr", "1x3")], try Self.rule("110"))
                == ["30s symbol_missing btcinr"])
    }

    @Test func nothingIsShownOfASymbolThatIsNotDrawn() throws {
        #expect(
            try Self.story([("ethinr", "100 110")], try Self.rule("110", symbols: ["btcinr", "ethinr"]))
                == ["30s fired ethinr"])
    }

    @Test func quietBecomesFrozenWithTimeAndFrozenAtOnce() throws {
        #expect(
            try Self.story([("btcinr", "100 quietx6")], try Self.rule("110")) == ["2m30s symbol_frozen btcinr"])
        #expect(
            try Self.story([("btcinr", "100 frozen 100")], try Self.rule("110"))
                == ["30s symbol_frozen btcinr", "1m symbol_returned btcinr"])
    }

    @Test func missingIsAResponseAndUnusableIsNoEvent() throws {
        #expect(
            try Self.story([("btcinr", "110 missing unusable 110")], try Self.rule("110"))
                == ["0s fired btcinr", "30s symbol_missing btcinr", "1m symbol_returned btcinr"])
    }

    @Test func theRuleSeesTheDrawnBid() throws {
        #expect(
            try Self.story([("btcinr", "100[99/101] 110[109/111] 111[110/112]")], try Self.rule("110", price: .bid))
                == ["1m fired btcinr"])
    }

    @Test func acknowledgedFiringsAreNotRepeatedAndArmedRulesFireAgain() throws {
        var rule = try Self.rule("110")
        rule.notification = NotificationPolicy(repeatAfter: .seconds(60))
        var trial = try Self.trial([("btcinr", "110x9")])
        trial.actions = [TrialAction(.acknowledge, at: .seconds(130), rule: "r", symbol: Symbol("btcinr"))]
        #expect(trial.events(Self.settings([rule])).map(\.time) == [.zero, .seconds(60), .seconds(120)])
        trial.actions[0].time = .seconds(120)
        #expect(
            trial.events(Self.settings([rule])).map(\.time) == [.zero, .seconds(60), .seconds(120)], "after the poll")
        trial.actions[0].symbol = Symbol("ethinr")
        #expect(trial.events(Self.settings([rule])).count == 5)
        rule.notification = NotificationPolicy(once: true)
        trial = try Self.trial([("btcinr", "110 100 110 100 110")])
        trial.actions = [TrialAction(.arm, at: .seconds(90), rule: "r")]
        let notified = trial.events(Self.settings([rule])).filter {
            $0.occurrence.notified && $0.occurrence.kind == .fired
        }
        #expect(notified.map(\.time) == [.zero, .seconds(120)])
    }

    @Test func theOrderOfTheResponseIsThatOfTheFile() throws {
        #expect(
            try Self.story([("ethinr", "110"), ("btcinr", "110")], try Self.rule("110", symbols: ["*"]))
                == ["0s fired ethinr", "0s fired btcinr"])
    }

    @Test(
        arguments: [
            ("btcinr", "inr"), ("1inchinr", "inr"), ("btcusdt", "usdt"), ("wrxbtc", "btc"), ("btcfdusd", "fdusd"),
            ("inr", nil), ("abc", nil),
        ])
    func theQuoteIsPresumedFromTheName(name: String, quote: String?) throws {
        #expect(try #require(Symbol(name)).presumedQuote?.description == quote)
    }
}

@Suite struct TrialOutcomeTests {
    private static let rule = "110"

    private static func expected(
        _ seconds: Int64, _ kind: EventKind, _ change: (inout ExpectedEvent) throws -> Void = { _ in }
    ) throws -> ExpectedEvent {
        var event = ExpectedEvent(time: .seconds(seconds), kind: kind)
        try change(&event)
        return event
    }

    /// `=` same, `-` lacking, `+` unexpected, `!` different.
    private static func signs(
        _ expected: [ExpectedEvent], series: [String: String] = ["btcinr": "100 110 100"],
        only: Set<EventKind>? = nil
    ) throws -> [String] {
        let interval = Milliseconds.seconds(30)
        let rule = Rule(
            name: "r", symbols: [try #require(SymbolPattern("*"))],
            condition: .band(try Band(min: nil, max: try Price("110"))))
        let trial = RuleTrial(
            name: "t",
            markets: try series.sorted { $0.key < $1.key }.map { name, text in
                TrialMarket(symbol: try #require(Symbol(name)), series: try PriceScript(text, interval: interval))
            }, expected: expected, kinds: only)
        let settings = TrialSettings(
            rules: [rule], interval: interval, start: WallTime(milliseconds: 1_767_225_600_000),
            engine: EngineSettings(
                maximumGap: interval.times(3), frozenAfter: .seconds(1_800), staleAfter: interval.times(3)))
        return trial.outcome(settings).entries.map { entry in
            switch entry {
            case .same: "= \(entry.time)"
            case .lacking: "- \(entry.time)"
            case .unexpected: "+ \(entry.time)"
            case .different(_, _, let differences): "! \(entry.time) \(differences.joined(separator: "; "))"
            }
        }
    }

    @Test func allThatCameAsExpectedPasses() throws {
        #expect(try Self.signs([Self.expected(30, .fired), Self.expected(60, .resolved)]) == ["= 30s", "= 1m"])
    }

    @Test func whatLacksAndWhatIsTooMuchIsShown() throws {
        #expect(try Self.signs([Self.expected(30, .fired)]) == ["= 30s", "+ 1m"])
        #expect(
            try Self.signs([Self.expected(30, .fired), Self.expected(60, .resolved), Self.expected(90, .fired)])
                == ["= 30s", "= 1m", "- 1m30s"])
        #expect(try Self.signs([], only: []) == [])
        #expect(try Self.signs([Self.expected(60, .resolved)], only: [.resolved]) == ["= 1m"])
    }

    @Test func onlyTheGivenKeysAreCompared() throws {
        let wrong = try Self.expected(30, .fired) {
            $0.price = try Price("111")
            $0.notified = true
        }
        #expect(
            try Self.signs([wrong, Self.expected(60, .resolved)]) == ["! 30s price is 110, not 111", "= 1m"])
        let right = try Self.expected(30, .fired) {
            $0.price = try Price("110.00")
            $0.limit = .price(try Price("110"))
            $0.bound = .max
            $0.rule = "r"
            $0.symbol = Symbol("btcinr")
            $0.currency = Currency("INR")
            $0.severity = .warning
        }
        #expect(try Self.signs([right, Self.expected(60, .resolved)]) == ["= 30s", "= 1m"])
    }

    @Test func eachKeyCounts() throws {
        let changes: [(String, (inout ExpectedEvent) throws -> Void)] = [
            ("rule is \"r\", not \"q\"", { $0.rule = "q" }),
            ("symbol is btcinr, not ethinr", { $0.symbol = Symbol("ethinr") }),
            ("bound is max, not min", { $0.bound = .min }), ("severity is warning, not info", { $0.severity = .info }),
            ("limit is 110, not 111", { $0.limit = .price(try Price("111")) }),
            ("currency is INR, not USD", { $0.currency = Currency("USD") }),
            ("notified is true, not false", { $0.notified = false }),
            ("reason is absent, not after_gap", { $0.reason = .afterGap }),
            ("text is \"BTC/INR ₹110.00 is at or above its maximum ₹110.00\", not \"t\"", { $0.text = "t" }),
        ]
        for (words, change) in changes {
            #expect(
                try Self.signs([Self.expected(30, .fired, change)], only: [.fired]) == ["! 30s \(words)"])
        }
    }

    /// The first of the expected ones would take the event that the second one needs.
    @Test func whatIsExactGetsItsEvent() throws {
        let any = try Self.expected(0, .fired)
        let first = try Self.expected(0, .fired) { $0.symbol = Symbol("btcinr") }
        let series = ["btcinr": "110", "ethinr": "110"]
        #expect(try Self.signs([any, first], series: series) == ["= 0s", "= 0s"])
        #expect(try Self.signs([first, any], series: series) == ["= 0s", "= 0s"])
        #expect(try Self.signs([first, first], series: series).filter { $0.hasPrefix("=") }.count == 1)
    }
}
