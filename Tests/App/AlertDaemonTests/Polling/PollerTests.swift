import Configuration
import Delivery
import EventLoop
import Feeds
import HTTP
import Market
import PriceSources
import Replay
import TestSupport
import Testing
import Time

@testable import AlertDaemon

/// Gives one answer after the other, each after 250 ms; without any left it waits until the task is cancelled.
@LoopActor
private final class ScriptedFeed: Feed {
    let source = PriceSource.simulator
    let url: String? = nil
    private let clock: ReplayClock
    private var answers: [FeedFailure?]
    private(set) var asked = 0

    init(_ answers: [FeedFailure?], clock: ReplayClock) {
        self.answers = answers
        self.clock = clock
    }

    func poll() async throws(FeedFailure) -> TickerBatch {
        asked += 1
        guard !answers.isEmpty else {
            _ = try? await OneShot<Void, CancellationError>().value(onCancel: CancellationError())
            throw FeedFailure(.other, "cancelled")
        }
        let answer = answers.removeFirst()
        clock.advance(by: Milliseconds(250))
        if let answer { throw answer }
        let ticker = Symbol("btcinr").map {
            Ticker(symbol: $0, quote: Asset("inr"), last: Price(mantissa: 101, scale: 0))
        }
        return TickerBatch(tickers: [ticker].compactMap(\.self), badElementCount: 2, received: clock.now())
    }
}

extension ReplayClock {
    fileprivate func advance(by length: Milliseconds) {
        let now = now()
        set(
            Instant(
                boot: now.boot.advanced(by: length),
                wall: WallTime(milliseconds: now.wall.milliseconds + length.count)))
    }
}

/// A poller with a clock that only moves by hand, so that only requests make it poll again.
@LoopActor
private final class PollScene {
    let clock = ReplayClock(SmallDaemon.start)
    let poller: Poller
    let feed: ScriptedFeed
    let settings: FeedSettings
    private let daemon: SmallDaemon
    private var running: Task<Void, Never>?
    private(set) var afterPolls = 0
    private(set) var hasEnded = false

    init(_ folder: StateFolderForTest, _ answers: [FeedFailure?]) throws {
        var settings = FeedSettings()
        settings.interval = .seconds(60)
        self.settings = settings
        daemon = try SmallDaemon(folder)
        feed = ScriptedFeed(answers, clock: clock)
        poller = Poller(
            feed, settings, lane: daemon.pipeline.first, pipeline: daemon.pipeline,
            log: Log(isJournal: false, least: .error), clock: clock)
    }

    func start() {
        running = Loop.shared.start { [weak self, poller] in
            await poller.run { self?.afterPolls += 1 }
            self?.hasEnded = true
        }
    }

    func cancel() { running?.cancel() }

    func stop() async {
        running?.cancel()
        await running?.value
        daemon.pipeline.stop()
    }

    /// Moves the clock to when another poll may be requested.
    func wait() { clock.advance(by: settings.minimumInterval) }

    /// The rest of the wait if it is too soon; nil after a poll.
    func restOfWait() async throws -> Milliseconds? {
        do throws(PollRequestError) {
            _ = try await poller.pollNow()
            return nil
        } catch {
            switch error {
            case .tooSoon(let rest): return rest
            case .notBefore(let time): return time.since(clock.now().boot)
            case .stopping: throw error
            }
        }
    }
}

private let failure = FeedFailure(.timeout, "no answer")

@Suite(.timeLimit(.minutes(10)))
struct PollerTests {
    private let folder = StateFolderForTest()

    @Test func aPollIsSummedUpAndTheNextIsDueAfterTheInterval() async throws {
        try await onLoop { [folder] in
            let scene = try PollScene(folder, [nil])
            scene.start()
            let summary = try await scene.poller.pollNow()
            #expect(summary.failure == nil && summary.symbols == 1 && summary.badElements == 2)
            #expect(summary.events == 1, "the price is beyond the limit")
            #expect(summary.duration == Milliseconds(250))
            let state = scene.poller.state
            #expect(state.polls == 1 && state.failures == 0 && state.reach == "1" && !state.isPolling)
            #expect(state.lastAttempt == SmallDaemon.start && state.lastSuccess == scene.clock.now())
            let wait = try #require(state.nextDue).since(scene.clock.now().boot)
            #expect((Milliseconds.seconds(60)...Milliseconds.seconds(61)).contains(wait))
            #expect(scene.afterPolls == 1)
            await scene.stop()
        }
    }

