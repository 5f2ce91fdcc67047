import Engine
import Events
import Market
import Testing
import Time

/// Each row is a sentence of what a rule means, and a market that shows it.
struct Sentence: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let draft: Draft
    let prices: String
    let story: [String]

    init(_ sentence: String, _ draft: Draft, _ prices: String, _ story: [String]) {
        testDescription = sentence
        self.draft = draft
        self.prices = prices
        self.story = story
    }

    func check() throws {
        var timeline = Timeline([try draft.rule()])
        #expect(try timeline.run(prices) == story)
    }
}

@Suite("Conditions, sentence by sentence")
struct ConditionSentenceTests {
    static let levels = [
        Sentence("max: price ≥ limit", Draft(kind: .max("100")), "99 100", ["2:fired:max"]),
        Sentence("min: price ≤ limit", Draft(kind: .min("100")), "101 100", ["2:fired:min"]),
        Sentence(
            "within: low ≤ price ≤ high", Draft(kind: .within("120", "135")), "119.9 120 130 135 135.1 135",
            ["2:fired:within", "5:resolved:within", "6:fired:within"]),
        Sentence(
            "within clears when price < low − h", Draft(kind: .within("120", "135"), hysteresis: "1"),
            "110 120 119 118.99", ["2:fired:within", "4:resolved:within"]),
        Sentence(
            "or price > high + h", Draft(kind: .within("120", "135"), hysteresis: "10%"), "110 120 148.5 148.51",
            ["2:fired:within", "4:resolved:within"]),
        Sentence(
            "a jump over the zone is none", Draft(kind: .within("120", "135")), "110 140 110", []),
        Sentence(
            "a zone that contains the baseline fires at once", Draft(kind: .within("120", "135")), "125",
            ["1:fired:within:already_breached"]),
    ]

    static let windows = [
        Sentence(
            "rise: price ≥ lowest usable price in the window × (1 + p)", Draft(kind: .rise("5%", "5m")),
            "101 100 104.99 105", ["4:fired:rise"]),
        Sentence("or + amount", Draft(kind: .rise("5", "5m")), "101 100 104.99 105", ["4:fired:rise"]),
        Sentence(
            "fall: price ≤ highest usable price in the window × (1 − p)", Draft(kind: .fall("5%", "5m")),
            "99 100 95.01 95", ["4:fired:fall"]),
        Sentence("or − amount", Draft(kind: .fall("5", "5m")), "99 100 95.01 95", ["4:fired:fall"]),
        Sentence(
            "move is rise and fall", Draft(kind: .move("5%", "5m")), "100 105 95",
            ["2:fired:rise", "3:resolved:rise", "3:fired:fall"]),
        Sentence(
            "the window is (now − window, now]: what is as old as the window is outside",
            Draft(kind: .rise("5%", "2m")), "100 101 101 101 105", []),
        Sentence(
            "what is younger is inside", Draft(kind: .rise("5%", "2m")), "100 101 101 105", ["4:fired:rise"]),
        Sentence(
            "with fewer than two samples in it the state stays as it is: inactive", Draft(kind: .rise("5%", "2m")),
            "100 gap 3m 200 201", []),
        Sentence(
            "with fewer than two samples in it the state stays as it is: firing", Draft(kind: .rise("5%", "2m")),
            "100 105 gap 3m 90 90", ["2:fired:rise", "4:resolved:rise"]),
        Sentence(
            "rise and fall clear when the breach no longer holds", Draft(kind: .rise("5%", "2m")),
            "100 105 105 105 105", ["2:fired:rise", "5:resolved:rise"]),
        Sentence(
            "a window is not emptied by a gap", Draft(kind: .rise("5%", "10m")), "100 gap 3m 105",
            ["2:fired:rise:after_gap"]),
        Sentence(
            "unusable samples are not in a window", Draft(kind: .fall("5%", "5m")), "100 0 ? !50 99",
            ["4:symbol_frozen", "5:symbol_returned"]),
        Sentence(
            "windows need more samples than one", Draft(kind: .rise("5%", "5m")), "500", []),
    ]

