import Engine
import Events
import Market
import Rules
import TestSupport
import Testing

@Suite("Views of alerts and symbols")
struct ViewTests {
    @Test(arguments: [
        ("", "waiting"), ("99", "inactive"), ("101", "firing"), ("?", "unusable"), ("!99", "frozen"), ("-", "missing"),
        ("99 -", "missing"), ("99 101 -", "firing"), ("99 0", "unusable"),
    ])
    func anAlertSaysWhyItCannotSay(_ prices: String, _ expected: String) throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run(prices)
        #expect(timeline.engine.alerts().map(\.condition.rawValue) == [expected])
    }

    @Test func alertsAreInTheOrderOfTheRules() throws {
        var timeline = Timeline([
            try .band("b", max: "100", symbols: ["*"]),
            try .band("a", min: "1", max: "9", symbols: ["gone", "btcinr"]),
        ])
        try timeline.run("5")
        let notified = timeline.engine.alerts().map { "\($0.rule.name) \($0.symbol) \($0.bound.rawValue)" }
        #expect(
            notified == ["b btcinr max", "b other max", "a btcinr min", "a btcinr max", "a gone min", "a gone max"])
        #expect(timeline.engine.alerts(of: Symbol("other")).count == 1)
    }

    @Test func firingAlertsAreCounted() throws {
        var timeline = Timeline([try .band("b", max: "1", symbols: ["*"]), try .band("a", max: "9")])
        try timeline.run("5")
        #expect(timeline.engine.firingCount == 2)
        #expect(try timeline.engine.firingCount(of: #require(Symbol("btcinr"))) == 1)
    }
}
