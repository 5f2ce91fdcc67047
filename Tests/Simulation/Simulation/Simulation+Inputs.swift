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
        var rounds = 0
        while rest > 0 {
            let now = clock.now().boot
            let end = now.advanced(by: Milliseconds(rest))
            let stops = [exchange.nextDue, receivers.nextDue, time.nextDue] + alive.map(\.rules.feedDeadline)
            let next = max(now, min(end, stops.compactMap(\.self).filter { $0 > now }.min() ?? end))
            let isLate = [exchange.nextDue, receivers.nextDue, time.nextDue].compactMap(\.self).contains { $0 <= now }
            if !isLate {
                rest -= next.since(now).count
                clock.advance(to: next)
            }
            // Whoever does not let time pass holds up everything else.
            rounds = clock.now().boot == now ? rounds + 1 : 0
            if rounds > Self.mostRounds { throw broken("there is always something left to do at \(now)") }
            while let request = exchange.takeDue() { try await answer(request) }
            while receivers.answerDue() {
                await time.quiet()
                try await settle(alive.map { ($0, []) }, isCommitted: !observed.isEmpty)
            }
            try await fire()
        }
        try checkIdlers()
        try checkHealthyReceivers()
    }

    /// Far more than all sources, receivers and candles can cause at the same moment.
    private static let mostRounds = 2_000

    private func fire() async throws(Broken) {
        let now = clock.now()
        // The timer of a source that may be stale notices a suspend first.
        if isSuspendPending, !dueStates.isEmpty {
            isSuspendPending = false
            resumedAt = now.boot
        } else {
            try await fireStaleTimers()
        }
        time.fireDue()
        await time.quiet()
        // A poll may have begun, which notices a suspend.
        let resumed = resumedAt
        resumedAt = nil
        let after = alive.map { state -> (Hypothesis, [NaiveEvent]) in
            var state = state
            if let resumed { state.rules.resume(at: resumed) }
            return (state, [])
        }
        try await settle(after, isCommitted: resumed != nil)
    }

    /// Fires one timer after the other while a source has to be reported as stale; which one comes first if several
    /// have to, does not matter.
    private func fireStaleTimers() async throws(Broken) {
        while !dueStates.isEmpty {
            let now = clock.now()
            guard time.fireNext() else {
                if dueStates.count == alive.count { throw broken("nobody noticed that a source is stale") }
                alive.removeAll(where: isDue)
                return
            }
            await time.quiet()
            let after = alive.flatMap { state -> [(Hypothesis, [NaiveEvent])] in
                [(state, [])]
                    + state.rules.lanes.map(\.name).map { name in
                        var state = state
                        let events = state.rules.checkFeed(of: name, at: now)
                        return (state, events)
                    }.filter { !$0.1.isEmpty }
            }
            try await settle(after, isCommitted: !observed.isEmpty)
        }
    }

    /// The states in which a source has to be reported as stale by now.
    private var dueStates: [Hypothesis] { alive.filter(isDue) }

    private func isDue(_ state: Hypothesis) -> Bool {
        state.rules.feedDeadline.map { clock.now().boot >= $0 } ?? false
    }

    /// An exchange is asked.
    func polled() {
        guard isSuspendPending else { return }
        isSuspendPending = false
        resumedAt = clock.now().boot
    }

    private func answer(_ request: SimulatedExchange.Request) async throws(Broken) {
        guard let source = request.source else { return try await answerRates(request) }
        if let candles = request.candles { return try await answer(request, candles, of: source) }
        let now = clock.now()
        tally.polls += 1
        pollCounts[source, default: 0] += 1
        let tickers = nextTickers(of: source, at: now)
        let body = ResponseText.body(tickers, seed: random.next())
        note("poll \(tally.polls) of \(source): \(tickers.map { "\($0.symbol) \($0.last.map { "\($0)" } ?? "?")" })")
        if failures.count > 0, failures.source == nil || failures.source == source {
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
        var isUnchanged = false
        let after = alive.map { state -> (Hypothesis, [NaiveEvent]) in
            var state = state
            if let resumed { state.rules.resume(at: resumed) }
            if state.takePrices(tickers, of: source) { isUnchanged = true }
            let events = state.take(tickers, of: source, at: now)
            return (state, events)
        }
        request.answer.finish(.success(HTTPResponse(status: 200, paddedBody: ResponseText.padded(body))))
        await time.quiet()
        try await settle(after, isCommitted: true, isUnchanged: isUnchanged)
    }

    private func nextTickers(of source: SourceName, at now: Instant) -> [Ticker] {
        var market = market(of: source)
        defer { markets[source] = market }
        return market.next(at: now)
    }

    /// The market of a source; of all but the standard one it is small.
    func market(of source: SourceName) -> SimulatedMarket {
        if let market = markets[source] { return market }
        guard source != SimulatedSource.standard else {
            return SimulatedMarket(size: plan.size, seed: plan.seed &* 7)
        }
        let number = source.description.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }
        return SimulatedMarket(size: Int(number % 6) + 1, seed: plan.seed &* 7 &+ number)
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
        // Without responses, nothing else would save them.
        try await settle(after, isCommitted: true)
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
