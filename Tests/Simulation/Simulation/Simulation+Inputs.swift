internal import AlertDaemon
internal import EventLoop
internal import Events
internal import HTTP
internal import Market
internal import NaiveRules
internal import TestSupport
internal import Time

// What goes in, and what has to come out.
extension Simulation {
    /// Lets time pass.
    func pass(_ length: Milliseconds) async throws(Broken) {
        var rest = length.count
        while rest > 0 {
            let now = clock.now().boot
            let end = now.advanced(by: Milliseconds(rest))
            let stops = [exchange.nextDue, time.nextDue] + alive.map(\.rules.feedDeadline)
            let next = max(now, min(end, stops.compactMap(\.self).filter { $0 > now }.min() ?? end))
            let isLate = [exchange.nextDue, time.nextDue].compactMap(\.self).contains { $0 <= now }
            if !isLate {
                rest -= next.since(now).count
                clock.advance(to: next)
            }
            while let request = exchange.takeDue() { try await answer(request) }
            try await fire()
        }
        try checkIdlers()
    }

    private func fire() async throws(Broken) {
        let now = clock.now()
        let isDue = { (state: Hypothesis) in state.rules.feedDeadline.map { now.boot >= $0 } ?? false }
        // The timer of a feed that may be stale notices a suspend first.
        let noticesSuspend = isSuspendPending && alive.contains(where: isDue)
        if noticesSuspend { isSuspendPending = false }
        let after = alive.map { state -> (Hypothesis, [NaiveEvent]) in
            var state = state
            if noticesSuspend { state.rules.resume(at: now.boot) }
            let events = state.rules.checkFeed(at: now)
            return (state, events)
        }
        let isDeadline = after.contains { !$0.1.isEmpty }
        time.fireDue()
        await time.quiet()
        // A poll may have begun, which notices a suspend.
        let resumed = after.map { state, events -> (Hypothesis, [NaiveEvent]) in
            var state = state
            if let resume = resumedAt { state.rules.resume(at: resume) }
            return (state, events)
        }
        let hasResumed = noticesSuspend || resumedAt != nil
        resumedAt = nil
        try await settle(resumed, isCommitted: isDeadline || hasResumed)
    }

    /// The exchange is asked.
    func polled() {
        guard isSuspendPending else { return }
        isSuspendPending = false
        resumedAt = clock.now().boot
    }

    private func answer(_ request: SimulatedExchange.Request) async throws(Broken) {
        if request.isForRates { return try await answerRates(request) }
        let now = clock.now()
        tally.polls += 1
        let tickers = market.next(at: now)
        let body = ResponseText.body(tickers, seed: random.next())
        note("poll \(tally.polls): \(tickers.map { "\($0.symbol) \($0.last.map { "\($0)" } ?? "?")" })")
        if failures.count > 0 {
            failures.count -= 1
            note("it fails")
            request.answer.finish(ResponseText.failure(seed: failures.seed &+ UInt64(failures.count), body))
            await time.quiet()
            return try await settle(alive.map { ($0, []) }, isCommitted: false)
        }
        guard !tickers.isEmpty else {
            request.answer.finish(.success(HTTPResponse(status: 200, paddedBody: ResponseText.padded(body))))
            await time.quiet()
            return try await settle(alive.map { ($0, []) }, isCommitted: false)
        }
        // A reload polls at once, and a poll notices a suspend.
        let resumed = resumedAt ?? (isSuspendPending ? now.boot : nil)
        (isSuspendPending, resumedAt) = (false, nil)
        let after = alive.map { state -> (Hypothesis, [NaiveEvent]) in
            var state = state
            if let resumed { state.rules.resume(at: resumed) }
            let events = state.take(tickers, at: now)
            return (state, events)
        }
        request.answer.finish(.success(HTTPResponse(status: 200, paddedBody: ResponseText.padded(body))))
        await time.quiet()
        try await settle(after, isCommitted: true, isQuiet: isQuiet(tickers))
    }

    /// Whether no price differs from the response before.
    private func isQuiet(_ tickers: [Ticker]) -> Bool {
        let prices = tickers.compactMap { ticker in ticker.last.map { (ticker.symbol, $0) } }
            .filter { $0.1.isPositive }
        // A market without a usable price keeps the one before.
        let before = lastPrices
        lastPrices.merge(Dictionary(prices) { first, _ in first }) { $1 }
        return lastPrices == before || prices.isEmpty
    }

    private func answerRates(_ request: SimulatedExchange.Request) async throws(Broken) {
        let now = clock.now()
        let rates = SimulatedRates(seed: random.next(), day: now.wall)
        guard random.next() % 4 > 0, let table = rates.table else {
            request.answer.finish(ResponseText.failure(seed: random.next(), ""))
            await time.quiet()
            return try await settle(alive.map { ($0, []) }, isCommitted: false)
        }
        let after = alive.map { state -> (Hypothesis, [NaiveEvent]) in
            var state = state
            state.take(table, at: now.wall)
            return (state, [])
        }
        request.answer.finish(.success(HTTPResponse(status: 200, paddedBody: ResponseText.padded(rates.body))))
        await time.quiet()
        try await settle(after, isCommitted: false)
    }

    /// Something was done to the daemon by hand.
    func apply(_ change: (inout Hypothesis) -> [NaiveEvent]) async throws(Broken) {
        let after = alive.map { state -> (Hypothesis, [NaiveEvent]) in
            var state = state
            let events = change(&state)
            return (state, events)
        }
        await time.quiet()
        try await settle(after, isCommitted: true)
    }
}
