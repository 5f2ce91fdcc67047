import Engine
import Events
import Market
import TestSupport
import Testing
import Time

@Suite("Silences")
struct SilenceTests {
    private func silence(
        _ timeline: inout Timeline, polls: Int64, symbols: String? = nil, rule: String? = nil,
        severity: Severity? = nil
    ) {
        timeline.engine.silences = [
            Silence(
                number: 7, symbols: symbols.flatMap(SymbolPattern.init), rule: rule, severity: severity,
                end: .after(timeline.now.boot.advanced(by: Timeline.interval.times(polls))))
        ]
    }

    @Test func whatStillFiresWhenASilenceEndsIsNotifiedOnce() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        silence(&timeline, polls: 3)
        #expect(try timeline.run("101 101 101 101") == ["2:fired:max:silenced:suppressed", "4:fired:max:silenced"])
    }

    @Test func aHeldBackResolveIsNotifiedWhenTheSilenceEnds() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99 101")
        silence(&timeline, polls: 3)
        #expect(try timeline.run("99 99 99 99") == ["3:resolved:max:silenced:suppressed", "5:resolved:max:silenced"])
    }

    @Test func unlessTheAlertFiresAgainFirst() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99 101")
        silence(&timeline, polls: 3)
        #expect(
            try timeline.run("99 101 101 99") == [
                "3:resolved:max:silenced:suppressed", "4:fired:max:silenced:suppressed", "5:fired:max:silenced",
                "6:resolved:max",
            ])
    }

    @Test func aFiringThatBeganAndEndedInASilenceIsNeverNotified() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        silence(&timeline, polls: 3)
        #expect(
            try timeline.run("101 99 99 99") == [
                "2:fired:max:silenced:suppressed", "3:resolved:max:fired_suppressed:suppressed",
            ])
    }

    @Test func noRepeatsInASilence() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), repeatAfter: "30s").rule()])
        try timeline.run("99 101")
        silence(&timeline, polls: 3)
        #expect(try timeline.run("101 101 101") == ["5:repeated:max"])
    }

    @Test func aCrossingInASilenceIsNeverNotified() throws {
        var timeline = Timeline([try Draft(kind: .cross("100")).rule()])
        try timeline.run("99")
        silence(&timeline, polls: 2)
        #expect(try timeline.run("101 101 101") == ["2:fired:cross_up:silenced:suppressed"])
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
        #expect(try timeline.run("101") == [isMatch ? "2:fired:max:silenced:suppressed" : "2:fired:max"])
    }

    @Test func eventsOfSymbolsAreSilencedTooButNotByASilenceOfARule() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        silence(&timeline, polls: 9, symbols: "btcinr")
        #expect(try timeline.run("-") == ["2:symbol_missing:silenced:suppressed"])
        silence(&timeline, polls: 9, rule: "band")
        #expect(try timeline.run("99") == ["3:symbol_returned"])
    }

    /// Else one of the two would be notified without the other.
    @Test(arguments: Severity.allCases)
    func theReturnOfASymbolIsSilencedAsItsAbsence(_ severity: Severity) throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        silence(&timeline, polls: 9, severity: severity)
        let suffix = severity == .warning ? ":silenced:suppressed" : ""
        #expect(try timeline.run("- 99") == ["2:symbol_missing\(suffix)", "3:symbol_returned\(suffix)"])
    }

    /// What a silence holds back names it; what is not notified for another reason does not.
    @Test func whatIsHeldBackNamesTheSilence() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), cooldown: "5m").rule()])
        try timeline.run("99 101 99 101")
        silence(&timeline, polls: 4)
        try timeline.run("99 - 99")
        let numbers = timeline.occurrences.map { "\($0.kind.rawValue) \($0.silence.map { "\($0)" } ?? "-")" }
        #expect(
            numbers == [
                "fired -", "resolved -", "fired -", "resolved -", "symbol_missing 7", "symbol_returned 7",
            ])
        silence(&timeline, polls: 30)
        try timeline.run("gap 10m 101")
        _ = timeline.reload([])
        #expect(timeline.occurrences.suffix(3).map(\.silence) == [7, nil, nil], "suppressed, its end, rules_changed")
    }

    @Test func theEndOfANotifiedFiringNamesTheSilenceThatHoldsItBack() throws {
        for ending in ["clears", "reload", "expires"] {
            var timeline = Timeline([try Draft(kind: .max("100"), expires: "3m").rule()])
            try timeline.run("99 101")
            silence(&timeline, polls: 30)
            switch ending {
            case "clears": try timeline.run("99")
            case "reload": _ = timeline.reload([])
            default: try timeline.run("gap 3m 101")
            }
            let end = timeline.occurrences.first { $0.kind == .resolved }
            #expect(end?.notified == false && end?.silence == 7, "\(ending)")
        }
    }

    /// The first of the list is named: it is the one that lasts longest.
    @Test func ofTwoSilencesTheFirstIsNamed() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        let end = SilenceEnd.after(timeline.now.boot.advanced(by: .seconds(600)))
        timeline.engine.silences = [
            Silence(number: 4, severity: .critical, end: end), Silence(number: 9, severity: .warning, end: end),
            Silence(number: 2, severity: .warning, end: end),
        ]
        try timeline.run("101")
        #expect(timeline.occurrences.last?.silence == 9)
    }

    /// The wall clock is set forward: a time of day has come, a length of time has not passed.
    @Test(arguments: [(true, ["3:fired:max:silenced"]), (false, [])])
    func theClockDecidesThatWasMeant(isTimeOfDay: Bool, expected: [String]) throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        let end = timeline.now.advanced(bySeconds: 600)
        timeline.engine.silences = [
            Silence(number: 1, severity: .warning, end: isTimeOfDay ? .at(end.wall) : .after(end.boot))
        ]
        try timeline.run("101")
        timeline.stepWallClock(by: .seconds(3_600))
        #expect(try timeline.run("101") == expected)
    }

    @Test func theReasonsOfAHeldFiringAreSeen() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), cooldown: "10m").rule()])
        try timeline.run("99 101 99 101")
        #expect(timeline.engine.alerts().first?.note == "not notified: cooldown until 2023-11-14T22:24:20.000Z")
        silence(&timeline, polls: 9)
        try timeline.run("101")
        #expect(timeline.engine.alerts().first?.note == "not notified: silenced")
    }
}
