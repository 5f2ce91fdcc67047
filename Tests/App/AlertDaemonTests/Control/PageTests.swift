import Configuration
import Control
import Engine
import EventLoop
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
        _ page: (Int) -> ([Element], Int?)
    ) -> (elements: [Element], largest: Int) {
        var elements: [Element] = []
        var largest = 0
        var start: Int? = 0
        while let place = start {
            let found = page(place)
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
            let found = all { query.alerts(from: $0) }
            #expect(found.elements.count == 21_000 && found.largest < Self.replyLimit)
            #expect(Set(found.elements.map { "\($0.rule) \($0.symbol)" }).count == 21_000)
            let first = Array(found.elements.map(\.rule).prefix(701))
            #expect(first == Array(repeating: "rule 0", count: 700) + ["rule 1"])
            let firing = all { query.alerts(firingOnly: true, from: $0) }
            #expect(firing.elements.count == 21_000)
            let one = all { query.alerts(of: Symbol("s3inr"), from: $0) }
            #expect(one.elements.map(\.rule) == (0..<30).map { "rule \($0)" })
            #expect(query.alerts(from: .max).alerts.isEmpty && query.alerts(from: .max).next == nil)
            daemon.pipeline.stop()
        }
    }

    @Test func tenThousandSymbolsAndRules() async throws {
        try await onLoop { [self] in
            let daemon = try made(rules: 1, symbols: 10_000)
            let query = daemon.query
            let found = all { (start: Int) -> ([SymbolStatus], Int?) in
                let page = query.symbols(match: nil, quote: nil, from: start, limit: PageLimits.symbols)
                return (page.symbols, page.next)
            }
            #expect(found.elements.map(\.symbol) == (0..<10_000).map { "s\($0)inr" })
            #expect(found.largest < Self.replyLimit)
            let explained = query.engine.explain(
                rule: "rule 0", symbol: nil, at: query.clock.now(), from: 9_900, limit: 200)
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
            let found = all { query.rules(from: $0) }
            #expect(found.elements.map(\.name) == rules.map(\.name) && found.largest < Self.replyLimit)
            #expect(query.rules(from: 0).rules.count == 2)
            daemon.pipeline.stop()
        }
    }
}