    @Test func aPollThatIsRequestedTooSoonIsRefusedWithTheRestOfTheWait() async throws {
        try await onLoop { [folder] in
            let scene = try PollScene(folder, [nil, nil])
            let shortest = scene.settings.minimumInterval
            scene.start()
            #expect(try await scene.restOfWait() == nil)
            // The wait begins with the poll, which took 250 ms.
            #expect(try await scene.restOfWait() == Milliseconds(shortest.count - 250))
            scene.clock.advance(by: Milliseconds(shortest.count - 251))
            #expect(try await scene.restOfWait() == Milliseconds(1))
            #expect(scene.feed.asked == 1)
            scene.clock.advance(by: Milliseconds(1))
            #expect(try await scene.restOfWait() == nil)
            #expect(scene.feed.asked == 2 && scene.poller.state.polls == 2)
            await scene.stop()
        }
    }

    @Test func failuresAreCountedUntilASuccess() async throws {
        try await onLoop { [folder] in
            let scene = try PollScene(folder, [failure, failure, nil])
            scene.start()
            for count in 1...2 {
                let summary = try await scene.poller.pollNow()
                #expect(summary.failure == failure && summary.symbols == 0 && summary.events == 0)
                #expect(summary.duration == Milliseconds(250))
                let state = scene.poller.state
                #expect(state.failures == count && state.consecutiveFailures == count && state.failure == failure)
                #expect(state.lastSuccess == nil)
                let wait = try #require(state.nextDue).since(scene.clock.now().boot)
                #expect(wait >= .seconds(60 * Int64(count)), "each failure doubles the wait")
                scene.wait()
            }
            _ = try await scene.poller.pollNow()
            let state = scene.poller.state
            #expect(state.failures == 2 && state.consecutiveFailures == 0 && state.failure == nil)
            #expect(state.reach == "001" && state.polls == 3)
            await scene.stop()
        }
    }

    /// A server that asked for a pause is not polled in it, even on request.
    @Test func theServersPauseIsObeyed() async throws {
        try await onLoop { [folder] in
            let limited = FeedFailure(.rateLimited, "too many requests", retryAfter: .seconds(900))
            let scene = try PollScene(folder, [limited, nil, nil])
            scene.start()
            #expect(try await scene.restOfWait() == nil)
            #expect(try #require(scene.poller.state.nextDue).since(scene.clock.now().boot) >= .seconds(900))
            scene.wait()
            let rest = Milliseconds(900_000 - scene.settings.minimumInterval.count)
            #expect(try await scene.restOfWait() == rest)
            scene.clock.advance(by: rest)
            #expect(try await scene.restOfWait() == nil, "the pause is over")
            #expect(scene.feed.asked == 2 && scene.poller.state.notBefore == nil)
            await scene.stop()
        }
    }

    /// A huge number costs an hour at most, and the user can poll anyway.
    @Test func aHostilePauseIsShortAndCanBeOverridden() async throws {
        try await onLoop { [folder] in
            let limited = FeedFailure(.rateLimited, "too many requests", retryAfter: Milliseconds(.max))
            let scene = try PollScene(folder, [limited, nil])
            scene.start()
            #expect(try await scene.restOfWait() == nil)
            #expect(try #require(scene.poller.state.nextDue).since(scene.clock.now().boot) <= .seconds(3_601))
            scene.wait()
            #expect(try await scene.restOfWait() == Milliseconds(3_600_000 - scene.settings.minimumInterval.count))
            let summary = try await scene.poller.pollNow(force: true)
            #expect(summary.failure == nil && scene.feed.asked == 2 && scene.poller.state.notBefore == nil)
            await scene.stop()
        }
    }

    /// The shortest interval holds even then.
    @Test func aForcedPollCannotPollWithoutEnd() async throws {
        try await onLoop { [folder] in
            let scene = try PollScene(folder, [nil, nil])
            scene.start()
            _ = try await scene.poller.pollNow(force: true)
            await #expect(throws: PollRequestError.self) { _ = try await scene.poller.pollNow(force: true) }
            #expect(scene.feed.asked == 1)
            await scene.stop()
        }
    }

