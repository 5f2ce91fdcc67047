import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

@Suite("Snapshots of the engine")
struct SnapshotTests {
    @Test(arguments: BandAlertTests.cases)
    func aRestartAfterEachPollChangesNothing(_ row: BandAlertTests.Case) throws {
        var timeline = Timeline([try .band(min: row.min, max: row.max, hysteresis: row.hysteresis)])
        timeline.restartsAfterEachPoll = true
        #expect(try timeline.run(row.prices) == row.story)
    }

    @Test func randomMarketsGoOnOverRestartsAsIfNothingHadHappened() throws {
        for seed in 0..<UInt64(LongRun.count(300, otherwise: 100)) {
            var random = SplitMix(seed: seed)
            let rules = try (0..<Int.random(in: 1...4, using: &random)).map { try Self.rule($0, &random) }
            let words = (0..<40).map { _ in Self.word(&random) }.joined(separator: " ")
            var whole = Timeline(rules, frozenAfter: .seconds(120))
            var broken = whole
            broken.restartsAfterEachPoll = true
            try whole.run(words)
            try broken.run(words)
            #expect(broken.occurrences == whole.occurrences, "seed \(seed)")
            #expect(broken.engine.snapshot() == whole.engine.snapshot(), "seed \(seed)")
        }
    }

    private static func rule(_ number: Int, _ random: inout SplitMix) throws -> Rule {
        let width = Int.random(in: 0...2, using: &random)
        let hysteresis = Price(mantissa: Int64(width), scale: 0).map(Distance.amount)
        let symbols = [["btcinr"], ["*"], ["btcinr", "gone"], ["oth*"]].randomElement(using: &random) ?? []
        return try .band(
            "rule \(number)", min: "95", max: "105", hysteresis: hysteresis, symbols: symbols,
            currency: [nil, "INR", "SEK"].randomElement(using: &random) ?? nil)
    }

    private static func word(_ random: inout SplitMix) -> String {
        let price = Int.random(in: 90...110, using: &random)
        return ["\(price)", "\(price)", "\(price)", "~100x3", "!\(price)", "?", "0", "-", "gap 3m"]
            .randomElement(using: &random) ?? "."
    }

    @Test func itSaysWhatAlertsAre() throws {
        var timeline = Timeline([try .band("upper", max: "100", severity: .critical)])
        try timeline.run("99 101.50")
        let snapshot = timeline.engine.snapshot()
        #expect(snapshot.rules == [RuleIdentity(name: "upper", meaning: "btcinr: max 100", place: 0)])
        let alert = try #require(snapshot.alerts.first)
        #expect(snapshot.alerts.count == 1)
        #expect(alert.rule == "upper")
        #expect(alert.bound == .max)
        #expect(alert.state == "firing")
        #expect(alert.since == timeline.now)
        #expect(alert.severity == .critical)
        #expect(alert.limit == .price(try Price("100")))
        #expect(alert.currency == Currency("INR"))
        #expect(
            alert.encodedState
                == [
                    "firing since=1060000@1700000060000 notified=1060000@1700000060000 fired=1060000@1700000060000"
                ].joined())
        #expect(snapshot.lastPoll == timeline.now)
    }

    @Test func aSymbolThatNoRuleNeedsIsNotInIt() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        let bytes = timeline.engine.snapshot().checkpoint.joined()
        #expect(bytes.contains(sequence: "btcinr") && !bytes.contains(sequence: "other"))
    }

    @Test func whatCannotBeReadStartsAfreshAlone() throws {
        var timeline = Timeline([try .band("a", max: "100"), try .band("b", max: "100")])
        try timeline.run("101")
        var snapshot = timeline.engine.snapshot()
        snapshot.alerts[0].encodedState = "firing since=soon"
        let restoration = timeline.restart(with: snapshot)
        #expect(restoration.unreadable == ["alert 'a' on btcinr (max)"])
        #expect(try timeline.run("101 99") == ["2:fired:max:already_breached", "3:resolved:max", "3:resolved:max"])
    }

    @Test(arguments: [
        "", "firing", "waiting since=1@1", "firing since=1", "firing since=1@x", "inactive since=1@1 since=1@1",
        "firing since=1@1 more=2", "asleep since=1@1", "firing firing since=1@1", "=", "since=1@1",
        "firing since=99999999999999999999@1",
    ])
    func aMemoryThatIsWrongIsNotGuessedAt(_ encodedState: String) throws {
        var timeline = Timeline([try .band("a", max: "100")])
        try timeline.run("101")
        var snapshot = timeline.engine.snapshot()
        snapshot.alerts[0].encodedState = encodedState
        #expect(timeline.restart(with: snapshot).unreadable.count == 1)
    }
}