    static let crossings = [
        Sentence(
            "cross_up: previous usable price < limit ≤ price", Draft(kind: .crossUp("100")), "99 100 101 99 101",
            ["2:fired:cross_up", "5:fired:cross_up"]),
        Sentence(
            "cross_down: previous > limit ≥ price", Draft(kind: .crossDown("100")), "101 100 99 101 99",
            ["2:fired:cross_down", "5:fired:cross_down"]),
        Sentence(
            "cross is both crossings", Draft(kind: .cross("100")), "99 101 99",
            ["2:fired:cross_up", "3:fired:cross_down"]),
        Sentence("crossings need more samples than the baseline", Draft(kind: .cross("100")), "101 102", []),
        Sentence(
            "no gap between: a crossing needs a new baseline", Draft(kind: .cross("100")), "99 gap 3m 101 99",
            ["3:fired:cross_down"]),
        Sentence(
            "unusable samples between do no harm", Draft(kind: .cross("100")), "99 ? 101", ["3:fired:cross_up"]),
        Sentence(
            "the way back from the limit itself is no crossing", Draft(kind: .cross("100")), "99 100 99",
            ["2:fired:cross_up"]),
    ]

    @Test(arguments: levels + windows + crossings) func holds(_ sentence: Sentence) throws {
        try sentence.check()
    }

    @Test func aCrossingIsNeverLeftFiring() throws {
        var timeline = Timeline([try Draft(kind: .cross("100")).rule()])
        try timeline.run("99 101")
        #expect(timeline.engine.firingCount == 0)
        #expect(timeline.engine.alerts().map(\.condition) == [.inactive, .inactive])
    }

    @Test func theLimitOfAMoveIsTheThresholdInForce() throws {
        var timeline = Timeline([try Draft(kind: .rise("5%", "5m")).rule()])
        try timeline.run("101 100 106")
        #expect(timeline.occurrences.map { $0.limit?.description } == ["105"])
        #expect(
            timeline.occurrences.map(\.text) == [
                "BTC/INR rose 6% within 5m, from ₹100.00 to ₹106.00"
            ])
    }

    @Test func soItIsWhereTheRuleIsChanged() throws {
        var timeline = Timeline([try Draft(kind: .rise("5%", "5m")).rule()])
        try timeline.run("101 100 106")
        _ = timeline.reload([])
        #expect(timeline.story.suffix(2) == ["3:resolved:rise:rule_removed", "3:rules_changed"])
        #expect(timeline.occurrences.dropLast().last?.limit?.description == "105")
    }

    @Test func theLimitOfAZoneIsBoth() throws {
        var timeline = Timeline([try Draft(kind: .within("120", "135")).rule()])
        try timeline.run("110 121 110")
        #expect(timeline.occurrences.map { $0.limit?.description } == ["120..135", "120..135"])
    }
}

@Suite("States, sentence by sentence")
struct StateSentenceTests {
    static let sentences = [
        Sentence(
            "pending becomes firing at the first sample that breaches at least `for` after the first breaching one",
            Draft(kind: .max("100"), hold: "1m"), "99 101 101 101 101", ["4:fired:max"]),
        Sentence(
            "at least: half a minute more than an interval waits for the next sample",
            Draft(kind: .max("100"), hold: "45s"), "99 101 101 101", ["4:fired:max"]),
        Sentence(
            "unusable samples in between are ignored", Draft(kind: .max("100"), hold: "1m"), "99 101 ? 101",
            ["4:fired:max"]),
        Sentence(
            "a usable sample that does not breach returns a pending alert to inactive",
            Draft(kind: .max("100"), hysteresis: "5", hold: "1m"), "99 101 101 99 101 101 101", ["7:fired:max"]),
        Sentence(
            "a pending one starts over after a gap", Draft(kind: .max("100"), hold: "1m"),
            "99 101 gap 2m 101 101 101", ["5:fired:max:after_gap"]),
        Sentence(
            "a gap breaks `for` also where a window says nothing", Draft(kind: .rise("5%", "2m"), hold: "1m"),
            "100 110 gap 3m 110 120", []),
        Sentence(
            "the later fired carries the reason of the baseline", Draft(kind: .max("100"), hold: "1m"), "101 101 101",
            ["3:fired:max:already_breached"]),
        Sentence(
            "also when it starts over after a gap", Draft(kind: .max("100"), hold: "1m"), "101 gap 2m 101 101 101",
            ["4:fired:max:already_breached"]),
        Sentence("with `for` = 0 pending is skipped", Draft(kind: .max("100")), "99 101", ["2:fired:max"]),
        Sentence(
            "clearing needs no time", Draft(kind: .max("100"), hold: "1m"), "99 101 101 101 99",
            ["4:fired:max", "5:resolved:max"]),
    ]

