import Delivery
import Engine
import EventLoop
import ExchangeRates
import Feeds
import HTTP
import Market
import Replay
import TestSupport
import Testing
import Time

@testable import AlertDaemon

/// Gives one answer after the other; without any left it waits until the task is cancelled.
@LoopActor
private final class FakeRateFeed: RateFeed {
    let url: String? = "https://example.org/r.xml"
    private var answers: [Result<RateTable?, FeedFailure>]
    private(set) var asked = 0

    init(_ answers: [Result<RateTable?, FeedFailure>]) {
        self.answers = answers
    }

    func fetch() async throws(FeedFailure) -> RateTable? {
        asked += 1
        guard !answers.isEmpty else {
            _ = try? await OneShot<Void, CancellationError>().value(onCancel: CancellationError())
            throw FeedFailure(.other, "cancelled", advice: "none")
        }
        return try answers.removeFirst().get()
    }
}

private struct Noon: TimeSource {
    func now() -> Instant {
        Instant(boot: BootTime(milliseconds: 1_000), wall: WallTime(milliseconds: 1_795_176_000_000))
    }
}

@LoopActor
private func service(
    _ feed: FakeRateFeed?, clock: any TimeSource = Noon(),
    onRates: @escaping @LoopActor (RateTable, WallTime) -> Void = { _, _ in }
) -> ExchangeRateService {
    // Only errors are written, of which there are none.
    ExchangeRateService(feed, log: Log(isJournal: false, least: .error), clock: clock, onRates: onRates)
}

private let failure = FeedFailure(.timeout, "m", advice: "a")

