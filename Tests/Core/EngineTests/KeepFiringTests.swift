import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

/// `keep_firing_for`; polls are 30 s apart.
@Suite("Staying firing, sentence by sentence")
struct KeepFiringTests {
    private static let maximum = Draft(kind: .max("100"), keepFiring: "1m")

    static let sentences = [
        Sentence(
            "it resolves when it has been clear that long, counted from the first clear sample", maximum,
            "99 101 99 99 99 99", ["2:fired:max", "5:resolved:max"]),
        Sentence(
            "a breach starts the count again", maximum, "99 101 99 99 101 99 99 99", ["2:fired:max", "8:resolved:max"]),
        Sentence(
            "so does a price inside the hysteresis", Draft(kind: .max("100"), hysteresis: "2", keepFiring: "1m"),
            "90 101 97 99 97 97 97", ["2:fired:max", "7:resolved:max"]),
        Sentence(
            "and a gap, after which the first clear sample counts", maximum, "99 101 99 gap 3m 99 99 99",
            ["2:fired:max", "6:resolved:max"]),
        Sentence(
            "a sample that is not usable does not", maximum, "99 101 99 ? 99", ["2:fired:max", "5:resolved:max"]),
        Sentence(
            "a minimum", Draft(kind: .min("100"), keepFiring: "30s"), "101 99 101 101 99 101",
            ["2:fired:min", "4:resolved:min", "5:fired:min"]),
        Sentence(
            "a zone", Draft(kind: .within("100", "110"), keepFiring: "30s"), "99 105 99 111",
            ["2:fired:within", "4:resolved:within"]),
        Sentence(
            "a move, whose window has to hold two samples", Draft(kind: .rise("5%", "1m"), keepFiring: "1m"),
            "100 106 106 gap 3m 106 106 106 106 106", ["2:fired:rise", "7:resolved:rise"]),
        Sentence(
            "repeats go on until then",
            Draft(kind: .max("100"), keepFiring: "1m", repeatAfter: "30s"), "99 101 99 99 99",
            ["2:fired:max", "3:repeated:max", "4:repeated:max", "5:resolved:max"]),
        Sentence(
            "what was suppressed is notified meanwhile",
            Draft(kind: .max("100"), keepFiring: "2m", cooldown: "4m"), "99 101 99x5 101 99x5",
            [
                "2:fired:max", "7:resolved:max", "8:fired:max:cooldown:suppressed", "10:fired:max:cooldown",
                "13:resolved:max",
            ]),
        Sentence(
            "an expiry ends it at once", Draft(kind: .max("100"), keepFiring: "5m", expires: "2m"), "99 101 99 99 99",
            ["2:fired:max", "4:resolved:max:rule_expired"]),
    ]

    @Test(arguments: sentences) func holds(_ sentence: Sentence) throws {
        try sentence.check()
    }

    @Test(arguments: sentences) func holdsWithARestartAfterEachPoll(_ sentence: Sentence) throws {
        var timeline = Timeline([try sentence.draft.rule()])
        timeline.restartsAfterEachPoll = true
        #expect(try timeline.run(sentence.prices) == sentence.story)
    }

    @Test func theCountGoesOnThroughAReboot() throws {
        var timeline = Timeline([try Self.maximum.rule()])
        try timeline.run("99 101 99")
        timeline.reboot(after: .seconds(30))
        timeline.restart(isSameBoot: false)
        #expect(try timeline.run("99") == ["4:resolved:max"])
    }

    @Test func aReloadThatLeavesTheRuleAsItIsKeepsTheCount() throws {
        var timeline = Timeline([try Self.maximum.rule()])
        try timeline.run("99 101 99 99")
        var same = try Self.maximum.rule()
        same.severity = .critical
        #expect(timeline.reload([same]).kept == ["rule"])
        #expect(try timeline.run("99") == ["5:resolved:max"])
    }

    @Test func anotherLengthIsAnotherRule() throws {
        var timeline = Timeline([try Self.maximum.rule()])
        try timeline.run("99 101 99")
        var other = Self.maximum
        other.keepFiring = "2m"
        #expect(timeline.reload([try other.rule()]).changed == ["rule"])
        #expect(timeline.story.contains("3:resolved:max:rule_changed"))
    }

    @Test func eventsSayForHowLongThePriceHasBeenBack() throws {
        var draft = Self.maximum
        draft.repeatAfter = "30s"
        var timeline = Timeline([try draft.rule()])
        try timeline.run("99 101 99 99 99")
        let lengths = timeline.occurrences.map { $0.details.clearFor.map { "\($0)" } }
        #expect(lengths == [nil, "0s", "30s", "1m"])
        #expect(
            timeline.occurrences.map(\.text).dropFirst().map { $0.replacing("\u{A0}", with: " ") } == [
                "BTC/INR ₹99.00 is back below its maximum ₹100.00, but not long enough to resolve",
                "BTC/INR ₹99.00 is back below its maximum ₹100.00, but not long enough to resolve",
                "BTC/INR ₹99.00 is back below its maximum ₹100.00",
            ])
    }

    @Test func theListSaysForHowLongItHasBeenClear() throws {
        var timeline = Timeline([try Self.maximum.rule()])
        try timeline.run("99 101 99 99")
        #expect(timeline.engine.alerts().map(\.note) == ["clear for 30s of 1m"])
    }

    /// Only a firing alert can be clear and yet go on.
    @Test func aDamagedStateIsRefused() throws {
        var timeline = Timeline([try Self.maximum.rule()])
        try timeline.run("99")
        var snapshot = timeline.engine.snapshot()
        snapshot.alerts[0].encodedState += " clear=1@1"
        #expect(timeline.restart(with: snapshot).unreadable == ["alert 'rule' on btcinr (max)"])
    }
}
