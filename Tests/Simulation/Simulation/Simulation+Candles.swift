internal import AlertDaemon
internal import Engine
internal import EventLoop
internal import HTTP
internal import Market
internal import NaiveRules
internal import TestSupport
internal import Time

// Gaps, and the candles that are looked up for them.
extension Simulation {
    /// The gaps that the daemon has yet to look up, by source.
    var daemonGaps: [SourceName: Set<NaiveGapKey>] {
        let lanes = life?.pipeline.lanes ?? []
        return Dictionary(
            uniqueKeysWithValues: lanes.map { lane in
                (
                    lane.name,
                    Set(lane.engine.gaps.map { NaiveGapKey($0.symbol, since: $0.id.since, until: $0.until) })
                )
            })
    }

    /// Answers a request for candles.
    func answer(
        _ request: SimulatedExchange.Request, _ asked: SimulatedCandles.Query, of source: SourceName
    ) async throws(Broken) {
        let now = clock.now()
        tally.candles += 1
        note("candles of \(source):\(asked.symbol) from \(asked.minutes.lowerBound) to \(asked.minutes.upperBound)")
        let before = daemonGaps[source] ?? []
        let body = SimulatedCandles.body(candles(of: source, asked.symbol, asked.minutes), asked, seed: random.next())
        if !isRecovering, random.next() % 5 == 0 {
            note("it fails")
            candleFailures[source, default: 0] += 1
            request.answer.finish(ResponseText.failure(seed: random.next(), body, mayBeEmpty: false))
            await time.quiet()
            return try await settle(alive.map { ($0, []) }, isCommitted: false)
        }
        request.answer.finish(.success(HTTPResponse(status: 200, paddedBody: ResponseText.padded(body))))
        await time.quiet()
        let found = before.subtracting(daemonGaps[source] ?? []).first { gap in
            gap.symbol == asked.symbol && gap.minutes?.upperBound == asked.minutes.upperBound
        }
        guard let found, let minutes = found.minutes else {
            return try await settle(alive.map { ($0, []) }, isCommitted: false)
        }
        let resumed = resumedAt ?? (isSuspendPending ? now.boot : nil)
        (isSuspendPending, resumedAt) = (false, nil)
        let candles = candles(of: source, found.symbol, minutes)
        let after = alive.map { state -> (Hypothesis, [NaiveEvent]) in
            var state = state
            if let resumed { state.rules.resume(at: resumed) }
            let events = state.touched(found, of: source, candles, at: now)
            return (state, events)
        }
        try await settle(after, isCommitted: true)
    }

    private func candles(of source: SourceName, _ symbol: Symbol, _ minutes: Range<WallTime>) -> [Candle] {
        let number = source.description.utf8.reduce(plan.seed) { $0 &* 31 &+ UInt64($1) }
        return SimulatedCandles.of(symbol, minutes, seed: number)
    }

    /// The state with the gaps that the daemon has; nil when it has others than allowed.
    func withDaemonGaps(_ state: Hypothesis) -> Hypothesis? {
        var state = state
        let actual = daemonGaps
        for (source, expected) in state.rules.gaps {
            let present = actual[source] ?? []
            guard present.isSubset(of: expected) else { return nil }
            for gap in expected.subtracting(present) {
                guard mayBeGivenUp(gap, of: source) else { return nil }
                state.rules.drop(gap, of: source)
            }
        }
        return state
    }

    /// Whether the daemon may know nothing of a gap.
    private func mayBeGivenUp(_ gap: NaiveGapKey, of source: SourceName) -> Bool {
        let isWanted = settings.sources.first { $0.name == source }?.catchesUp ?? false
        return !isWanted || clock.now().wall.since(gap.until) > .seconds(86_400)
            || candleFailures[source, default: 0] >= 3
    }
}
