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
        for seed in 0..<300 as Range<UInt64> {
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
        #expect(snapshot.rules == [RuleIdentity(name: "upper", meaning: "btcinr: max 100")])
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
        #expect(
            snapshot.symbols.map(\.encodedState) == [
                "quote=inr last=101.50@1060000@1700000060000 seen=101.50/100/100/7.5 "
                    + "unchanged=1060000@1700000060000 watch=normal"
            ])
        #expect(snapshot.feed == "ok last=1060000@1700000060000")
    }

    @Test func aSymbolThatNoRuleNeedsIsNotInIt() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        #expect(timeline.engine.snapshot().symbols.map(\.symbol.description) == ["btcinr"])
    }

    @Test func whatCannotBeReadStartsAfreshAlone() throws {
        var timeline = Timeline([try .band("a", max: "100"), try .band("b", max: "100")])
        try timeline.run("101")
        var snapshot = timeline.engine.snapshot()
        snapshot.alerts[0].encodedState = "firing since=soon"
        let restoration = timeline.restart(with: snapshot)
        #expect(restoration.unreadable == ["alert “a” on btcinr (max)"])
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

    @Test(arguments: ["last=1", "seen=1/2/3 unchanged=1@1", "seen=1/2/3/x unchanged=1@1", "watch=gone", "more=1"])
    func aSymbolsMemoryThatIsWrongIsReported(_ encodedState: String) throws {
        var timeline = Timeline([try .band("a", max: "100")])
        try timeline.run("101")
        var snapshot = timeline.engine.snapshot()
        snapshot.symbols[0].encodedState = encodedState
        #expect(timeline.restart(with: snapshot).unreadable == ["symbol btcinr"])
        #expect(try timeline.run("101 99") == ["3:resolved:max"])
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
    @Test func anOutageIsToldOnce() throws {
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
        #expect(timeline.occurrences.last?.text.contains("No usable response for 2h1m") == true)
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

@Suite("Changes of the engine")
struct EngineChangesTests {
    @Test func theFirstAreAllThereIs() throws {
        var timeline = Timeline([try .band(max: "100")])
        #expect(timeline.engine.takeChanges() == .whole(timeline.engine.snapshot()))
        #expect(timeline.engine.takeChanges().isEmpty)
    }

    @Test func aPollGivesItsSymbolsAndTheAlertsThatMoved() throws {
        var timeline = Timeline([try .band(min: "1", max: "100")])
        try timeline.run("99")
        _ = timeline.engine.takeChanges()
        try timeline.run("101")
        let snapshot = timeline.engine.snapshot()
        let fired = snapshot.alerts.filter { $0.bound == .max }
        #expect(
            timeline.engine.takeChanges() == .part(alerts: fired, symbols: snapshot.symbols, feed: snapshot.feed))
        #expect(timeline.engine.takeChanges().isEmpty)
    }

    @Test func symbolsWithoutRulesAreNoChange() throws {
        var timeline = Timeline([])
        try timeline.run("99")
        _ = timeline.engine.takeChanges()
        try timeline.run("101")
        #expect(timeline.engine.takeChanges() == .part(alerts: [], symbols: [], feed: timeline.engine.snapshot().feed))
    }

    @Test func aReloadGivesAll() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        _ = timeline.engine.takeChanges()
        _ = timeline.reload([try .band(max: "101")])
        #expect(timeline.engine.takeChanges() == .whole(timeline.engine.snapshot()))
    }

    /// What a store does: it keeps the first whole and puts each change into it.
    @Test func changesAddUpToTheSnapshot() throws {
        var timeline = Timeline([
            try .band("a", min: "95", max: "105", symbols: ["*", "gone"]), try .band("b", max: "100"),
        ])
        var stored = EngineSnapshot(rules: [], alerts: [], symbols: [], feed: "")
        for word in "- 99 101 ~101x4 !90 ? 0 gap@3m 120 - . . . . 90".split(separator: " ") {
            try timeline.run(String(word).replacing("@", with: " "))
            stored.apply(timeline.engine.takeChanges())
            let snapshot = timeline.engine.snapshot()
            #expect(stored.rules == snapshot.rules && stored.feed == snapshot.feed)
            let notified = snapshot.alerts.filter { $0.state != "waiting" }
            for alert in notified { #expect(stored.alerts.contains(alert), "after \(word)") }
            for symbol in snapshot.symbols { #expect(stored.symbols.contains(symbol), "after \(word)") }
        }
    }
}

extension EngineSnapshot {
    fileprivate mutating func apply(_ changes: EngineChanges) {
        switch changes {
        case .whole(let snapshot): self = snapshot
        case .part(let newAlerts, let newSymbols, let newFeed):
            for new in newAlerts {
                alerts.removeAll { $0.rule == new.rule && $0.symbol == new.symbol && $0.bound == new.bound }
                alerts.append(new)
            }
            for new in newSymbols {
                symbols.removeAll { $0.symbol == new.symbol }
                symbols.append(new)
            }
            feed = newFeed ?? feed
        }
    }
}

@Suite("Windows across restarts")
struct WindowSeedTests {
    /// A market with one rise, restarted before the price that fires, with those prices given back that `given` names.
    private func story(_ given: [Int]) throws -> [String] {
        var timeline = Timeline([try Draft(kind: .rise("5%", "5m")).rule()])
        try timeline.run("100 101 102")
        timeline.restart()
        let need = timeline.engine.windowNeeds(at: timeline.now)
        #expect(need.map(\.symbol.description) == ["btcinr"])
        #expect(need.map(\.since.milliseconds) == [timeline.now.wall.milliseconds - 300_000])
        let samples = try given.map { price in
            let age = Int64(102 - price) * Timeline.interval.count
            let time = WallTime(milliseconds: timeline.now.wall.milliseconds - age)
            return (price: try Price("\(price)"), time: time)
        }
        timeline.engine.seedWindows(of: try required(Symbol("btcinr")), with: samples, at: timeline.now)
        return try timeline.run("105")
    }

    @Test func pricesThatAreGivenBackCount() throws {
        #expect(try story([100, 101, 102]) == ["4:fired:rise"])
    }

    @Test func whatWasBeforeTheBaselineCountsForNobody() throws {
        #expect(try story([80, 101, 102]).isEmpty)
    }

    @Test func withoutThemTheWindowFillsAnew() throws {
        #expect(try story([]).isEmpty)
    }
}
