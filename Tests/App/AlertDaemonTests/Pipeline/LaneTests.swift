import Configuration
import Engine
import EventLoop
import Events
import Foundation
import History
import Market
import Replay
import Rules
import TestSupport
import Testing
import Time
import Varlink

@testable import AlertDaemon
@testable import Storage

/// A pipeline with two sources that list the same symbol.
@LoopActor
private final class TwoSources {
    nonisolated static let first = SourceName(unchecked: "wazirx")
    nonisolated static let second = SourceName(unchecked: "kraken")

    let pipeline: Pipeline
    let sink = RecordingSink()
    private let clock: ReplayClock

    init(
        _ folder: StateFolderForTest, _ rules: [Rule], checks: [PriceCheck] = [], hasSecond: Bool = true,
        at seconds: Int64 = 0, vfs: FaultVFS? = nil
    ) throws {
        clock = ReplayClock(SmallDaemon.start.advanced(bySeconds: seconds))
        var options = StoreOptions()
        options.vfs = vfs?.name
        let store = Store(folder: folder.path, options: options)
        let stateStore = StateStore(store, bootID: "boot", now: clock.now())
        var settings = Self.settings(rules, hasSecond: hasSecond)
        settings.checks = checks
        pipeline = Pipeline(settings, sinks: [sink], isSimulated: false, stateStore: stateStore, clock: clock)
        try pipeline.start()
    }

    nonisolated static func settings(_ rules: [Rule], hasSecond: Bool) -> Settings {
        var settings = Settings()
        settings.rules = rules
        var other = FeedSettings()
        other.name = second
        settings.otherSources = hasSecond ? [other] : []
        return settings
    }

    nonisolated static func rule(_ name: String, of source: SourceName?, message: String? = nil) throws -> Rule {
        var rule = try SmallDaemon.rule(name)
        rule.source = source
        rule.message = try message.map { try MessageTemplate($0) }
        return rule
    }

    func poll(_ source: SourceName, _ price: String) throws {
        try poll(price, of: pipeline.lane(source))
    }

    func poll(_ price: String, of lane: Lane?) throws {
        clock.set(clock.now().advanced(bySeconds: 10))
        var ticker = Ticker(symbol: try #require(Symbol("btcinr")), quote: Asset("inr"), volume: try Price("5"))
        (ticker.last, ticker.bid, ticker.ask) = (try Price(price), try Price("1"), try Price("1"))
        _ = pipeline.accept(
            TickerBatch(tickers: [ticker], received: clock.now()), of: lane)
    }

    func wait(_ seconds: Int64) {
        clock.set(clock.now().advanced(bySeconds: seconds))
    }

    /// What was notified and what was not: `kraken fired`, `kraken resolved:rule_removed`.
    var story: [String] {
        sink.occurrences.map { event in
            let source = event.source.map { "\($0) " } ?? ""
            let reason = event.reason.map { ":\($0.rawValue)" } ?? ""
            return "\(source)\(event.kind.rawValue)\(reason)\(event.notified ? "" : " suppressed")"
        }
    }
}

@Suite(.timeLimit(.minutes(10)))
struct LaneTests {
    private let folder = StateFolderForTest()

    private func rules() throws -> [Rule] {
        [try TwoSources.rule("one", of: nil), try TwoSources.rule("two", of: TwoSources.second)]
    }

    @Test func aRuleSeesThePricesOfItsSourceAlone() async throws {
        try await onLoop { [folder, rules] in
            let scene = try TwoSources(folder, try rules())
            try scene.poll(TwoSources.first, "99")
            try scene.poll(TwoSources.second, "99")
            try scene.poll(TwoSources.second, "120")
            try scene.poll(TwoSources.first, "98")
            #expect(scene.story == ["kraken fired"])
            #expect(scene.sink.occurrences.first?.text.hasPrefix("kraken: ") ?? false)
            #expect(scene.pipeline.lanes.map(\.history.pollCount) == [2, 2])
            #expect(scene.pipeline.lanes.map(\.engine.firingCount) == [0, 1])
        }
    }

    /// A failure of the disk after a start must not lose what was restored and has not changed since.
    @Test func aDivergenceSurvivesAFailingDisk() async throws {
        try await onLoop { [folder] in
            let symbol = try #require(Symbol("btcinr"))
            let markets = [TwoSources.first, TwoSources.second].map { PriceCheck.Market(symbol, of: $0) }
            let check = PriceCheck(name: "gap", markets[0], markets[1], within: try Price("5"))
            let first = try TwoSources(folder, [], checks: [check])
            try first.poll(TwoSources.first, "100")
            try first.poll(TwoSources.second, "120")
            #expect(first.story == ["wazirx diverged"])
            first.pipeline.stop()
            let vfs = FaultVFS()
            let second = try TwoSources(folder, [], checks: [check], at: 60, vfs: vfs)
            vfs.arm([.write], which: 1, .device)
            try second.poll(TwoSources.first, "100.5")
            #expect(second.pipeline.stateStore.isDegraded)
            vfs.disarm()
            try second.poll(TwoSources.second, "121")
            #expect(!second.pipeline.stateStore.isDegraded)
            second.pipeline.stop()
            let third = try TwoSources(folder, [], checks: [check], at: 120)
            try third.poll(TwoSources.first, "100")
            try third.poll(TwoSources.second, "120")
            #expect(third.story == [])
            try third.poll(TwoSources.second, "101")
            #expect(third.story == ["wazirx converged"])
            third.pipeline.stop()
        }
    }

