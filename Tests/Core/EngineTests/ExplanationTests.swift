import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

@Suite("Why alerts are as they are")
struct ExplanationTests {
    /// The facts of the first alert after the polls that `prices` draws, as short words.
    private func facts(_ draft: Draft, _ prices: String, silences: [Silence] = []) throws -> [String] {
        var timeline = Timeline([try draft.rule()])
        timeline.setCandles(true)
        timeline.engine.silences = silences
        try timeline.run(prices)
        return try required(timeline.engine.explain(rule: "rule", at: timeline.now).first).facts.map(Self.word)
    }

    private static func word(_ fact: AlertFact) -> String {
        switch fact {
        case .feedStale: "feed stale"
        case .frozen(let since): "frozen \(age(since))"
        case .missing(let last): "missing \(last.map(age) ?? "always")"
        case .unusable(let kind): "no \(kind.rawValue)"
        case .unconvertible(let from, let to): "unconvertible \(from.map { "\($0)" } ?? "?")>\(to)"
        case .staleRate: "stale rate"
        case .expired(let end): "expired \(age(end))"
        case .noBaseline: "no baseline"
        case .noBase(let why): "no base: \(why)"
        case .windowTooShort: "window too short"
        case .inactive: "inactive"
        case .pending(_, let held, let hold): "pending \(held) of \(hold)"
        case .firing(let since): "firing \(age(since))"
        case .clear(_, let held, let length): "clear \(held) of \(length)"
        case .armed(let side, _): side.rawValue
        case .notified(let time): "notified \(age(time))"
        case .acknowledged: "acknowledged"
        case .suppressed(let reason): "suppressed \(reason.rawValue)"
        case .repeats(let time): "repeats \(age(time))"
        case .resolvePending: "resolve pending"
        case .silenced(let number, let end): "silenced by \(number) \(age(end))"
        case .onlyWhile(let rule, let since): "only while \(rule), \(since.map(age) ?? "not now")"
        case .cooldown(let end): "cooldown \(age(end))"
        case .disarmed: "disarmed"
        case .expires(let end): "expires \(age(end))"
        case .gap(let start, let end): "gap \(age(start)) to \(age(end))"
        case .notCaughtUp(let obstacle): "not caught up: \(obstacle.rawValue)"
        }
    }

    /// Seconds after the start; the first poll is at 30.
    private static func age(_ time: WallTime) -> String {
        "\(time.since(Timeline.start.wall).count / 1_000)"
    }

    @Test(arguments: [
        (Draft(kind: .max("100")), "", ["no baseline"]),
        (Draft(kind: .max("100")), "99", ["inactive"]),
        (Draft(kind: .max("100")), "101", ["firing 30", "notified 30"]),
        (Draft(kind: .max("100"), hold: "5m"), "101x3", ["pending 1m of 5m"]),
        (Draft(kind: .max("100"), repeatAfter: "1h"), "101 101", ["firing 30", "notified 30", "repeats 3630"]),
        (Draft(kind: .max("100")), "101 !101", ["frozen 60", "firing 30", "notified 30"]),
        (Draft(kind: .max("100")), "99 -", ["missing 30", "inactive"]),
        (Draft(kind: .max("100")), "-", ["missing always"]),
        (Draft(kind: .max("100")), "99 ?", ["no last", "inactive"]),
        (Draft(kind: .max("100")), "99 . . .", ["feed stale", "inactive"]),
        (Draft(kind: .max("100"), currency: "SEK"), "99", ["unconvertible INR>SEK", "no baseline"]),
        (Draft(kind: .max("100"), expires: "45s"), "101 101", ["expired 45", "inactive"]),
        (Draft(kind: .max("100"), expires: "1h"), "99", ["inactive", "expires 3600"]),
        (Draft(kind: .max("100"), once: true), "101 99", ["inactive", "disarmed"]),
        (Draft(kind: .max("100"), cooldown: "10m"), "101 99", ["inactive", "cooldown 630"]),
        (
            Draft(kind: .max("100"), cooldown: "10m"), "101 99 101",
            ["firing 90", "suppressed cooldown", "cooldown 630"]
        ),
        (Draft(kind: .max("100"), keepFiring: "5m"), "101 99 99", ["firing 30", "clear 30s of 5m", "notified 30"]),
        (
            Draft(kind: .max("100"), onlyWhile: "other"), "99 101",
            ["firing 60", "suppressed only_while", "only while other, not now"]
        ),
        (Draft(kind: .rise("5%", "5m")), "100", ["window too short", "not caught up: condition"]),
        (Draft(kind: .crossUp("100")), "99", ["below", "not caught up: condition"]),
        (Draft(kind: .crossUp("100")), "100", ["at", "not caught up: condition"]),
    ])
    func everyStateHasItsFacts(_ draft: Draft, _ prices: String, _ expected: [String]) throws {
        #expect(try facts(draft, prices) == expected)
    }

