package import Events
internal import ExchangeRates
package import Market
internal import Rules
package import Time

// Catching up on gaps: candles that are fetched later show what prices did in a gap.
extension RuleEngine {
    /// The gaps that have yet to be looked up, oldest first.
    package var gaps: [PriceGap] { catchUp.all }

    package func hasGap(_ id: PriceGap.ID) -> Bool { catchUp.contains(id) }

    /// Returns the current state of a gap; nil if it no longer has to be looked up.
    package func gap(_ id: PriceGap.ID) -> PriceGap? {
        catchUp.contains(id) ? catchUp.all.first { $0.id == id } : nil
    }

    /// Number of gaps dropped because there were too many.
    package var lostGapCount: Int { catchUp.lostCount }

    /// The gap to look up next. The nearer the symbol's current price is to a limit, relative to the price, the more
    /// urgent is a gap; among equals, the oldest is first. Nil if there are no gaps.
    package var mostUrgentGap: PriceGap? {
        var best: (gap: PriceGap, distance: Int128)?
        var known: [Symbol: [PriceGap.Watch: Int128]] = [:]
        for gap in catchUp.all {
            let distances = known[gap.symbol] ?? distances(of: gap.symbol)
            known[gap.symbol] = distances
            let nearest = gap.watches.lazy.compactMap { distances[$0] }.min() ?? .max
            if nearest < best?.distance ?? .max { best = (gap, nearest) }
        }
        return best?.gap ?? catchUp.all.first
    }

    /// Returns the distance between the price and the nearest limit of each alert of a symbol, in millionths of the
    /// price.
    private func distances(of symbol: Symbol) -> [PriceGap.Watch: Int128] {
        guard let symbolState = symbols[symbol],
            let price = symbolState.presence.lastPrice ?? symbolState.previous?.price,
            price.isPositive
        else { return [:] }
        let millionth = max(1, price.units / 1_000_000)
        var distances: [PriceGap.Watch: Int128] = [:]
        for alert in symbolState.alerts {
            guard let watch = watch(alert) else { continue }
            let limits = watch.limit.prices.compactMap(symbolState.inputs[alert.input].route.marketPrice)
            distances[watch] =
                limits.map { Int128(($0.units - price.units).magnitude / UInt128(millionth)) }.min()
        }
        return distances
    }

    /// Records the gap before a symbol's current price. Must be called before its alerts process that price.
    mutating func recordGaps(of number: Int, at time: Instant) {
        var gaps: [PriceGap] = []
        for alert in symbols[number].alerts where !alert.isExpired && !alert.state.isFiring {
            let input = symbols[number].inputs[alert.input]
            guard let now = input.now, now.isAfterGap, let before = now.previous, alert.state != .waiting,
                let watch = watch(alert)
            else { continue }
            let id = PriceGap.ID(
                symbol: symbols[number].symbol, since: before.time.wall, until: time.wall)
            if let place = gaps.firstIndex(where: { $0.id == id }) {
                gaps[place].watches.append(watch)
            } else {
                gaps.append(PriceGap(id: id, before: before.price, watches: [watch]))
            }
        }
        for gap in gaps where gap.minutes != nil { catchUp.add(gap) }
    }

    /// Returns why gaps are not looked up for an alert; nil if they are.
    func catchUpObstacle(of alert: Alert) -> CatchUpObstacle? {
        if !settings.hasCandles { return settings.ignoresCandles ? .disabled : .source }
        if ![.min, .max, .within].contains(alert.test.bound) { return .condition }
        return ruleSet.rules[alert.rule].price == .last ? nil : .price
    }

    /// Returns the alert's entry in a gap. Nil if candles cannot decide the alert, and while its limit is unknown.
    private func watch(_ alert: Alert) -> PriceGap.Watch? {
        guard catchUpObstacle(of: alert) == nil, let limit = alert.test.limit else { return nil }
        let rule = ruleSet.rules[alert.rule]
        return PriceGap.Watch(rule: rule.name, bound: alert.test.bound, limit: limit, currency: rule.currency)
    }

    /// Drops the gap entries of alerts that are gone or have started over.
    mutating func dropObsoleteGaps() {
        guard !catchUp.all.isEmpty else { return }
        var known: [Symbol: Set<PriceGap.Watch>] = [:]
        var gaps = GapList()
        swap(&gaps, &catchUp)
        gaps.replaceWatches { gap in
            let present =
                known[gap.symbol]
                ?? Set((symbols[gap.symbol]?.alerts ?? []).filter { $0.state != .waiting }.compactMap(watch))
            known[gap.symbol] = present
            return gap.watches.filter(present.contains)
        }
        swap(&gaps, &catchUp)
    }

    /// Drops gaps that cannot be looked up.
    package mutating func dropGaps(_ ids: Set<PriceGap.ID>) {
        catchUp.remove(ids)
    }

    /// Restores the stored gaps. Must be called after the alerts are restored.
    package mutating func restore(gaps: [PriceGap]) {
        catchUp.restore(gaps, watchLimit: settings.alertLimit)
        dropObsoleteGaps()
    }

    /// Drains the changes of the gaps since the last call.
    ///
    /// - Parameter isWhole: true to return all gaps.
    /// - Returns: the changes, or everything.
    package mutating func takeGapChanges(isWhole: Bool = false) -> GapChanges {
        catchUp.takeChanges(isWhole: isWhole)
    }
}

// MARK: Evaluating candles