    /// A response of a source that a reload has removed may still be on its way.
    @Test func aResponseOfARemovedSourceChangesNothing() async throws {
        try await onLoop { [folder, rules] in
            let scene = try TwoSources(folder, try rules())
            let removed = try #require(scene.pipeline.lane(TwoSources.second))
            _ = scene.pipeline.reload(TwoSources.settings([try rules()[0]], hasSecond: false))
            let (story, commits) = (scene.story, try commitCount(of: "\(folder.path)/alertd.db-wal"))
            try scene.poll("120", of: removed)
            #expect(scene.story == story)
            #expect(try commitCount(of: "\(folder.path)/alertd.db-wal") == commits)
            scene.pipeline.stop()
        }
    }

    /// A poll of a source is one commit, with and without another source. After an event, another one saves that it was
    /// delivered.
    @Test(arguments: [false, true]) func aPollIsOneCommit(hasSecond: Bool) async throws {
        try await onLoop { [folder, rules] in
            let all = try rules()
            let scene = try TwoSources(folder, hasSecond ? all : [all[0]], hasSecond: hasSecond)
            let log = "\(folder.path)/alertd.db-wal"
            let start = try commitCount(of: log)
            var (polls, deliveries): ([Int], [Int]) = ([], [])
            scene.sink.onEvent = { _ in
                #expect(throws: Never.self) { deliveries.append(try commitCount(of: log)) }
            }
            for price in ["120", "99", "98", "98", "98", "121", "121", "97"] {
                for source in hasSecond ? [TwoSources.first, TwoSources.second] : [TwoSources.first] {
                    let (before, delivered) = (try commitCount(of: log), deliveries.count)
                    try scene.poll(source, price)
                    polls.append(try (deliveries.dropFirst(delivered).first ?? commitCount(of: log)) - before)
                }
            }
            #expect(polls == Array(repeating: 1, count: hasSecond ? 16 : 8))
            #expect(deliveries.count == (hasSecond ? 8 : 4))
            #expect(try commitCount(of: log) - start == polls.reduce(0, +) + deliveries.count)
            scene.pipeline.stop()
        }
    }

    @Test func aTextOfTheUserStaysAsItIs() async throws {
        try await onLoop { [folder] in
            let rule = try TwoSources.rule("two", of: TwoSources.second, message: "at {price}")
            let scene = try TwoSources(folder, [rule])
            try scene.poll(TwoSources.second, "120")
            #expect(scene.sink.occurrences.map(\.text) == ["at 120"])
        }
    }

    @Test func aTextOfTheUserMayNameTheSource() async throws {
        try await onLoop { [folder] in
            let rules = try [TwoSources.first, TwoSources.second].map { (source: SourceName) in
                try TwoSources.rule("\(source) high", of: source, message: "{price} on {source}")
            }
            let scene = try TwoSources(folder, rules)
            try scene.poll(TwoSources.second, "120")
            try scene.poll(TwoSources.first, "130")
            #expect(scene.sink.occurrences.map(\.text) == ["120 on kraken", "130 on wazirx"])
        }
    }

    @Test func eachIsStaleOnItsOwn() async throws {
        try await onLoop { [folder, rules] in
            let scene = try TwoSources(folder, try rules())
            try scene.poll(TwoSources.first, "99")
            try scene.poll(TwoSources.second, "99")
            scene.wait(85)
            try scene.poll(TwoSources.second, "99")
            for lane in scene.pipeline.lanes { scene.pipeline.checkFeed(of: lane) }
            #expect(scene.story == ["wazirx feed_stale"])
            try scene.poll(TwoSources.first, "99")
            #expect(scene.story == ["wazirx feed_stale", "wazirx feed_recovered"])
        }
    }

    @Test func aSilenceOfASourceLeavesTheOthers() async throws {
        try await onLoop { [folder, rules] in
            let scene = try TwoSources(folder, try rules())
            _ = try scene.pipeline.addSilence(
                SilenceRequest(
                    source: TwoSources.second, symbols: SymbolPattern("*"), length: .lasting(.seconds(600))),
                by: SmallDaemon.anna)
            try scene.poll(TwoSources.first, "120")
            try scene.poll(TwoSources.second, "120")
            let story = scene.story
            #expect(story == ["wazirx fired:already_breached", "kraken fired:silenced suppressed"], "\(story)")
        }
    }