    @Test func aSilenceIsNamedWithItsEnd() throws {
        let end = WallTime(milliseconds: Timeline.start.wall.milliseconds + 600_000)
        let silence = Silence(number: 3, rule: "rule", end: .at(end))
        let other = Silence(number: 4, rule: "another", end: .at(end))
        #expect(
            try facts(Draft(kind: .max("100")), "101", silences: [other, silence])
                == ["firing 30", "suppressed silenced", "silenced by 3 600"])
        #expect(
            try facts(Draft(kind: .max("100")), "99", silences: [silence]) == ["inactive", "silenced by 3 600"])
    }

    /// The levels of the first alert: role, comparison, price, whether it is reached, how far away.
    private func levels(_ draft: Draft, _ prices: String) throws -> [String] {
        var timeline = Timeline([try draft.rule()])
        try timeline.run(prices)
        return try required(timeline.engine.explain(rule: "rule", at: timeline.now).first).levels.map { level in
            let away = [level.away, level.awayPercent].map { $0.map { "\($0)" } ?? "?" }.joined(separator: " ")
            return "\(level.role.rawValue) \(level.comparison.rawValue) \(level.price) "
                + "\(level.isReached.map { "\($0)" } ?? "?") \(away)"
        }
    }

    @Test(arguments: [
        (
            Draft(kind: .max("100"), hysteresis: "5%"), "80",
            ["limit at_least 100 false 20 25.00", "clear at_most 95 true 15 18.75"]
        ),
        (Draft(kind: .max("100")), "100", ["limit at_least 100 true 0 0.00", "clear below 100 false 0 0.00"]),
        (
            Draft(kind: .min("100"), hysteresis: "2"), "101",
            ["limit at_most 100 false -1 -0.99", "clear at_least 102 false 1 0.99"]
        ),
        (
            Draft(kind: .within("90", "110"), hysteresis: "5"), "100",
            [
                "limit at_least 90 true -10 -10.00", "limit at_most 110 true 10 10.00",
                "clear below 85 false -15 -15.00", "clear above 115 false 15 15.00",
            ]
        ),
        (
            Draft(kind: .rise("10%", "5m")), "100 105",
            ["limit at_least 110 false 5 4.76", "clear below 110 true 5 4.76"]
        ),
        (
            Draft(kind: .fall("10%", "5m")), "100 90",
            ["limit at_most 90 true 0 0.00", "clear above 90 false 0 0.00"]
        ),
        (Draft(kind: .rise("10%", "5m")), "100", []),
        (Draft(kind: .crossDown("100")), "101", ["limit at_most 100 false -1 -0.99"]),
        (Draft(kind: .max("100")), "", ["limit at_least 100 ? ? ?", "clear below 100 ? ? ?"]),
    ])
    func levelsSayHowFarThePriceIs(_ draft: Draft, _ prices: String, _ expected: [String]) throws {
        // Without a response there is no track, and so no level; one without a price has them.
        #expect(try levels(draft, prices.isEmpty ? "?" : prices) == expected)
    }

    @Test func theWindowShowsWhatAMoveIsMeasuredFrom() throws {
        var timeline = Timeline([try Draft(kind: .fall("10%", "2m")).rule()])
        try timeline.run("100 120 110")
        let window = try required(timeline.engine.explain(rule: "rule", at: timeline.now).first?.window)
        #expect(window.length == .seconds(120))
        #expect(try [window.lowest, window.highest] == [Price("100"), Price("120")])
    }

    @Test func onlyTheAlertsThatAreAskedForAreExplained() throws {
        var timeline = Timeline([
            try .band("a", min: "1", max: "9", symbols: ["*"]), try .band("b", max: "1", symbols: ["gone"]),
        ])
        try timeline.run("5")
        let all = timeline.engine.explain(rule: "a", at: timeline.now).map { "\($0.view.symbol) \($0.view.bound)" }
        #expect(all == ["btcinr min", "btcinr max", "other min", "other max"])
        #expect(timeline.engine.explain(rule: "a", symbol: Symbol("other"), at: timeline.now).count == 2)
        #expect(timeline.engine.explain(rule: "none", at: timeline.now).isEmpty)
        let gone = timeline.engine.explain(rule: "b", at: timeline.now)
        #expect(gone.map { $0.facts.map(Self.word) } == [["missing always"]])
    }

    /// Until the next poll an alert keeps what the last response said.
    @Test func aReloadDoesNotMakeAPriceUnusable() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        _ = timeline.reload([
            try .band(max: "100"), try .band("new", max: "98"), try .band("sek", max: "9", currency: "SEK"),
        ])
        #expect(timeline.engine.alerts().map(\.condition) == [.inactive, .waiting, .waiting])
    }
}
