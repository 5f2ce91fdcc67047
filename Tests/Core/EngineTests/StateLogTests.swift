import Engine
import Events
import History
import Market
import NaiveRules
import Rules
import TestSupport
import Testing
import Time

/// What a store keeps: the last checkpoint, the records after it, and the alerts.
struct KeptState {
    private(set) var snapshot = EngineSnapshot(rules: [], alerts: [], checkpoint: [])

    mutating func apply(_ changes: EngineChanges) {
        switch changes {
        case .whole(let whole): snapshot = whole
        case .part(let alerts, let state):
            for new in alerts {
                snapshot.alerts.removeAll { $0.rule == new.rule && $0.symbol == new.symbol && $0.bound == new.bound }
                snapshot.alerts.append(new)
            }
            switch state {
            case .checkpoint(let parts): (snapshot.checkpoint, snapshot.records) = (parts, [])
            case .record(let record): snapshot.records.append(record.bytes)
            case nil: break
            }
        }
    }

    /// An engine restored from it.
    func engine(like old: RuleEngine, at now: Instant) -> (RuleEngine, Restoration) {
        var new = RuleEngine(rules: old.rules, settings: old.settings, start: now)
        new.restore(overrides: old.overrides)
        let restoration = new.restore(snapshot, at: now, isSameBoot: true)
        return (new, restoration)
    }
}

extension EngineSnapshot {
    /// The alerts in an order that does not depend on when they were stored.
    var inOrder: EngineSnapshot {
        var copy = self
        copy.alerts.sort { ($0.rule, $0.symbol, $0.bound.rawValue) < ($1.rule, $1.symbol, $1.bound.rawValue) }
        return copy
    }
}

@Suite("The log of the engine")
struct StateLogTests {
    /// Records add up to the state that polls left: an engine restored from them is the engine that wrote them.
    @Test func theLogLeavesTheSameStateAsTheEngine() throws {
        for seed in 0..<UInt64(LongRun.count(200, otherwise: 80)) {
            let market = try RandomMarket(seed: seed)
            var random = SplitMix(seed: seed)
            var engine = RuleEngine(
                rules: market.naive.rules, settings: market.naive.settings, start: RandomMarket.start)
            var kept = KeptState()
            kept.apply(engine.takeChanges())
            for (place, poll) in market.polls.enumerated() {
                _ = engine.tell(poll)
                kept.apply(engine.takeChanges(checkpoints: Int.random(in: 0..<12, using: &random) == 0))
                let (restored, restoration) = kept.engine(like: engine, at: poll.time)
                try #require(restoration.unreadable.isEmpty && restoration.occurrences.isEmpty)
                let isSame = restored.snapshot().inOrder == engine.snapshot().inOrder
                #expect(isSame, "seed \(seed), poll \(place)")
            }
        }
    }

    /// The events of later polls are the same whether the process was replaced at random polls or not.
    @Test func restartsAtRandomPollsChangeNothing() throws {
        for seed in 200..<400 as Range<UInt64> {
            let market = try RandomMarket(seed: seed)
            var random = SplitMix(seed: seed)
            var whole = RuleEngine(
                rules: market.naive.rules, settings: market.naive.settings, start: RandomMarket.start)
            var broken = whole
            var kept = KeptState()
            for (place, poll) in market.polls.enumerated() {
                kept.apply(broken.takeChanges())
                let notified = whole.tell(poll)
                #expect(broken.tell(poll) == notified, "seed \(seed), poll \(place)")
                kept.apply(broken.takeChanges())
                if Int.random(in: 0..<4, using: &random) == 0 { broken = kept.engine(like: broken, at: poll.time).0 }
            }
        }
    }

    @Test func theFirstChangesAreAllThereIs() throws {
        var timeline = Timeline([try .band(max: "100")])
        #expect(timeline.engine.takeChanges() == .whole(timeline.engine.snapshot()))
        #expect(timeline.engine.takeChanges().isEmpty)
    }

    @Test func aPollGivesARecordAndTheAlertsThatMoved() throws {
        var timeline = Timeline([try .band(min: "1", max: "100")])
        try timeline.run("99")
        _ = timeline.engine.takeChanges()
        try timeline.run("101")
        let fired = timeline.engine.snapshot().alerts.filter { $0.bound == .max }
        guard case .part(fired, .record(let record)?) = timeline.engine.takeChanges() else {
            Issue.record("it is not a record")
            return
        }
        #expect(!record.isUnchanged && record.bytes.count < 24)
        #expect(timeline.engine.takeChanges().isEmpty)
    }

    @Test(arguments: ["99", "~99", "?", "-"])
    func aPollInWhichNothingChangesIsOnlyItsTime(word: String) throws {
        var timeline = Timeline([try .band(max: "100", symbols: ["*inr"])])
        try timeline.run("99 \(word) \(word)")
        _ = timeline.engine.takeChanges()
        try timeline.run(word)
        guard case .part([], .record(let record)?) = timeline.engine.takeChanges() else {
            Issue.record("it is not a record")
            return
        }
        #expect(record.isUnchanged && record.bytes.count <= 12)
    }