    @Test func restartsContinueAllOfThem() async throws {
        try await onLoop { [folder, rules] in
            let first = try TwoSources(folder, try rules())
            try first.poll(TwoSources.first, "99")
            try first.poll(TwoSources.second, "120")
            // As after a crash: nothing is saved at the end.
            first.pipeline.stateStore.close()
            let second = try TwoSources(folder, try rules(), at: 30)
            #expect(second.pipeline.lanes.map(\.history.pollCount) == [1, 1])
            try second.poll(TwoSources.second, "121")
            try second.poll(TwoSources.first, "120")
            try second.poll(TwoSources.second, "90")
            #expect(second.story == ["wazirx fired", "kraken resolved"])
            #expect(second.sink.occurrences.count == 2)
            second.pipeline.stateStore.close()
        }
    }

    /// A source that is missing after a restart ends as in a reload; its prices are back when it is.
    @Test func aSourceThatIsGoneAfterARestartEnds() async throws {
        try await onLoop { [folder, rules] in
            let first = try TwoSources(folder, try rules())
            try first.poll(TwoSources.second, "120")
            first.pipeline.stop()
            let one = [try TwoSources.rule("one", of: nil)]
            let second = try TwoSources(folder, one, hasSecond: false, at: 30)
            #expect(second.story == ["kraken resolved:rule_removed", "rules_changed"])
            second.pipeline.stop()
            let third = try TwoSources(folder, one, hasSecond: false, at: 60)
            #expect(third.story == [], "it is over")
            let change = third.pipeline.reload(TwoSources.settings(try rules(), hasSecond: true))
            #expect(change.added.map(\.name) == [TwoSources.second] && change.rules.added == ["two"])
            #expect(third.pipeline.lane(TwoSources.second)?.history.pollCount == 1)
            try third.poll(TwoSources.second, "120")
            #expect(third.story == ["rules_changed", "kraken fired:already_breached"])
            third.pipeline.stop()
        }
    }

    /// As in a reload: in the order of the files, whatever source a rule has.
    @Test(arguments: [false, true])
    func firingsThatEndWithAStartAreInTheOrderOfTheRules(isReordered: Bool) async throws {
        try await onLoop { [folder, rules] in
            let first = try TwoSources(folder, isReordered ? try rules() : try rules().reversed())
            try first.poll(TwoSources.first, "120")
            try first.poll(TwoSources.second, "120")
            first.pipeline.stop()
            if isReordered { try TwoSources(folder, try rules().reversed(), at: 30).pipeline.stop() }
            let last = try TwoSources(folder, [], at: 60)
            let story = last.story
            let expected = ["kraken resolved:rule_removed", "wazirx resolved:rule_removed", "rules_changed"]
            #expect(story == expected, "\(story)")
            #expect(last.sink.occurrences.last?.text.contains("'two', 'one'") ?? false)
            last.pipeline.stop()
        }
    }

    @Test func aReloadEndsOrMovesAlerts() async throws {
        try await onLoop { [folder, rules] in
            let scene = try TwoSources(folder, try rules())
            try scene.poll(TwoSources.first, "120")
            try scene.poll(TwoSources.second, "120")
            let moved = [try TwoSources.rule("one", of: TwoSources.second), try TwoSources.rule("two", of: nil)]
            let change = scene.pipeline.reload(TwoSources.settings(moved, hasSecond: true))
            #expect(change.rules.changed == ["one", "two"] && change.rules.kept.isEmpty)
            #expect(
                scene.story.dropFirst(2) == [
                    "wazirx resolved:rule_changed", "kraken resolved:rule_changed", "rules_changed",
                ])
            let removed = scene.pipeline.reload(TwoSources.settings([], hasSecond: false))
            #expect(removed.removed.map(\.name) == [TwoSources.second] && removed.rules.removed == ["one", "two"])
            // A response that was on its way changes nothing.
            let late = scene.pipeline.accept(
                TickerBatch(tickers: [], received: scene.pipeline.clock.now()), of: removed.removed[0])
            #expect(late == 0)
        }
    }

    @Test func ofTwoSourcesOneHasToBeNamed() async throws {
        try await onLoop { [folder, rules] in
            let query = PipelineQuery(try TwoSources(folder, try rules()).pipeline)
            #expect(throws: VarlinkError.self) { _ = try query.oneSource(nil) }
            for name in [TwoSources.first, TwoSources.second] {
                #expect(try query.oneSource("\(name)").source == name)
            }
        }
    }

    /// The limit of memory holds for all sources together.
    @Test func sourcesShareTheMemory() async throws {
        try await onLoop { [folder, rules] in
            let scene = try TwoSources(folder, try rules())
            let limit = Settings().history.memoryBytes
            #expect(scene.pipeline.lanes.map(\.history.capacity.bytes) == [limit / 2, limit / 2])
            _ = scene.pipeline.reload(TwoSources.settings([], hasSecond: false))
            #expect(scene.pipeline.lanes.map(\.history.capacity.bytes) == [limit])
        }
    }
}

/// The number of commits in a write-ahead log of SQLite: the frames whose header has the size of the database, by
/// https://www.sqlite.org/fileformat2.html, section 4.1.
private func commitCount(of path: String) throws -> Int {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard bytes.count > 32 else { return 0 }
    let frame = 24 + number(at: 8)
    return stride(from: 32, to: bytes.count - frame + 1, by: frame).count { number(at: $0 + 4) != 0 }
}
