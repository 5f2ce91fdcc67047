package import Engine
package import Events
package import Market
internal import Rules
package import Time

/// A time in which an alert saw no usable price.
struct NaiveGap: Equatable {
    var since: WallTime
    /// In the market's currency.
    var before: Fraction
    var until: WallTime

    /// The whole minutes in it, of its last seven days; nil when there are none.
    var minutes: Range<WallTime>? {
        let minute: Int64 = 60_000
        let first = max(since.milliseconds, until.milliseconds - 7 * 1_440 * minute)
        let (start, end) = ((first + minute - 1) / minute, until.milliseconds / minute)
        return start < end
            ? WallTime(milliseconds: start * minute)..<WallTime(milliseconds: end * minute) : nil
    }
}

/// A gap of a symbol.
package struct NaiveGapKey: Hashable, Sendable {
    package var symbol: Symbol
    package var since: WallTime
    package var until: WallTime

    package init(_ symbol: Symbol, since: WallTime, until: WallTime) {
        (self.symbol, self.since, self.until) = (symbol, since, until)
    }

    /// The minutes whose candles say something about it.
    package var minutes: Range<WallTime>? {
        NaiveGap(since: since, before: Fraction(0), until: until).minutes
    }
}

// What candles say of gaps.
extension NaiveRules {
    /// The gaps that candles may say something about.
    package var gaps: Set<NaiveGapKey> {
        Set(
            alerts.flatMap { symbol, alerts in
                alerts.flatMap(\.gaps).filter { $0.minutes != nil }.map {
                    NaiveGapKey(symbol, since: $0.since, until: $0.until)
                }
            })
    }

    /// Forgets a gap of which nothing will be known.
    package mutating func drop(_ gap: NaiveGapKey) {
        for index in alerts[gap.symbol, default: []].indices {
            alerts[gap.symbol]?[index].gaps.removeAll { $0.since == gap.since && $0.until == gap.until }
        }
    }

    /// The limits that were reached in a gap, which is forgotten.
    ///
    /// - Parameters:
    ///   - key: the gap.
    ///   - candles: any candles.
    ///   - rates: those in effect; prices are those of the last poll.
    ///   - now: the present.
    ///   - silences: those in effect.
    /// - Returns: the events, in the order of the rules.
    package mutating func touched(
        _ key: NaiveGapKey, _ candles: [Candle], rates: ReferenceRates?, at now: Instant, silences: [Silence]
    ) -> [NaiveEvent] {
        let symbol = key.symbol
        var market = market
        market.rates = rates
        var events: [NaiveEvent] = []
        for place in rules.indices {
            for index in (alerts[symbol] ?? []).indices {
                guard var alert = alerts[symbol]?[index], alert.place == place,
                    let gap = alert.gaps.first(where: { $0.since == key.since && $0.until == key.until })
                else { continue }
                alerts[symbol]?[index].gaps.removeAll { $0 == gap }
                alert.awaitsOther = awaitsOther(rules[place], among: alerts[symbol] ?? [])
                let event = alert.touched(gap, candles, market, at: now, silences)
                events += event.map { [withLimitChange($0, rules[place], alert)] } ?? []
            }
        }
        return events
    }
}

extension NaiveAlert {
    fileprivate func touched(
        _ gap: NaiveGap, _ candles: [Candle], _ market: NaiveMarket, at now: Instant, _ silences: [Silence]
    ) -> NaiveEvent? {
        guard let rate = market.rate(to: rule.currency, symbol), !(rule.expires.map { now.wall >= $0 } ?? false) else {
            return nil
        }
        let inside = candles.filter { candle in
            gap.minutes?.contains(candle.start) ?? false && Fraction(0) < Fraction(candle.volume)
        }
        let touching = inside.filter { reaches(Fraction($0.low) * rate, Fraction($0.high) * rate) }
        guard let first = touching.first, let last = touching.last else { return nil }
        let lows = touching.map { Fraction($0.low) }
        let highs = touching.map { Fraction($0.high) }
        let extreme = isFromAbove(gap.before * rate) ? lows.min() : highs.max()
        let silence = silences.first { $0.hits(symbol, rule.name, rule.severity, now) }?.number
        let suppressed = suppression(now, silence)
        var event = NaiveEvent(.touched, at: now.wall)
        (event.rule, event.symbol, event.bound, event.severity) = (rule.name, symbol, bound, rule.severity)
        event.price = extreme.map { ($0 * rate).shown }
        event.limit = fixedLimit
        event.currency = (rule.currency ?? market.quote(symbol))?.description
        (event.previous, event.previousTime) = ((gap.before * rate).shown, gap.since)
        event.received = now.wall
        (event.notified, event.reason) = (suppressed == nil, suppressed ?? .caughtUp)
        if suppressed == .silenced { event.silence = silence }
        if suppressed == .onlyWhile { event.details.onlyWhile = rule.notification.onlyWhile }
        if suppressed == .cooldown { event.details.cooldownEnd = cooldownEnd }
        event.details.touchedFrom = first.start
        event.details.touchedUntil = WallTime(milliseconds: last.start.milliseconds + 60_000)
        if rule.currency.map({ $0 != market.quote(symbol) }) ?? false {
            event.rate = rate.shown
            event.details.marketPrice = extreme?.shown
        }
        return event
    }

    private func reaches(_ low: Fraction, _ high: Fraction) -> Bool {
        switch condition {
        case .band(let band):
            if bound == .min, let min = band.min { return low <= Fraction(min.price) }
            return band.max.map { high >= Fraction($0.price) } ?? false
        case .within(let zone): return low <= Fraction(zone.high.price) && high >= Fraction(zone.low.price)
        case .move, .cross, .relative: return false
        }
    }

    /// Whether the price falls to the limit.
    private func isFromAbove(_ before: Fraction) -> Bool {
        if case .within(let zone) = condition { return before > Fraction(zone.high.price) }
        return bound == .min
    }
}
