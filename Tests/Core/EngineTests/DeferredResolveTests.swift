import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

/// Whoever was notified of a firing is notified of its end, whatever a silence held back.
@Suite("Resolve notifications that a silence holds back")
struct DeferredResolveTests {
    private func silence(_ timeline: inout Timeline, polls: Int64) {
        let end = timeline.now.boot.advanced(by: Timeline.interval.times(polls))
        timeline.engine.silences = [Silence(number: 7, rule: "rule", end: .after(end))]
    }

    private func story(
        _ draft: Draft, before: String, polls: Int64, _ prices: String, restarts: Bool
    ) throws -> [String] {
        var timeline = Timeline([try draft.rule()])
        try timeline.run(before)
        silence(&timeline, polls: polls)
        // A restored engine gets the silences again from the daemon; here, poll by poll.
        var story: [String] = []
        for word in prices.split(separator: " ") {
            story += try timeline.run(String(word))
            guard restarts else { continue }
            let silences = timeline.engine.silences
            timeline.restart()
            timeline.engine.silences = silences
        }
        return story
    }

    @Test(arguments: [false, true])
    func aFiringThatBeginsAndEndsInTheSilenceDoesNotEndTheDebt(restarts: Bool) throws {
        let story = try story(
            Draft(kind: .max("100")), before: "99 101", polls: 5, "99 101 99 99 99 99", restarts: restarts)
        #expect(
            story == [
                "3:resolved:max:silenced:suppressed", "4:fired:max:silenced:suppressed",
                "5:resolved:max:fired_suppressed:suppressed", "7:resolved:max:silenced",
            ])
    }

    /// The silence is over, but the cooldown is not: the second firing is never notified, and its end pays the debt.
    @Test(arguments: [false, true])
    func theEndOfASuppressedFiringPaysTheDebt(restarts: Bool) throws {
        let story = try story(
            Draft(kind: .max("100"), cooldown: "1h"), before: "99 101", polls: 3, "99 101 101 101 99 99",
            restarts: restarts)
        #expect(
            story == [
                "3:resolved:max:silenced:suppressed", "4:fired:max:silenced:suppressed",
                "7:resolved:max:fired_suppressed:suppressed", "7:resolved:max:silenced",
            ])
    }

    @Test func aNotifiedFiringEndsTheDebt() throws {
        let story = try story(
            Draft(kind: .max("100")), before: "99 101", polls: 3, "99 101 101 99 99", restarts: true)
        #expect(
            story == [
                "3:resolved:max:silenced:suppressed", "4:fired:max:silenced:suppressed", "5:fired:max:silenced",
                "6:resolved:max",
            ])
    }

    /// The debt outlives a breach that does not last long enough to fire.
    @Test(arguments: [false, true])
    func aPendingAlertPaysTheDebt(restarts: Bool) throws {
        let story = try story(
            Draft(kind: .max("100"), hold: "1m"), before: "99 101 101 101", polls: 3, "99 101 101 101 99",
            restarts: restarts)
        #expect(
            story == [
                "5:resolved:max:silenced:suppressed", "7:resolved:max:silenced", "8:fired:max", "9:resolved:max",
            ])
    }

    @Test(arguments: ["reload", "limit", "expiry"])
    func theEndOfTheRuleEndsTheDebt(_ end: String) throws {
        var timeline = Timeline([try Draft(kind: .max("100"), expires: end == "expiry" ? "3m" : nil).rule()])
        try timeline.run("99 101")
        silence(&timeline, polls: 2)
        #expect(try timeline.run("99") == ["3:resolved:max:silenced:suppressed"])
        switch end {
        case "reload": _ = timeline.reload([try Draft(kind: .max("200")).rule()])
        case "limit": _ = timeline.override([try limit("200")])
        default: timeline.advance(by: .seconds(120))
        }
        #expect(try timeline.run("99 99 99").isEmpty)
    }

    private func limit(_ price: String) throws -> LimitOverride {
        LimitOverride(
            rule: "rule", source: Timeline.source, symbol: try required(Symbol(Timeline.symbol)), bound: .max,
            limit: try Price(price),
            currency: nil, author: UserIdentity(id: 0), since: Timeline.start.wall)
    }
}

@Suite("Windows with fewer than two samples")
struct ShortWindowTests {
    /// A window of 65 s holds one sample after a gap of 70 s, which is within `max_gap`.
    private func timeline(_ draft: Draft) throws -> Timeline {
        Timeline([try draft.rule()], maximumGap: .seconds(600))
    }

    @Test func aSuppressedFiringIsNotNotifiedLate() throws {
        var timeline = try timeline(Draft(kind: .rise("5", "65s"), cooldown: "3m"))
        #expect(
            try timeline.run("100 105 100x3 105") == [
                "2:fired:rise", "3:resolved:rise", "6:fired:rise:cooldown:suppressed",
            ])
        #expect(try timeline.run("gap 150s 90").isEmpty)
        #expect(timeline.engine.firingCount == 1)
        #expect(try timeline.run("96") == ["8:fired:rise:cooldown"])
        #expect(timeline.occurrences.last?.limit == .price(try Price("95")))
    }

    @Test func nothingIsRepeated() throws {
        var timeline = try timeline(Draft(kind: .rise("5", "65s"), repeatAfter: "30s"))
        #expect(try timeline.run("100 105 gap 150s 200") == ["2:fired:rise"])
        #expect(try timeline.run("205") == ["4:repeated:rise"])
        #expect(timeline.occurrences.allSatisfy { $0.limit != nil })
    }

    @Test func aResolveNotificationStaysDeferred() throws {
        var timeline = try timeline(Draft(kind: .rise("5", "65s")))
        try timeline.run("100 105")
        let end = timeline.now.boot.advanced(by: .seconds(65))
        timeline.engine.silences = [Silence(number: 1, rule: "rule", end: .after(end))]
        #expect(try timeline.run("100 100") == ["3:resolved:rise:silenced:suppressed"])
        #expect(try timeline.run("gap 150s 100").isEmpty)
        #expect(try timeline.run("100") == ["6:resolved:rise:silenced"])
        #expect(timeline.occurrences.last?.limit == .price(try Price("105")))
    }
}
