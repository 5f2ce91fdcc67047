internal import Engine
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import Market
internal import Rules
internal import Storage
internal import Time

/// The reason why the prices of two markets cannot be compared.
private struct Obstacle: Error {
    var text: String
}

extension Pipeline {
    /// Compares the prices in the checks of a source. The result never decides about an alert.
    ///
    /// - Parameters:
    ///   - lane: the source, which has ingested a response.
    ///   - now: the time when the response was received.
    /// - Returns: the occurrences.
    func compare(after lane: Lane, at now: Instant) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        var hasChanged = false
        for index in shared.checks.all.indices where shared.checks.all[index].check.isAbout(lane.name) {
            let check = shared.checks.all[index].check
            let comparison: PriceComparison
            do throws(Obstacle) {
                comparison = try self.comparison(for: check)
            } catch {
                shared.checks.all[index].obstacle = error.text
                continue
            }
            let before = shared.checks.all[index].state
            let change = shared.checks.all[index].state.observe(
                isApart: comparison.isApart, at: now, hold: check.hold, maximumGap: maximumGap(of: check),
                silence: silence(of: check, at: now))
            (shared.checks.all[index].last, shared.checks.all[index].obstacle) = ((comparison, now.wall), nil)
            hasChanged = hasChanged || shared.checks.all[index].state != before
            if let change { occurrences.append(Occurrence(change, of: check, comparison, at: now)) }
        }
        if hasChanged { shared.unsaved.insert(.checks) }
        return occurrences
    }

    /// Restores the states of an earlier run.
    func restoreChecks(_ past: StoredState) {
        let isSameBoot = stateStore.isSameBoot(as: past)
        stateStore.reportUnreadable(shared.checks.restore(past.checks, at: clock.now(), isSameBoot: isSameBoot))
        if checks.stored != past.checks { shared.unsaved.insert(.checks) }
    }

    /// Returns the longest time between two comparisons that does not count as a gap: the longer `max_gap` of the two
    /// sources.
    private func maximumGap(of check: PriceCheck) -> Milliseconds {
        [check.first, check.second].compactMap { lane($0.source)?.engine.settings.maximumGap }.max() ?? .zero
    }

    /// Returns the silence that matches either market.
    private func silence(of check: PriceCheck, at now: Instant) -> Int64? {
        [check.first, check.second].lazy.compactMap { market in
            self.lane(market.source)?.engine.silence(
                of: market.symbol, rule: check.name, check.severity, at: now)
        }.first
    }

    private func comparison(for check: PriceCheck) throws(Obstacle) -> PriceComparison {
        let (first, second) = (try price(of: check.first), try price(of: check.second))
        let reference = rates?.ratesForRules
        let lane = lane(check.second.source) ?? self.first
        let converter = CurrencyConverter(
            reference?.table, pegs: lane.engine.settings.pegs,
            markets: [lane.engine.market(of: second.currency)].compactMap(\.self))
        guard let path = try? converter.path(from: second.currency, to: first.currency) else {
            throw Obstacle(text: "no conversion path \(second.currency) → \(first.currency)")
        }
        if path.date != nil, reference?.isStale ?? true { throw Obstacle(text: "the exchange rates are too old") }
        guard let comparison = PriceComparison(first.price, second.price, by: path, within: check.within) else {
            throw Obstacle(text: "the prices are too large or too small to be compared")
        }
        return comparison
    }

    private func price(of market: PriceCheck.Market) throws(Obstacle) -> (price: Price, currency: Currency) {
        guard let lane = lane(market.source), let batch = lane.batch else {
            throw Obstacle(text: "no prices from \(market.source) yet")
        }
        guard !lane.engine.isFeedStale else { throw Obstacle(text: "the prices of \(market.source) are stale") }
        guard let ticker = batch.tickers.first(where: { $0.symbol == market.symbol }) else {
            throw Obstacle(text: "\(market.source) does not list \(market.symbol)")
        }
        guard lane.engine.condition(of: market.symbol) == .ok, let last = ticker.last, last.isPositive else {
            throw Obstacle(text: "\(market) is frozen or has no price")
        }
        guard let quote = ticker.quote?.currency else {
            throw Obstacle(text: "the currency of \(market) is not known")
        }
        return (last, quote)
    }
}

extension Occurrence {
    fileprivate init(
        _ change: DivergenceState.Change, of check: PriceCheck, _ comparison: PriceComparison, at now: Instant
    ) {
        let divergence = Divergence(
            check: check.name, source: check.second.source, symbol: check.second.symbol, price: comparison.second,
            percent: comparison.percent, within: check.within)
        var details = DecisionDetails()
        details.divergence = divergence
        self.init(
            time: now.wall, kind: change.kind, source: check.first.source, symbol: check.first.symbol,
            severity: check.severity, price: comparison.first, currency: comparison.currency, received: now.wall,
            conversion: comparison.conversion, notified: change.notified, reason: change.reason,
            silence: change.silence, details: details, text: "")
        text = Self.text(change.kind, check, comparison)
    }

    /// `wazirx:btcinr at ₹75,00,000.00 and binance:btcusdt at ₹68,00,000.00 differ by 10.29%, more than 8%`
    private static func text(_ kind: EventKind, _ check: PriceCheck, _ comparison: PriceComparison) -> String {
        let amount = { (price: Price, isRounded: Bool) in
            moneyText(price, comparison.currency, isRounded: isRounded, hasUnicode: true)
        }
        let prices =
            "\(check.first) at \(amount(comparison.first, false)) and \(check.second) at "
            + amount(comparison.second, comparison.conversion != nil)
        let percent =
            comparison.percent.mantissa < 0
            ? Price.zero.subtracting(comparison.percent) ?? comparison.percent : comparison.percent
        let hold = check.hold > .zero ? ", for \(check.hold)" : ""
        return kind == .diverged
            ? "\(prices) differ by \(percent.reduced)%, more than \(check.within.reduced)%\(hold)"
            : "\(prices) differ by \(percent.reduced)%, again within \(check.within.reduced)%\(hold)"
    }
}