@Suite("Rate service", .timeLimit(.minutes(10)))
struct ExchangeRateServiceTests {
    @Test func newRatesAreHandedOnOnce() async throws {
        try await onLoop {
            let feed = FakeRateFeed([.success(try rates(19)), .success(try rates(19)), .success(nil)])
            var kept: [(RateTable, WallTime)] = []
            let service = service(feed) { kept.append(($0, $1)) }
            for _ in 0..<3 { #expect(try #require(await service.fetch()) >= RetryPolicy.referenceRates.interval) }
            #expect(kept.map(\.0) == [try rates(19)])
            #expect(kept.map(\.1) == [Noon().now().wall])
        }
    }

    /// What was never there cannot stay in effect.
    @Test func onlyRatesThatThereAreStayInEffect() async throws {
        try await onLoop {
            let unusable = FeedFailure(.unusable, "m", advice: "a")
            let service = service(FakeRateFeed([.failure(unusable), .success(try rates(19)), .failure(unusable)]))
            _ = await service.fetch()
            #expect(service.state.failure?.sentence == "m; a")
            _ = await service.fetch()
            _ = await service.fetch()
            #expect(service.state.failure?.sentence == "m; the previous rates stay in effect; a")
        }
    }

    @Test func rulesGetTheRatesInForce() async throws {
        try await onLoop {
            let service = service(FakeRateFeed([]))
            #expect(service.ratesForRules == nil)
            for (day, isStale) in [(Int64(19), false), (13, true)] {
                service.restore(try rates(day), former: nil, fetched: Noon().now().wall)
                let given = try #require(service.ratesForRules)
                #expect(given == ReferenceRates(try rates(day), isStale: isStale))
            }
        }
    }

    @Test func aFailureIsAskedAgainSoonerAndKeepsTheRates() async throws {
        try await onLoop {
            let service = service(
                FakeRateFeed([.success(try rates(19)), .failure(failure), .success(try rates(18))]))
            _ = await service.fetch()
            for kind in [FeedFailure.Kind.timeout, .unusable] {
                #expect(try #require(await service.fetch()) < RetryPolicy.referenceRates.interval)
                #expect(service.state.failure?.kind == kind)
                #expect(service.state.rates == (try rates(19)))
            }
        }
    }

    @Test func ratesOfAnEarlierRunAreInEffectAtOnceAndNotFetchedAgain() async throws {
        try await onLoop {
            let feed = FakeRateFeed([])
            let service = service(feed)
            service.restore(try rates(19), former: nil, fetched: Noon().now().wall)
            #expect(service.state.rates == (try rates(19)))
            let running = Loop.shared.start { await service.run() }
            while service.state.nextDue == nil { try await sleep(for: .milliseconds(1)) }
            #expect(service.state.nextDue?.since(Noon().now().boot) == RetryPolicy.referenceRates.interval)
            #expect(feed.asked == 0)
            running.cancel()
            await running.value
        }
    }

    @Test func anotherSourceIsAskedAtOnce() async throws {
        try await onLoop {
            let old = FakeRateFeed([.success(try rates(19))])
            let service = service(old)
            let running = Loop.shared.start { await service.run() }
            while service.state.rates == nil || service.state.nextDue == nil { try await sleep(for: .milliseconds(1)) }
            let new = FakeRateFeed([.success(try rates(20))])
            service.replace(feed: new)
            while service.state.rates != (try rates(20)) { try await sleep(for: .milliseconds(1)) }
            #expect(old.asked == 1)
            service.replace(feed: nil)
            running.cancel()
            await running.value
            #expect(new.asked == 1)
        }
    }

    @Test func theFaultsOfASourceGoWithIt() async throws {
        try await onLoop {
            let service = service(FakeRateFeed([.failure(failure)]))
            _ = await service.fetch()
            #expect(service.state.failure == failure)
            service.replace(feed: nil)
            #expect(service.state.failure == nil)
        }
    }

    @Test func aRequestEndsWithTheDaemon() async throws {
        try await onLoop {
            let feed = FakeRateFeed([])
            let service = service(feed)
            let running = Loop.shared.start { await service.run() }
            while feed.asked == 0 { try await sleep(for: .milliseconds(1)) }
            running.cancel()
            await running.value
            #expect(service.state.failure == nil)
        }
    }

    /// The clock of the test stands, so that only the first request is soon enough after nothing.
    @Test func usersMayAskForAFetch() async throws {
        try await onLoop {
            let feed = FakeRateFeed([.success(try rates(20)), .failure(failure)])
            let clock = ReplayClock(Noon().now())
            let service = service(feed, clock: clock)
            service.restore(try rates(19), former: nil, fetched: clock.now().wall)
            let running = Loop.shared.start { await service.run() }
            try await service.refresh()
            #expect(service.state.rates == (try rates(20)))
            await #expect(throws: RateRefreshError.tooSoon(.seconds(10))) { try await service.refresh() }
            clock.set(clock.now().advanced(bySeconds: 10))
            try await service.refresh()
            #expect(service.state.failure == failure && feed.asked == 2)
            clock.set(clock.now().advanced(bySeconds: 10))
            // The third does not end before the daemon does.
            let waiting = Loop.shared.start { () -> RateRefreshError? in
                do throws(RateRefreshError) {
                    try await service.refresh()
                    return nil
                } catch { return error }
            }
            while feed.asked < 3 { try await sleep(for: .milliseconds(1)) }
            running.cancel()
            await running.value
            #expect(await waiting.value == .stopping)
        }
    }

    @Test func aServerThatAsksToWaitIsSpared() async throws {
        try await onLoop {
            let banned = FeedFailure(.rateLimited, "m", advice: "a", retryAfter: .seconds(60))
            let feed = FakeRateFeed([.failure(banned)])
            let clock = ReplayClock(Noon().now())
            let service = service(feed, clock: clock)
            _ = await service.fetch()
            clock.set(clock.now().advanced(bySeconds: 20))
            await #expect(throws: RateRefreshError.tooSoon(.seconds(40))) { try await service.refresh() }
            service.replace(feed: nil)
            await #expect(throws: RateRefreshError.disabled) { try await service.refresh() }
        }
    }
}