    @Test func aReloadGivesAll() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99")
        _ = timeline.engine.takeChanges()
        _ = timeline.reload([try .band(max: "101")])
        #expect(timeline.engine.takeChanges() == .whole(timeline.engine.snapshot()))
    }

    @Test func aStartWithTheSameRulesGivesACheckpointAlone() throws {
        var timeline = Timeline([try .band(min: "1", max: "100")])
        try timeline.run("99 101")
        let snapshot = timeline.engine.snapshot()
        func changes(_ rules: [Rule], isSameBoot: Bool = true) -> EngineChanges {
            var engine = RuleEngine(rules: rules, settings: timeline.engine.settings, start: Timeline.start)
            _ = engine.restore(snapshot, at: timeline.now, isSameBoot: isSameBoot)
            return engine.takeChanges()
        }
        let rules = timeline.engine.rules
        #expect(changes(rules) == .part(alerts: [], state: .checkpoint(snapshot.checkpoint)))
        var critical = rules
        critical[0].severity = .critical
        for others in [[], critical] {
            guard case .whole = changes(others) else {
                Issue.record("it is not whole")
                return
            }
        }
        guard case .whole = changes(rules, isSameBoot: false) else {
            Issue.record("it is not whole after a boot")
            return
        }
    }

    /// Nobody takes the changes of a backtest: they must not pile up.
    @Test func aLogThatNobodyTakesIsDropped() throws {
        var timeline = Timeline([try .band(max: "100")])
        _ = timeline.engine.takeChanges()
        try timeline.run("99 98x600 97")
        let checkpoint = timeline.engine.snapshot().checkpoint
        #expect(
            timeline.engine.takeChanges()
                == .part(alerts: timeline.engine.snapshot().alerts, state: .checkpoint(checkpoint)))
    }

    @Test func aDamagedRecordEndsTheLog() throws {
        var timeline = Timeline([try .band(max: "100")])
        var kept = KeptState()
        for word in ["99", "98", "97", "96"] {
            try timeline.run(word)
            kept.apply(timeline.engine.takeChanges())
        }
        var snapshot = kept.snapshot
        try #require(snapshot.records.count == 3)
        snapshot.records[1][3] ^= 1
        #expect(timeline.restart(with: snapshot).unreadable == ["the last 2 polls of all symbols"])
        #expect(try timeline.run("101") == ["5:fired:max"])
        #expect(timeline.occurrences.last?.previous?.price == (try Price("98")))
    }

    @Test func aDamagedCheckpointStartsOver() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("99 101")
        var snapshot = timeline.engine.snapshot()
        snapshot.checkpoint[0][5] ^= 1
        #expect(timeline.restart(with: snapshot).unreadable == ["the state of all symbols"])
        #expect(try timeline.run("101 99") == ["4:resolved:max"])
    }

    /// Whatever bytes have the right checksum, reading them does not crash, and what is read can be worked with.
    @Test func tamperedBytesAreSurvived() throws {
        var random = SplitMix(seed: 1)
        var timeline = Timeline([
            try Draft(kind: .rise("5%", "5m")).rule(), try .band(max: "100", symbols: ["*", "gone"]),
        ])
        var kept = KeptState()
        for word in "99 ~98 97 ? - !96 95".split(separator: " ") {
            try timeline.run(String(word))
            kept.apply(timeline.engine.takeChanges())
        }
        let now = timeline.now
        for _ in 0..<3_000 {
            var snapshot = kept.snapshot
            if Bool.random(using: &random) {
                snapshot.checkpoint[0].tamper(&random)
            } else {
                let place = Int.random(in: snapshot.records.indices, using: &random)
                snapshot.records[place].tamper(&random)
            }
            var engine = RuleEngine(rules: timeline.engine.rules, settings: timeline.engine.settings, start: now)
            _ = engine.restore(snapshot, at: now, isSameBoot: Bool.random(using: &random))
            let ticker = Ticker(symbol: try required(Symbol("btcinr")), last: try Price("200"))
            let later = now.advanced(bySeconds: 30)
            _ = engine.evaluate(TickerBatch(tickers: [ticker], received: later))
            _ = engine.checkFeed(at: later.advanced(bySeconds: 1_000))
            _ = engine.alerts()
            _ = engine.takeChanges()
        }
    }
}

extension [UInt8] {
    /// Changes a few bytes and corrects the checksum.
    fileprivate mutating func tamper(_ random: inout SplitMix) {
        var body = Array(dropLast(4))
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 1..<body.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: body[place] = UInt8.random(in: 0...255, using: &random)
            case 1: body.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 2: body.insert(contentsOf: [UInt8](repeating: 0xFF, count: 9) + [1], at: place)
            default: if body.count > 2 { body.remove(at: place) }
            }
        }
        body.appendChecksum()
        self = body
    }
}