    @Test(arguments: sentences) func holds(_ sentence: Sentence) throws {
        try sentence.check()
    }

    @Test func pendingIsSeenWithItsTime() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), hold: "5m").rule()])
        try timeline.run("99 101x5")
        let alert = try #require(timeline.engine.alerts().first)
        #expect(alert.condition == .pending)
        #expect(alert.note == "2m of 5m")
    }
}

@Suite("What is notified, sentence by sentence")
struct ToldSentenceTests {
    static let sentences = [
        Sentence(
            "repeated: still firing at a usable sample, `repeat` after the last fired or repeated",
            Draft(kind: .max("100"), repeatAfter: "1m"), "99 101 101 101 101 101 99",
            ["2:fired:max", "4:repeated:max", "6:repeated:max", "7:resolved:max"]),
        Sentence(
            "no repeat at an unusable sample", Draft(kind: .max("100"), repeatAfter: "1m"), "99 101 ? ? 101",
            ["2:fired:max", "5:repeated:max"]),
        Sentence(
            "a fired is not notified inside the cooldown, and notified when it ends if the alert still fires",
            Draft(kind: .max("100"), cooldown: "2m"), "99 101 99 101 101 101 101",
            ["2:fired:max", "3:resolved:max", "4:fired:max:cooldown:suppressed", "6:fired:max:cooldown"]),
        Sentence(
            "a resolved is notified only if a fired of that firing was notified",
            Draft(kind: .max("100"), cooldown: "10m"),
            "99 101 99 101 99",
            [
                "2:fired:max", "3:resolved:max", "4:fired:max:cooldown:suppressed",
                "5:resolved:max:fired_suppressed:suppressed",
            ]),
        Sentence(
            "a repeated does not count for the cooldown",
            Draft(kind: .max("100"), repeatAfter: "30s", cooldown: "2m"), "99 101 101 101 99 101",
            ["2:fired:max", "3:repeated:max", "4:repeated:max", "5:resolved:max", "6:fired:max"]),
        Sentence(
            "a late fired restarts cooldown and repeat",
            Draft(kind: .max("100"), repeatAfter: "1m", cooldown: "1m"), "99 101 99 101 101 101 99 101",
            [
                "2:fired:max", "3:resolved:max", "4:fired:max", "6:repeated:max", "7:resolved:max", "8:fired:max",
            ]),
        Sentence(
            "no repeat while the firing is suppressed",
            Draft(kind: .max("100"), repeatAfter: "30s", cooldown: "3m"), "99 101 99 101 101 101",
            ["2:fired:max", "3:resolved:max", "4:fired:max:cooldown:suppressed"]),
        Sentence(
            "once disarms an alert by a fired that was notified; it still resolves",
            Draft(kind: .max("100"), once: true),
            "99 101 99 101 99",
            [
                "2:fired:max", "3:resolved:max", "4:fired:max:disarmed:suppressed",
                "5:resolved:max:fired_suppressed:suppressed",
            ]),
        Sentence(
            "a crossing that was not notified is never notified later", Draft(kind: .crossUp("100"), cooldown: "2m"),
            "99 101 99 101 101 101 101", ["2:fired:cross_up", "4:fired:cross_up:cooldown:suppressed"]),
        Sentence(
            "at the first poll at or after `expires`, firing alerts resolve, and the rule no longer evaluates",
            Draft(kind: .max("100"), expires: "2m"), "99 101 101 101 99 101",
            ["2:fired:max", "4:resolved:max:rule_expired"]),
        Sentence(
            "also where the symbol is not in the response", Draft(kind: .max("100"), expires: "1m30s"), "99 101 - -",
            ["2:fired:max", "3:symbol_missing", "3:resolved:max:rule_expired"]),
        Sentence(
            "what is pending then never fires", Draft(kind: .max("100"), hold: "1m", expires: "2m"), "99 101 101 101",
            []),
    ]

