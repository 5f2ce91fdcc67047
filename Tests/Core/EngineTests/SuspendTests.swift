import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

/// The machine sleeps: what was unknown meanwhile is a gap of its own kind, and the feed is not to blame.
struct SuspendTests {
    private func timeline(hold: Milliseconds = .zero) throws -> Timeline {
        var rule = try Rule.band(max: "100")
        rule.hold = hold
        return Timeline([rule])
    }

    @Test func aLimitThatWasPassedInSleepIsNotified() throws {
        var timeline = try timeline()
        #expect(try timeline.run("99 sleep 8h 101 101") == ["2:fired:max:after_suspend"])
        #expect(timeline.occurrences.last?.text.contains("(seen after suspend)") == true)
        #expect(try timeline.run("sleep 8h 99") == ["4:resolved:max:after_suspend"])
    }

    @Test func anotherGapIsAGapLikeAnyOther() throws {
        var timeline = try timeline()
        #expect(try timeline.run("99 sleep 8h 99 gap 3m 101") == ["3:fired:max:after_gap"])
    }

    @Test func aShortSleepIsNoGap() throws {
        var timeline = try timeline()
        #expect(try timeline.run("99 sleep 10s 101") == ["2:fired:max"])
    }

    @Test func aPendingAlertStartsAgain() throws {
        var timeline = try timeline(hold: .seconds(60))
        #expect(try timeline.run("99 101 sleep 8h 101 101 101") == ["5:fired:max:after_suspend"])
    }

    @Test func theFeedHasAsLongAsAfterAStart() throws {
        var timeline = try timeline()
        try timeline.run("99")
        timeline.advance(by: .seconds(28_800))
        timeline.engine.resume(at: timeline.now)
        #expect(timeline.engine.checkFeed(at: timeline.now).isEmpty)
        timeline.advance(by: .seconds(89))
        #expect(timeline.engine.checkFeed(at: timeline.now).isEmpty)
        timeline.advance(by: .seconds(1))
        #expect(timeline.engine.checkFeed(at: timeline.now).map(\.kind) == [.feedStale])
    }
}
