internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time

/// The comparison of two markets, as plainly as it can be written.
struct NaiveCheck: Equatable {
    private(set) var check: PriceCheck
    private var isDiverged = false
    /// When comparisons in a row contradicted ``isDiverged``, without a gap between them.
    private var contradictions: [Instant] = []
    /// Whether the present divergence was notified, and whether the end of an earlier one is still to be notified.
    private var isNotified = false
    private var isEndPending = false

    init(_ check: PriceCheck) {
        self.check = check
    }

    /// As the daemon stores it.
    var stored: String {
        let words = [
            isDiverged ? "diverged" : "together", isNotified ? "notified" : nil, isEndPending ? "owes_end" : nil,
        ]
        let times = [("since", contradictions.first), ("last", contradictions.last)].compactMap { name, time in
            time.map { "\(name)=\($0.boot.milliseconds)@\($0.wall.milliseconds)" }
        }
        return (words.compactMap(\.self) + times).joined(separator: " ")
    }

    /// The same check with another severity.
    func with(_ new: PriceCheck) -> NaiveCheck {
        var copy = self
        copy.check = new
        return copy
    }

    /// After a reboot, the wall clock says how long ago the last comparison was.
    mutating func translate(to now: Instant) {
        guard let last = contradictions.last else { return }
        let age = max(0, now.wall.milliseconds - last.wall.milliseconds)
        let shift = now.boot.milliseconds - age - last.boot.milliseconds
        for index in contradictions.indices {
            let time = contradictions[index]
            contradictions[index] = Instant(
                boot: time.boot.advanced(by: Milliseconds(shift)), wall: time.wall)
        }
    }

    /// Compares two prices in the currency of the first.
    ///
    /// - Parameters:
    ///   - first: the price of the first market.
    ///   - second: that of the second one, converted.
    ///   - now: when the newer one was received.
    ///   - gap: two comparisons further apart have a gap between them.
    ///   - silence: the number of a silence that matches.
    /// - Returns: what happened; without the prices.
    mutating func compare(
        _ first: Fraction, _ second: Fraction, at now: Instant, gap: Milliseconds, silence: Int64?
    ) -> NaiveEvent? {
        let tolerance = second * Fraction(check.within) / Fraction(100)
        let isApart = first > second + tolerance || first < second - tolerance
        if isApart == isDiverged {
            contradictions = []
        } else {
            if let last = contradictions.last, now.boot.since(last.boot) > gap { contradictions = [] }
            contradictions.append(now)
        }
        var event = NaiveEvent(.diverged, at: now.wall)
        if let since = contradictions.first, now.boot.since(since.boot) >= check.hold {
            contradictions = []
            isDiverged = isApart
            report(&event, silence)
            return event
        }
        // What was silenced follows.
        guard silence == nil, isDiverged ? !isNotified : isEndPending else { return nil }
        (event.kind, event.reason) = (isDiverged ? .diverged : .converged, .silenced)
        (isNotified, isEndPending) = (isDiverged, false)
        return event
    }

    private mutating func report(_ event: inout NaiveEvent, _ silence: Int64?) {
        if isDiverged {
            isNotified = silence == nil
            if isNotified { isEndPending = false } else { (event.notified, event.reason) = (false, .silenced) }
            event.silence = silence
            return
        }
        event.kind = .converged
        let isKnown = isNotified || isEndPending
        isNotified = false
        isEndPending = isKnown && silence != nil
        if !isKnown { (event.notified, event.reason) = (false, .firedSuppressed) }
        if isEndPending { (event.notified, event.reason, event.silence) = (false, .silenced, silence) }
    }
}

extension NaiveSources {
    /// The states of the checks by their names, as the daemon stores them.
    package var checkStates: [String: String] {
        Dictionary(uniqueKeysWithValues: checks.map { ($0.check.name, $0.stored) })
    }

    /// Compares the prices of all checks that a source takes part in.
    mutating func compare(after name: SourceName, _ poll: NaiveRules.Poll) -> [NaiveEvent] {
        var events: [NaiveEvent] = []
        for index in checks.indices {
            let check = checks[index].check
            guard check.first.source == name || check.second.source == name,
                let (first, currency) = price(of: check.first), let (second, other) = price(of: check.second)
            else { continue }
            var market = lane(check.second.source)?.market
            market?.rates = poll.rates
            guard let rate = market?.rate(to: currency, check.second.symbol) else { continue }
            let gaps = [check.first, check.second].compactMap { lane($0.source)?.settings.maximumGap }
            let event = checks[index].compare(
                first, second * rate, at: poll.time, gap: gaps.max() ?? .zero,
                silence: silence(of: check, poll))
            guard var event else { continue }
            fill(&event, check, (first, currency), (second, rate), isConverted: currency != other)
            event.received = poll.time.wall
            events.append(event)
        }
        return events
    }

    private func fill(
        _ event: inout NaiveEvent, _ check: PriceCheck, _ first: (price: Fraction, currency: Currency),
        _ second: (price: Fraction, rate: Fraction), isConverted: Bool
    ) {
        (event.source, event.symbol, event.severity) = (check.first.source, check.first.symbol, check.severity)
        (event.price, event.currency) = (first.price.shown, first.currency.description)
        if isConverted { event.rate = second.rate.shown }
        let shown = (second.price * second.rate).shown
        guard let rounded = try? Price(shown) else { return }
        let percent = (first.price - Fraction(rounded)) / Fraction(rounded) * Fraction(100)
        event.details.divergence =
            "\(check.second) \(shown) \(percent.rounded(places: 2)) \(check.within.reduced) \(check.name)"
    }

    private func silence(of check: PriceCheck, _ poll: NaiveRules.Poll) -> Int64? {
        for market in [check.first, check.second] {
            let found = poll.silences.first {
                ($0.source == nil || $0.source == market.source)
                    && $0.hits(market.symbol, check.name, check.severity, poll.time)
            }
            if let found { return found.number }
        }
        return nil
    }

    /// The last price of a market in the last response of a source that is not stale; nil when it cannot be used.
    private func price(of market: PriceCheck.Market) -> (Fraction, Currency)? {
        guard let lane = lanes.first(where: { $0.name == market.source }), lane.hasResponse, !lane.rules.feed.isStale,
            let price = lane.rules.market.price(.last, market.symbol),
            let quote = lane.rules.market.ticker(market.symbol)?.quote?.currency
        else { return nil }
        return (price, quote)
    }
}