    @Test(arguments: sentences) func holds(_ sentence: Sentence) throws {
        try sentence.check()
    }

    @Test func disarmedUntilArmedAgainByHand() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), once: true).rule()])
        try timeline.run("99 101 99")
        #expect(timeline.engine.alerts().map(\.condition) == [.disarmed])
        #expect(timeline.engine.arm(rule: "another") == 0)
        #expect(timeline.engine.arm(rule: "rule") == 1)
        #expect(timeline.engine.arm(rule: "rule") == 0)
        #expect(
            try timeline.run("101 99 101") == [
                "4:fired:max", "5:resolved:max", "6:fired:max:disarmed:suppressed",
            ])
        #expect(timeline.engine.arm(rule: "rule") == 1)
        #expect(try timeline.run("101") == ["7:fired:max:disarmed"])
    }

    @Test func acknowledgedIsNotRepeatedUntilItResolves() throws {
        let anna = Acknowledgement(by: UserIdentity(id: 1_000, name: "anna"), at: Timeline.start.wall)
        var timeline = Timeline([try Draft(kind: .max("100"), repeatAfter: "30s").rule()])
        #expect(timeline.engine.acknowledge(rule: "rule", anna) == 0)
        try timeline.run("99 101")
        #expect(timeline.engine.acknowledge(rule: "rule", symbol: Symbol("other"), anna) == 0)
        #expect(timeline.engine.acknowledge(rule: "rule", anna) == 1)
        #expect(timeline.engine.alerts().first?.note == "acknowledged by anna")
        #expect(
            try timeline.run("101 101 99 101 101") == [
                "5:resolved:max", "6:fired:max", "7:repeated:max",
            ])
    }

    @Test func anAcknowledgementOutlivesTheProcess() throws {
        let anna = Acknowledgement(by: UserIdentity(id: 1_000, name: "anna"), at: Timeline.start.wall)
        var timeline = Timeline([try Draft(kind: .max("100"), repeatAfter: "30s").rule()])
        try timeline.run("99 101")
        #expect(timeline.engine.acknowledge(rule: "rule", anna) == 1)
        for isSameBoot in [true, false] {
            timeline.restart(isSameBoot: isSameBoot)
            #expect(timeline.engine.alerts().first?.acknowledgement == anna)
            #expect(try timeline.run("101 101").isEmpty)
        }
        #expect(timeline.engine.acknowledge(rule: "rule", Acknowledgement(by: UserIdentity(id: 0), at: anna.time)) == 0)
        #expect(timeline.engine.alerts().first?.acknowledgement == anna, "who was first stays")
    }

    @Test func anAcknowledgementCanBeTakenBack() throws {
        let anna = Acknowledgement(by: UserIdentity(id: 1_000, name: "anna"), at: Timeline.start.wall)
        var timeline = Timeline([try Draft(kind: .max("100"), repeatAfter: "30s").rule()])
        try timeline.run("99 101")
        #expect(timeline.engine.acknowledge(rule: "rule", bound: .min, anna) == 0)
        #expect(timeline.engine.acknowledge(rule: "rule", bound: .max, anna) == 1)
        try timeline.run("101")
        #expect(timeline.engine.acknowledge(rule: "rule", nil) == 1)
        #expect(timeline.engine.acknowledge(rule: "rule", nil) == 0)
        #expect(try timeline.run("101") == ["4:repeated:max"])
    }

    @Test func anExpiredRuleIsSeenAsSuch() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), expires: "30s").rule()])
        try timeline.run("99")
        #expect(timeline.engine.alerts().map(\.condition) == [.expired])
    }

    @Test func aRuleThatIsGivenMoreTimeGoesOn() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), expires: "1m").rule()])
        try timeline.run("99 101 101")
        _ = timeline.reload([try Draft(kind: .max("100"), expires: "1h").rule()])
        #expect(try timeline.run("101 99") == ["4:fired:max", "5:resolved:max"])
    }
}