@Suite("Rules that changed while nobody ran")
struct ChangedRulesTests {
    @Test func itIsAsIfTheyHadBeenReloaded() throws {
        let old = [try Rule.band("gone", max: "100"), try .band("limit", max: "100"), try .band("same", max: "100")]
        let new = [try Rule.band("same", max: "100"), try .band("limit", max: "101"), try .band("new", max: "100")]
        var reloaded = Timeline(old)
        try reloaded.run("99 101")
        var restarted = reloaded
        let change = reloaded.reload(new)
        let restoration = restarted.restart(rules: new)
        #expect(restoration.change == change)
        #expect(
            restarted.story.suffix(3) == [
                "2:resolved:max:rule_removed", "2:resolved:max:rule_changed", "2:rules_changed",
            ])
        try reloaded.run("102 99")
        try restarted.run("102 99")
        #expect(restarted.occurrences == reloaded.occurrences)
    }

    @Test func theSameRulesSayNothing() throws {
        var timeline = Timeline([try .band("a", max: "100")])
        try timeline.run("101")
        let restoration = timeline.restart()
        #expect(restoration.change.kept == ["a"])
        #expect(restoration.occurrences.isEmpty && restoration.unreadable.isEmpty)
    }
}

@Suite("The feed across restarts")
struct FeedRestartTests {
    @Test func anOutageIsNotifiedOnce() throws {
        var timeline = Timeline([])
        #expect(try timeline.run("1 . . .") == ["4:feed_stale"])
        timeline.restart()
        #expect(try timeline.run(". . . .").isEmpty)
        #expect(timeline.engine.isFeedStale)
        #expect(try timeline.run("1") == ["9:feed_recovered"])
        #expect(timeline.occurrences.last?.text == "Usable responses resumed after 4m")
    }

    @Test func theTimeInWhichNobodyRanIsNoOutage() throws {
        var timeline = Timeline([])
        try timeline.run("1 gap 2h")
        timeline.restart()
        #expect(try timeline.run("1").isEmpty)
    }

    @Test func staleFromTheNewStartOn() throws {
        var timeline = Timeline([])
        try timeline.run("1 gap 2h")
        timeline.restart()
        #expect(try timeline.run(". . .") == ["4:feed_stale"])
        #expect(timeline.occurrences.last?.text.hasPrefix("No usable response for 2h1m; ") == true)
    }
}

@Suite("Instants across reboots")
struct RebootTests {
    @Test func bootTimesAreFoundThroughTheWallClock() throws {
        var timeline = Timeline([try .band(max: "100", hysteresis: .amount(Price("5")))])
        try timeline.run("99 101")
        timeline.reboot(after: .seconds(40))
        #expect(timeline.restart(isSameBoot: false).unreadable.isEmpty)
        #expect(timeline.engine.alerts().first?.since?.boot == timeline.now.boot.advanced(by: Milliseconds(-40_000)))
        // 70 s after the last sample: no gap.
        #expect(try timeline.run("90") == ["3:resolved:max"])
    }

    @Test func aLongRebootIsAGap() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99 101")
        timeline.reboot(after: .seconds(3_600))
        timeline.restart(isSameBoot: false)
        #expect(try timeline.run("90") == ["3:resolved:max:after_gap"])
    }

    @Test func aClockSetBackGivesNoTimeInTheFuture() {
        let stored = Instant(boot: BootTime(milliseconds: 500_000), wall: WallTime(milliseconds: 2_000_000))
        let now = Instant(boot: BootTime(milliseconds: 3_000), wall: WallTime(milliseconds: 1_000_000))
        #expect(stored.translated(toBootOf: now) == Instant(boot: now.boot, wall: stored.wall))
    }

    @Test func whatWasBeforeTheBootIsNegative() {
        let stored = Instant(boot: BootTime(milliseconds: 500_000), wall: WallTime(milliseconds: 1_000_000))
        let now = Instant(boot: BootTime(milliseconds: 3_000), wall: WallTime(milliseconds: 1_060_000))
        #expect(stored.translated(toBootOf: now).boot == BootTime(milliseconds: -57_000))
    }
}

extension Sequence<UInt8> {
    fileprivate func contains(sequence text: String) -> Bool {
        String(decoding: Array(self), as: UTF8.self).contains(text)
    }
}
