package import AlertDaemon
internal import Configuration
package import Delivery
internal import Engine
package import EventLoop
internal import Market
package import Storage
internal import Synchronization
package import Time

/// A clock that changes only when it is set.
package final class ReplayClock: TimeSource {
    private let time: Mutex<Instant>

    package init(_ time: Instant) {
        self.time = Mutex(time)
    }

    package func now() -> Instant { time.withLock { $0 } }
    package func set(_ new: Instant) { time.withLock { $0 = new } }
}

/// The daemon's own pipeline with its own store on a ``ReplaySeries``, without waiting between polls.
@LoopActor
package final class Replay {
    package let pipeline: Pipeline
    /// The number of the next poll.
    package private(set) var next: Int

    private let series: ReplaySeries
    private let clock: ReplayClock

    /// Resumes after the last poll in the store, or begins with the first poll.
    ///
    /// - Parameters:
    ///   - series: the responses of the exchange.
    ///   - store: a closed store.
    ///   - sinks: where notified events are sent.
    ///   - next: the poll to begin with, regardless of the store.
    ///   - log: receives the messages of the daemon.
    /// - Throws: when the store is in use, or the rules are wrong.
    package init(_ series: ReplaySeries, store: Store, sinks: [any Sink], next: Int? = nil, log: Log? = nil) throws {
        self.series = series
        // The clock has to be right before the state is read: it is that of the last response.
        let begin = next ?? Self.lastPoll(in: store).map { $0 + 1 } ?? 0
        clock = ReplayClock(ReplaySeries.time(of: max(0, begin - 1)))
        self.next = begin
        var settings = Settings()
        settings.rules = try series.rules()
        settings.feed.frozenAfter = .seconds(120)
        let stateStore = StateStore(store, bootID: "the replay's", now: clock.now(), log: log)
        pipeline = Pipeline(settings, sinks: sinks, isSimulated: false, stateStore: stateStore, clock: clock)
        try pipeline.start()
    }

    /// The last poll with a response that was committed.
    private static func lastPoll(in store: Store) -> Int? {
        defer { store.close() }
        // Later than everything stored: instants are never in the future.
        let now = ReplaySeries.time(of: 100_000_000)
        guard (try? store.open(at: now.wall)) != nil, let state = try? store.restore(events: 0),
            let snapshot = state.sources.first?.engine
        else {
            return nil
        }
        return snapshot.lastPoll.map { ReplaySeries.poll(at: $0.wall) }
    }

    /// Does one poll, or lets its time pass without a response.
    package func step() {
        clock.set(ReplaySeries.time(of: next))
        if let batch = series.response(to: next) {
            _ = pipeline.accept(batch)
        } else if let deadline = pipeline.first.engine.feedDeadline, deadline <= clock.now().boot {
            pipeline.checkFeed()
        }
        next += 1
    }
}