extension RuleEngine {
    /// Finds the limits that were reached in a gap, and removes the gap. No alert changes.
    ///
    /// - Parameters:
    ///   - id: One of ``gaps``; unknown IDs have no effect.
    ///   - candles: The candles of the gap's ``PriceGap/minutes``, in the order of their times; others are ignored.
    ///   - rates: The reference rates in effect.
    ///   - time: The current time.
    /// - Returns: the events, in the order of the rules, then of their bounds.
    package mutating func touched(
        _ id: PriceGap.ID, _ candles: [Candle], rates: ReferenceRates? = nil, at time: Instant
    ) -> [Occurrence] {
        guard let gap = gap(id) else { return [] }
        catchUp.remove([id])
        guard let minutes = gap.minutes, let number = symbols.number(of: gap.symbol) else { return [] }
        routes.update(rates, pegs: settings.pegs)
        symbols.findRoutes(ofSymbol: number, by: routes, inPoll: pollCount)
        let traded = candles.filter { candle in
            candle.start >= minutes.lowerBound && candle.end <= minutes.upperBound && candle.low.isPositive
                && candle.volume.isPositive
        }
        let watches = Set(gap.watches)
        return symbols[number].alerts.compactMap { alert in
            // The rule may have expired since the last poll.
            let isOver = ruleSet.rules[alert.rule].expires.map { time.wall >= $0 } ?? false
            guard !isOver, let watch = watch(alert), watches.contains(watch) else { return nil }
            let route = symbols[number].inputs[alert.input].route
            guard route.isNone || route.path != nil, let span = TouchedSpan(alert.test, gap, traded, route.path) else {
                return nil
            }
            return occurrence(alert, of: number, gap, span, at: time)
        }
    }

    private func occurrence(
        _ alert: Alert, of number: Int, _ gap: PriceGap, _ span: TouchedSpan, at time: Instant
    ) -> Occurrence {
        let awaitsOther = ruleSet.awaitsOther(alert.rule, among: symbols[number].alerts)
        let step = step(alert, of: number, at: time, isAfterGap: false, awaitsOther: awaitsOther)
        let suppression = step.suppression(alert.notification)
        let context = ruleSet.context(of: alert, in: symbols[number])
        let action = AlertAction(
            kind: .touched, notified: suppression == nil, reason: suppression ?? .caughtUp,
            silence: suppression == .silenced ? step.silence : nil)
        return context.occurrence(action, gap, span, at: time, shown: shownPrice(context, of: span.extreme))
    }
}

/// The span of minutes in which a limit was reached.
struct TouchedSpan {
    /// The start of the first minute.
    let start: WallTime
    /// The end of the last minute.
    let end: WallTime
    /// The highest price of these minutes for a maximum, the lowest for a minimum. For a zone, the lowest price if
    /// the price was above the zone before the gap, otherwise the highest. In the market's currency.
    let extreme: Price

    /// Finds the span; nil if no candle reached the limit.
    ///
    /// - Parameters:
    ///   - test: a `min`, `max` or `within` test.
    ///   - gap: the gap, with the price before it.
    ///   - candles: candles with trades, in the order of their times.
    ///   - path: the conversion into the currency of the limit; nil if that is the market's currency.
    init?(_ test: AlertTest, _ gap: PriceGap, _ candles: [Candle], _ path: RulePath?) {
        func read(_ price: Price) -> ReadPrice {
            ReadPrice(
                price: price, time: Instant(boot: BootTime(milliseconds: 0), wall: gap.until), previous: nil,
                isAfterGap: true, path: path)
        }
        let reached: [Candle]
        let isLow: Bool
        switch test {
        case .min(let limit):
            reached = candles.filter { read($0.low).isAtMost(limit.price) }
            isLow = true
        case .max(let limit):
            reached = candles.filter { read($0.high).isAtLeast(limit.price) }
            isLow = false
        case .within(let zone):
            reached = candles.filter {
                read($0.low).isAtMost(zone.high.price) && read($0.high).isAtLeast(zone.low.price)
            }
            isLow = !read(gap.before).isAtMost(zone.high.price)
        default: return nil
        }
        guard let first = reached.first, let last = reached.last,
            let extreme = isLow ? reached.map(\.low).min() : reached.map(\.high).max()
        else { return nil }
        (start, end, self.extreme) = (first.start, last.end, extreme)
    }
}

extension AlertContext {
    /// Makes the occurrence of a limit that was reached in a gap.
    fileprivate func occurrence(
        _ action: AlertAction, _ gap: PriceGap, _ span: TouchedSpan, at time: Instant, shown: String?
    ) -> Occurrence {
        let path = input.route.path
        var occurrence = Occurrence(
            time: time.wall, kind: action.kind, rule: rule.name, symbol: symbolState.symbol, bound: bound,
            severity: rule.severity, price: input.route.shown(span.extreme), limit: limit, currency: currency,
            previous: input.route.shown(gap.before).map { PreviousPrice(price: $0, time: gap.id.since) },
            received: time.wall, conversion: path?.evidence, notified: action.notified, reason: action.reason,
            silence: action.silence, text: "")
        (occurrence.details.touchedFrom, occurrence.details.touchedUntil) = (span.start, span.end)
        if path != nil { occurrence.details.marketPrice = span.extreme }
        if action.reason == .cooldown { occurrence.details.cooldownEnd = cooldownEnd }
        if action.reason == .onlyWhile { occurrence.details.onlyWhile = rule.notification.onlyWhile }
        addOverride(in: &occurrence.details)
        occurrence.text = alert.test.text(
            touched: occurrence, market: symbolState.marketName, own: rule.ownText(for: occurrence), shown: shown)
        return occurrence
    }
}
