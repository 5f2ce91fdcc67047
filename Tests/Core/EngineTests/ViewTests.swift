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

    /// What the metrics take from the engine is what a list of alerts shows.
    @Test func gaugesAreThoseOfTheViews() throws {
        var timeline = Timeline([
            try .band("b", max: "4", symbols: ["*"]),
            try .band("a", min: "1", max: "9", symbols: ["gone", "btcinr"]),
            try Draft(kind: .rise("10%", "5m"), currency: "INR").rule("c"),
            try Draft(kind: .within("2", "7")).rule("d"),
        ])
        try timeline.run("5 5")
        var (walk, count) = (AlertWalk(), 0)
        let engine = timeline.engine
        let hasMore = engine.advance(&walk, budget: 100) { place in
            guard let gauge = engine.gauge(of: place), let view = engine.view(of: place) else { return }
            count += 1
            #expect(engine.rules[gauge.rule].name == view.rule.name && gauge.symbol == view.symbol)
            #expect(gauge.bound == view.bound && gauge.limit == view.limit && gauge.currency == view.currency)
            #expect(gauge.isFiring == (view.condition == .firing))
        }
        #expect(!hasMore && count == engine.alerts().count && count >= 7 && engine.firingCount > 0)
        #expect(engine.alerts().contains { $0.bound == .rise && $0.limit != nil })
    }

    @Test func firingAlertsAreCounted() throws {
        var timeline = Timeline([try .band("b", max: "1", symbols: ["*"]), try .band("a", max: "9")])
        try timeline.run("5")
        #expect(timeline.engine.firingCount == 2)
        #expect(try timeline.engine.firingCount(of: #require(Symbol("btcinr"))) == 1)
    }
}
