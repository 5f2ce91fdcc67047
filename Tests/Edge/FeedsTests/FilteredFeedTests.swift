import EventLoop
import Feeds
import Market
import PriceSources
import TestSupport
import Testing
import Time

@Suite(.timeLimit(.minutes(10))) struct FilteredFeedTests {
    private func symbols(keeping patterns: String...) async throws -> Result<[String], FeedFailure> {
        let patterns = try patterns.map { try #require(SymbolPattern($0)) }
        return try await onLoop {
            let whole = SimulatedFeed(seed: 1, time: FixedTime())
            let feed = FilteredFeed(whole, keeping: patterns, of: #"[[source]] "other""#)
            #expect(feed.source == .simulator && feed.url == nil)
            do {
                _ = try await feed.poll()
                return .success(try await feed.poll().symbols)
            } catch let failure as FeedFailure {
                return .failure(failure)
            }
        }
    }

    @Test func otherMarketsAreDropped() async throws {
        let kept = try await symbols(keeping: "btcusdt", "eth*").get()
        #expect(kept.contains("btcusdt") && kept.contains("ethinr"))
        #expect(kept.allSatisfy { $0 == "btcusdt" || $0.hasPrefix("eth") })
    }

    @Test func aResponseWithoutAnyOfThemIsOfNoUse() async throws {
        guard case .failure(let failure) = try await symbols(keeping: "nothing*") else {
            Issue.record("usable")
            return
        }
        #expect(failure.kind == .unusable)
        #expect(failure.message == "none of the 450 markets received matches `symbols`")
        #expect(failure.advice == #"correct `symbols` in [[source]] "other", or remove the line to keep all"#)
    }
}
