import Engine
import EventLoop
import Events
import Market
import PriceSources
import Replay
import Rules
import TestSupport
import Testing
import Time

@testable import AlertDaemon
@testable import Storage

@Suite("Limits that people change", .timeLimit(.minutes(10)))
struct LimitTests {
    private let folder = StateFolderForTest()

    @Test(arguments: [
        ("7600000", "7600000"), ("7_600_000.50", "7600000.50"), ("+2%", "7650000"), ("-2%", "7350000"),
        ("+0.001%", "7500075"), ("+5000", "7505000"), ("-0.5", "7499999.5"), ("-100%", "0"),
        ("+33.3333333333%", "10000000"),
    ])
    func aChangeIsAPriceOrRelativeToTheLimitInForce(_ text: String, _ expected: String) throws {
        let change = try #require(LimitChange(text))
        #expect(try change.applied(to: Price("7500000"))?.description == expected)
    }

    @Test(arguments: ["", "+", "-", "%", "2%", "+2 %", "++2", "+-2", "-+2", "1__0", "_1", "7,600,000", "ten", "+2%%"])
    func whatIsNoChangeIsRefused(_ text: String) {
        #expect(LimitChange(text) == nil)
    }

    /// However often a limit is moved, it never has more digits than can be read.
    @Test func percentagesAreRoundedAtTwelveDigits() throws {
        var limit = try #require(LimitChange("+2%")).applied(to: Price("7512345.67891234"))
        #expect(limit?.description == "7662592.59249")
        let less = try #require(LimitChange("-1.7%"))
        for _ in 0..<100 { limit = limit.flatMap(less.applied) }
        #expect((1...13).contains(limit?.description.filter(\.isNumber).count ?? 0))
        #expect(try LimitChange("+1")?.applied(to: Price("9223372036854775807")) == nil)
    }

    @LoopActor
    private func override(_ pipeline: Pipeline, _ limit: String) throws -> LimitOverride {
        let rule = try #require(pipeline.first.engine.rules.first { $0.limit(of: .max) != nil })
        let symbol = try #require(pipeline.first.engine.alerts().first { $0.rule.name == rule.name }?.symbol)
        return LimitOverride(
            rule: rule.name, source: pipeline.first.name, symbol: symbol, bound: .max, limit: try Price(limit),
            currency: rule.currency,
            author: UserIdentity(id: 7, name: "alice"), since: pipeline.clock.now().wall)
    }

    @Test func aChangedLimitOutlivesTheProcess() async throws {
        try await onLoop { [folder] in
            let first = try replay(folder, polls: 20, sink: RecordingSink(), stops: false)
            let change = try override(first.pipeline, "987654.3219")
            first.pipeline.change(overrides: [change], notes: [])
            // As after a crash: nothing is saved at the end.
            first.pipeline.stateStore.close()
            let second = try replay(folder, polls: 0, sink: RecordingSink(), stops: false)
            #expect(second.pipeline.first.engine.overrides == [change])
            let alerts = second.pipeline.first.engine.alerts()
            #expect(alerts.contains { $0.override == change && $0.limit?.description == "987654.3219" })
            #expect(
                PipelineQuery(second.pipeline).overrideNotes().map {
                    $0.contains("₹9,87,654.32 of") && $0.contains("stays in effect; the configured limit is")
                } == [
                    true
                ])
        }
    }

    /// As with events: it holds at once, and is on the disk as soon as that can be.
    @Test func whatCannotBeSavedYetIsSavedLater() async throws {
        try await onLoop { [folder] in
            _ = try replay(folder, polls: 5, sink: RecordingSink())
            try folder.setVersion(99)
            let run = try replay(folder, polls: 1, sink: RecordingSink(), from: 5, stops: false)
            #expect(run.pipeline.stateStore.isDegraded)
            let change = try override(run.pipeline, "987654")
            run.pipeline.change(overrides: [change], notes: [])
            #expect(run.pipeline.first.engine.overrides == [change])
            try folder.setVersion(UInt8(Schema.version))
            run.step()
            #expect(!run.pipeline.stateStore.isDegraded && run.pipeline.first.engine.overrides == [change])
            run.pipeline.stateStore.close()
            let again = try replay(folder, polls: 0, sink: RecordingSink(), stops: false)
            #expect(again.pipeline.first.engine.overrides == [change])
        }
    }
}
