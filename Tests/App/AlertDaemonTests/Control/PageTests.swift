import Configuration
import Control
import Engine
import EventLoop
import Events
import JSON
import Market
import Rules
import TestSupport
import Testing
import Time

@testable import AlertDaemon

/// Lists of any length are read in pages of limited size.
@Suite(.timeLimit(.minutes(10)))
struct PageTests {
    private static let replyLimit = 1 << 20
    private let folder = StateFolderForTest()

    /// A daemon with a number of rules for `*`, and a number of symbols in its response.
    @LoopActor
    private func made(rules: Int, symbols: Int) throws -> SmallDaemon {
        let daemon = try SmallDaemon(
            folder, rules: try (0..<rules).map { try Rule.band("rule \($0)", max: "0.5", symbols: ["*"]) })
        let tickers = try (0..<symbols).map { number in
            Ticker(symbol: try required(Symbol("s\(number)inr")), quote: Asset("inr"), last: try Price("1"))
        }
        _ = daemon.pipeline.accept(TickerBatch(tickers: tickers, received: daemon.now))
        return daemon
    }

    /// All elements of a list, and the size of its largest reply.
    @LoopActor
    private func all<Element: JSONWritable>(
        _ page: (inout WorkSlices, Int) async throws -> ([Element], Int?)
    ) async throws -> (elements: [Element], largest: Int) {
        var elements: [Element] = []
        var largest = 0
        var start: Int? = 0
        var slices = WorkSlices()
        while let place = start {
            let found = try await page(&slices, place)
            largest = max(largest, found.0.reduce(0) { $0 + JSONWriter.text(of: $1).count + 1 })
            elements += found.0
            start = found.1
        }
        return (elements, largest)
    }

    @Test func moreThanTwentyThousandAlerts() async throws {
        try await onLoop { [self] in
            let daemon = try made(rules: 30, symbols: 700)
            let query = daemon.query
            let found = try await all { try await query.alerts(&$0, from: $1) }
            #expect(found.elements.count == 21_000 && found.largest < Self.replyLimit)
            #expect(Set(found.elements.map { "\($0.rule) \($0.symbol)" }).count == 21_000)
            let first = Array(found.elements.map(\.rule).prefix(701))
            #expect(first == Array(repeating: "rule 0", count: 700) + ["rule 1"])
            let firing = try await all { try await query.alerts(&$0, firingOnly: true, from: $1) }
            #expect(firing.elements.count == 21_000)
            let one = try await all { try await query.alerts(&$0, of: Symbol("s3inr"), from: $1) }
            #expect(one.elements.map(\.rule) == (0..<30).map { "rule \($0)" })
            var slices = WorkSlices()
            let beyond = try await query.alerts(&slices, from: .max)
            #expect(beyond.alerts.isEmpty && beyond.next == nil)
            daemon.pipeline.stop()
        }
    }

    @Test func tenThousandSymbolsAndRules() async throws {
        try await onLoop { [self] in
            let daemon = try made(rules: 1, symbols: 10_000)
            let query = daemon.query
            let found = try await all { slices, start -> ([SymbolStatus], Int?) in
                try await query.symbols(
                    &slices, match: nil, quote: nil, from: start, limit: PageLimits.symbols)
            }
            #expect(found.elements.map(\.symbol) == (0..<10_000).map { "s\($0)inr" })
            #expect(found.largest < Self.replyLimit)
            var slices = WorkSlices()
            let explained = try await query.explanations(&slices, ofRule: 0, nil, from: 9_900, limit: 200)
            #expect(explained.explanations.count == 100 && explained.next == nil)
            daemon.pipeline.stop()
        }
    }

    @Test func rulesEndAPageEarlyWhereTheyAreLong() async throws {
        try await onLoop { [self] in
            let symbols = (0..<1_000).map { "a\($0)inr" }
            let rules = try (0..<500).map {
                try Rule.band("rule \($0)", max: "1", symbols: $0 < 10 ? symbols : ["btcinr"])
            }
            let daemon = try SmallDaemon(folder, rules: rules)
            let query = daemon.query
            let found = try await all { try await query.rules(&$0, from: $1) }
            #expect(found.elements.map(\.name) == rules.map(\.name) && found.largest < Self.replyLimit)
            var slices = WorkSlices()
            #expect(try await query.rules(&slices, from: 0).rules.count == 2)
            daemon.pipeline.stop()
        }
    }

    /// Whatever is asked about however many alerts, polling waits for a slice of the work only.
    @Test func questionsAboutManyAlertsAreAnsweredInSlices() async throws {
        try await onLoop { [self] in
            let daemon = try made(rules: 30, symbols: 700)
            _ = try daemon.silence(3_600, "s1*")
            let query = daemon.query
            let questions: [(String, @LoopActor @Sendable (inout WorkSlices) async throws -> Void)] = [
                ("Status", { _ = try await query.health(&$0, limit: 20) }),
                ("ListRules", { _ = try await query.rules(&$0, from: 0) }),
                ("ListAlerts", { _ = try await query.alerts(&$0, firingOnly: true, from: 9_000) }),
                ("Explain", { _ = try await query.explanations(&$0, ofRule: 29, nil, from: 0, limit: 200) }),
                ("ListSilences", { _ = try await query.states(&$0, of: query.silences.records) }),
                ("Acknowledge", { _ = try await query.views(&$0, of: AlertTarget(rule: "rule 3")) }),
                ("ListTickers", { _ = try await query.symbols(&$0, match: nil, quote: nil) }),
            ]
            for (name, question) in questions {
                let turns = Turns()
                let polling = Loop.shared.start { while !turns.isOver { await turns.take() } }
                await Loop.shared.start(.client) {
                    var slices = WorkSlices()
                    try? await question(&slices)
                    turns.isOver = true
                }.value
                await polling.value
                // 21,000 alerts are at least five slices.
                #expect(turns.count >= 5, "\(name)")
            }
            daemon.pipeline.stop()
        }
    }

    /// A poll between two slices may change everything: what is no longer there is left out, and nothing traps.
    @Test func rulesMayChangeBetweenSlices() async throws {
        try await onLoop { [self] in
            let daemon = try made(rules: 30, symbols: 700)
            let query = daemon.query
            let asking = Loop.shared.start(.client) {
                var slices = WorkSlices()
                _ = try? await query.alerts(&slices, from: 0)
                _ = try? await query.rules(&slices, from: 0)
                _ = try? await query.health(&slices, limit: 20)
                _ = try? await query.explanations(&slices, ofRule: 29, nil, from: 0, limit: 200)
                return true
            }
            for count in [30, 1, 0, 12, 30, 2] {
                var settings = Settings()
                settings.rules = try (0..<count).map { try Rule.band("rule \($0)", max: "0.5", symbols: ["s1*"]) }
                _ = daemon.pipeline.reload(settings)
                await Task.yield()
            }
            #expect(await asking.value)
            daemon.pipeline.stop()
        }
    }
}

/// Counts the turns that the daemon's own work gets.
@LoopActor
private final class Turns {
    private(set) var count = 0
    var isOver = false

    func take() async {
        count += 1
        await Task.yield()
    }
}
