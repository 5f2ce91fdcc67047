import Market
import Rules
import Testing

@Suite("Silences")
struct SilenceTests {
    private func silence(
        _ timeline: inout Timeline, polls: Int64, symbols: String? = nil, rule: String? = nil,
        severity: Severity? = nil
    ) {
        timeline.engine.silences = [
            Silence(
                symbols: symbols.flatMap(SymbolPattern.init), rule: rule, severity: severity,
                end: WallTime(milliseconds: timeline.now.wall.milliseconds + polls * Timeline.interval.count))
        ]
    }

    @Test func whatStillFiresWhenASilenceEndsIsToldOnce() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        silence(&timeline, polls: 3)
        #expect(try timeline.run("101 101 101 101") == ["2:fired:max:silence:untold", "4:fired:max:silence"])
    }

    @Test func anEndThatWasHeldBackIsToldWhenTheSilenceEnds() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99 101")
        silence(&timeline, polls: 3)
        #expect(try timeline.run("99 99 99 99") == ["3:resolved:max:silence:untold", "5:resolved:max:silence"])
    }

    @Test func unlessTheAlertFiresAgainFirst() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99 101")
        silence(&timeline, polls: 3)
        #expect(
            try timeline.run("99 101 101 99") == [
                "3:resolved:max:silence:untold", "4:fired:max:silence:untold", "5:fired:max:silence", "6:resolved:max",
            ])
    }

    @Test func aFiringThatBeganAndEndedInASilenceIsNeverTold() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        silence(&timeline, polls: 3)
        #expect(
            try timeline.run("101 99 99 99") == [
                "2:fired:max:silence:untold", "3:resolved:max:fired_untold:untold",
            ])
    }

    @Test func noRepeatsInASilence() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), repeatAfter: "30s").rule()])
        try timeline.run("99 101")
        silence(&timeline, polls: 3)
        #expect(try timeline.run("101 101 101") == ["5:repeated:max"])
    }

    @Test func aCrossingInASilenceIsNeverTold() throws {
        var timeline = Timeline([try Draft(kind: .cross("100")).rule()])
        try timeline.run("99")
        silence(&timeline, polls: 2)
        #expect(try timeline.run("101 101 101") == ["2:fired:cross_up:silence:untold"])
    }

    @Test(arguments: [
        (nil, nil, nil, true), ("btc*", nil, nil, true), ("eth*", nil, nil, false), (nil, "band", nil, true),
        (nil, "other", nil, false), (nil, nil, Severity.warning, true), (nil, nil, .critical, false),
        ("btc*", "band", .warning, true), ("btc*", "other", .warning, false),
    ])
    func matches(_ symbols: String?, _ rule: String?, _ severity: Severity?, _ isMatch: Bool) throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        silence(&timeline, polls: 9, symbols: symbols, rule: rule, severity: severity)
        #expect(try timeline.run("101") == [isMatch ? "2:fired:max:silence:untold" : "2:fired:max"])
    }

    @Test func eventsOfSymbolsAreSilencedTooButNotByASilenceOfARule() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        silence(&timeline, polls: 9, symbols: "btcinr")
        #expect(try timeline.run("-") == ["2:symbol_missing:silence:untold"])
        silence(&timeline, polls: 9, rule: "band")
        #expect(try timeline.run("99") == ["3:symbol_returned"])
    }

    @Test func theReasonsOfAHeldFiringAreSeen() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), cooldown: "10m").rule()])
        try timeline.run("99 101 99 101")
        #expect(timeline.engine.alerts().first?.note == "not told: cooldown until 2023-11-14T22:24:20.000Z")
        silence(&timeline, polls: 9)
        try timeline.run("101")
        #expect(timeline.engine.alerts().first?.note == "not told: silence")
    }
}