    @Test(
        arguments: [
            (.rateLimited, 3_600), (.serverError, 3_600), (.banned, 259_200), (.forbidden, 3_600),
        ] as [(FeedFailure.Kind, Int64)])
    func aServerCanAskForLimitedPauses(_ kind: FeedFailure.Kind, seconds: Int64) {
        #expect(FeedFailure(kind, "", retryAfter: Milliseconds(.max)).retryAfter == .seconds(seconds))
        #expect(FeedFailure(kind, "", retryAfter: .seconds(7)).retryAfter == .seconds(7))
    }

    @Test func anotherFeedIsPolledAtOnceWithoutTheFailuresOfTheOld() async throws {
        try await onLoop { [folder] in
            let scene = try PollScene(
                folder, [FeedFailure(.rateLimited, "too many requests", retryAfter: .seconds(900))])
            scene.start()
            _ = try await scene.poller.pollNow()
            scene.wait()
            var settings = scene.settings
            settings.interval = .seconds(120)
            let new = ScriptedFeed([nil], clock: scene.clock)
            scene.poller.replace(feed: new, settings)
            #expect(scene.poller.state.failure == nil && scene.poller.state.notBefore == nil)
            _ = try await scene.poller.pollNow()
            #expect(new.asked == 1 && scene.feed.asked == 1)
            #expect(try #require(scene.poller.state.nextDue).since(scene.clock.now().boot) >= .seconds(120))
            await scene.stop()
        }
    }

    /// What looks up gaps waits for the next one without a limit.
    @Test func lookingUpGapsEndsWithThePoller() async throws {
        try await onLoop { [folder] in
            let scene = try PollScene(folder, [nil])
            scene.poller.catchUp { nil }
            scene.start()
            _ = try await scene.poller.pollNow()
            scene.cancel()
            try await until { scene.hasEnded }
            await scene.stop()
        }
    }

    /// A poll that is in progress is not begun again, and its end with the daemon is no failure.
    @Test func aRequestWaitsForThePollInProgressAndEndsWithTheDaemon() async throws {
        try await onLoop { [folder] in
            let scene = try PollScene(folder, [])
            scene.start()
            let request = Loop.shared.start { () -> Bool in
                do throws(PollRequestError) {
                    _ = try await scene.poller.pollNow()
                    return false
                } catch {
                    if case .stopping = error { return true }
                    return false
                }
            }
            while scene.feed.asked == 0 { await Task.yield() }
            #expect(scene.poller.state.isPolling && scene.poller.state.nextDue == nil)
            await scene.stop()
            #expect(await request.value)
            #expect(scene.feed.asked == 1 && scene.poller.state.failures == 0 && scene.poller.state.polls == 0)
            #expect(scene.afterPolls == 0)
        }
    }
}

struct PollStateTests {
    private let batch = TickerBatch(tickers: [], received: Instant.testStart)

    @Test(arguments: [
        ("1", "1"), ("10", "10"), ("11111111", "11111111"), ("011111111", "11111111"), ("1111000010", "11000010"),
    ])
    func theReachIsTheLastEightPolls(polls: String, reach: String) {
        var state = PollState()
        for poll in polls {
            state.begin(at: .testStart)
            if poll == "1" { state.succeed(batch) } else { state.fail(failure, at: .testStart) }
        }
        #expect(state.reach == reach && state.polls == polls.count)
        #expect(state.failures == polls.count { $0 == "0" })
        #expect(state.consecutiveFailures == polls.reversed().prefix { $0 == "0" }.count)
    }

    @Test func aPollInProgressHasNoDueTime() {
        var state = PollState()
        state.nextDue = Instant.testStart.boot
        state.begin(at: .testStart)
        #expect(state.isPolling && state.nextDue == nil && state.lastAttempt == .testStart)
        #expect(state.polls == 0 && state.lastSuccess == nil)
    }

    @Test func thePauseBeginsWithTheFailure() {
        var state = PollState()
        let banned = FeedFailure(.banned, "banned", retryAfter: .seconds(60))
        state.fail(banned, at: .testStart)
        #expect(state.notBefore == Instant.testStart.advanced(bySeconds: 60).boot)
        state.fail(failure, at: .testStart)
        #expect(state.notBefore == nil, "the last failure counts")
        state.fail(banned, at: .testStart)
        state.succeed(batch)
        #expect(state.notBefore == nil && state.lastSuccess == batch.received)
    }
}
