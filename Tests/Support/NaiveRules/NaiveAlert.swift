internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time

/// One rule on one symbol and bound, notified as a list of facts that grows with the polls.
struct NaiveAlert: Equatable {
    private struct Pending: Equatable {
        var since: Instant
        var reason: Reason?
    }

    /// The place of its rule.
    let place: Int
    var rule: Rule
    let symbol: Symbol
    let bound: Bound
    /// The condition of the rule without the limits that were changed at run time; for relative limits.
    var settings: Condition?
    /// What relative limits refer to.
    var origin: Price?
    /// Gaps before which it did not fire, that have yet to be looked up in candles.
    var gaps: [NaiveGap] = []
    /// The events of the last poll.
    private(set) var events: [NaiveEvent] = []

    /// Usable prices in the market's currency, as far back as its window goes; at least the last.
    private var samples: [NaiveMarket.Sample] = []
    /// Of the last usable sample: what one unit of the market's currency is.
    private var rate = Fraction(1)
    private var hasBaseline = false
    /// The first of the last samples at which it was clear while it fires.
    private var clearSince: Instant?
    /// Whether the rule that its rule names in `only_while` does not fire now.
    var awaitsOther = false
    private var side: Int?
    private var pending: Pending?
    private(set) var isFiring = false
    private var firingSince: WallTime?
    private var isNotified = false
    private var suppressedBy: Reason?
    /// The first silence that matches now.
    private var silence: Int64?
    private(set) var isAcknowledged = false
    private var lastNotified: Instant?
    private var lastFired: Instant?
    private(set) var isDisarmed = false
    private var isResolvePending = false
    /// Of the poll being taken.
    private var template = NaiveEvent(.fired, at: WallTime(milliseconds: 0))

    init(_ place: Int, _ rule: Rule, _ symbol: Symbol, _ bound: Bound, _ settings: Condition? = nil) {
        self.settings = settings
        self.place = place
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
    }

    /// The price that it looks at.
    var source: NaiveMarket.Price {
        NaiveMarket.Price(symbol: symbol, kind: rule.price, currency: rule.currency)
    }

    /// Whether the rule has that bound.
    var exists: Bool {
        switch (rule.condition, bound) {
        case (.band(let band), .min): band.min != nil
        case (.band(let band), .max): band.max != nil
        case (.relative(let band), .min): band.min != nil
        case (.relative(let band), .max): band.max != nil
        case (.within, .within): true
        case (.move(let move), .rise): move.direction != .down
        case (.move(let move), .fall): move.direction != .up
        case (.cross(let crossing), .crossUp): crossing.direction != .down
        case (.cross(let crossing), .crossDown): crossing.direction != .up
        default: false
        }
    }

    mutating func acknowledge(_ isOn: Bool) {
        if isFiring, isNotified { isAcknowledged = isOn }
    }

    mutating func arm() { isDisarmed = false }

    /// Whether it fires, or remembers what it has notified.
    func isNeeded(at now: Instant) -> Bool {
        isFiring || isResolvePending || isDisarmed || origin != nil
            || lastFired.map { now.boot.since($0.boot) < rule.notification.cooldown } ?? false
    }

    /// Takes over the state of the alert of the same rule and bound before a reload.
    mutating func takeOver(_ old: NaiveAlert) {
        let new = self
        self = NaiveAlert(new.place, new.rule, symbol, bound)
        (settings, origin) = (new.settings, old.origin)
        (samples, rate, hasBaseline, side, pending) = (old.samples, old.rate, old.hasBaseline, old.side, old.pending)
        (isFiring, isNotified, suppressedBy) = (old.isFiring, old.isNotified, old.suppressedBy)
        (firingSince, clearSince) = (old.firingSince, old.clearSince)
        gaps = old.gaps
        (isAcknowledged, lastNotified, lastFired) = (old.isAcknowledged, old.lastNotified, old.lastFired)
        (isDisarmed, isResolvePending) = (old.isDisarmed, old.isResolvePending)
    }

    mutating func translate(_ translated: (Instant) -> Instant) {
        for index in samples.indices { samples[index].time = translated(samples[index].time) }
        if let since = pending?.since { pending?.since = translated(since) }
        clearSince = clearSince.map(translated)
        lastNotified = lastNotified.map(translated)
        lastFired = lastFired.map(translated)
    }

    /// Returns the events of the last poll, once.
    mutating func takeEvents() -> [NaiveEvent] {
        defer { events = [] }
        template = NaiveEvent(.fired, at: WallTime(milliseconds: 0))
        return events
    }

    /// Takes the last poll.
    mutating func take(
        _ poll: NaiveRules.Poll, _ market: NaiveMarket, _ settings: EngineSettings, _ resumed: BootTime?
    ) {
        events = []
        let now = poll.time
        let rate = market.rate(to: rule.currency, symbol)
        let price = market.price(rule.price, symbol)
        silence = poll.silences.first { $0.hits(symbol, rule.name, rule.severity, now) }?.number
        if rule.expires.map({ now.wall >= $0 }) ?? false {
            var last = market.last[source]
            if let price, let rate {
                note(price, rate, now)
                last = NaiveMarket.Sample(time: now, price: price)
            }
            if isFiring {
                events = [ended(.ruleExpired, last, market, now)]
                events[0].details.clear = clearLevel
            }
            isFiring = false
            (pending, clearSince) = (nil, nil)
            isResolvePending = false
            return
        }
        guard let price, let rate else { return }
        let before = samples.last
        findOrigin(price, rate, before: market.last[source], now)
        note(price, rate, now)
        let isAfterGap = before.map { now.boot.since($0.time.boot) > settings.maximumGap } ?? false
        let wasSuspended = before.flatMap { before in resumed.map { before.time.boot < $0 } } ?? false
        if isAfterGap, settings.hasCandles, let before { noteGap(since: before, until: now) }
        fill(market.last[source], market, now)
        template.details.firingSince = isFiring ? firingSince : nil
        template.details.pendingFor = pending.map { now.boot.since($0.since.boot) }
        decide(now, isAfterGap ? (wasSuspended ? .afterSuspend : .afterGap) : nil)
    }

    private mutating func noteGap(since before: NaiveMarket.Sample, until now: Instant) {
        guard hasBaseline, !isFiring, rule.price == .last, [.min, .max, .within].contains(bound) else { return }
        gaps.append(NaiveGap(since: before.time.wall, before: before.price, until: now.wall))
    }

    /// When the cooldown ends that its last notified firing began.
    var cooldownEnd: WallTime? {
        lastFired.map { WallTime(milliseconds: $0.wall.milliseconds + rule.notification.cooldown.count) }
    }

    private mutating func note(_ price: Fraction, _ rate: Fraction, _ now: Instant) {
        samples.append(NaiveMarket.Sample(time: now, price: price))
        self.rate = rate
        let window = window ?? Milliseconds(1)
        samples = samples.filter { now.boot.since($0.time.boot) < window }
        if samples.isEmpty { samples = [NaiveMarket.Sample(time: now, price: price)] }
    }

    /// What every event of this sample carries.
    private mutating func fill(_ previous: NaiveMarket.Sample?, _ market: NaiveMarket, _ now: Instant) {
        template = NaiveEvent(.fired, at: now.wall)
        (template.rule, template.symbol, template.bound) = (rule.name, symbol, bound)
        template.severity = rule.severity
        template.price = value.shown
        template.limit = limit
        template.currency = (rule.currency ?? market.quote(symbol))?.description
        template.previous = previous.map { ($0.price * rate).shown }
        template.previousTime = previous?.time.wall
        template.received = now.wall
        template.exchangeTime = market.ticker(symbol)?.exchangeTime
        template.sampleAge = template.exchangeTime.map { max(.zero, now.wall.since($0)) }
        template.details.clear = clearLevel
        if let base {
            template.details.window = window
            template.details.extreme = base.shown
        }
        if rule.currency.map({ $0 != market.quote(symbol) }) ?? false {
            template.rate = rate.shown
            template.details.marketPrice = samples.last?.price.shown
        }
    }

    private mutating func decide(_ now: Instant, _ gap: Reason?) {
        if case .cross(let crossing) = rule.condition {
            cross(Fraction(crossing.limit), now, gap)
            return
        }
        guard let isBreached = self.isBreached else {
            if gap != nil { (pending, clearSince) = (nil, nil) }
            return
        }
        let isFirst = !hasBaseline
        hasBaseline = true
        countClear(now, gap)
        if let clearSince, now.boot.since(clearSince.boot) >= rule.keepFiring {
            end(gap)
        } else if isFiring {
            continueFiring(now)
        } else if isBreached {
            begin(now, isFirst && window == nil, gap)
        } else {
            pending = nil
        }
        if isResolvePending, silence == nil, !isFiring {
            isResolvePending = false
            emit(.resolved, notified: true, .silenced)
        }
    }

    private mutating func countClear(_ now: Instant, _ gap: Reason?) {
        guard isFiring, isCleared else {
            clearSince = nil
            return
        }
        if clearSince == nil || gap != nil { clearSince = now }
        guard let clearSince, rule.keepFiring > .zero else { return }
        template.details.clearFor = now.boot.since(clearSince.boot)
    }

    private mutating func begin(_ now: Instant, _ isBaseline: Bool, _ gap: Reason?) {
        let reason = isBaseline ? .alreadyBreached : gap
        if rule.hold == .zero {
            fire(now, reason)
        } else if let old = pending {
            if let gap {
                pending = Pending(since: now, reason: old.reason == .alreadyBreached ? .alreadyBreached : gap)
            } else if now.boot.since(old.since.boot) >= rule.hold {
                fire(now, old.reason)
            }
        } else {
            pending = Pending(since: now, reason: reason)
        }
    }

    private mutating func fire(_ now: Instant, _ reason: Reason?) {
        pending = nil
        isFiring = true
        firingSince = now.wall
        isAcknowledged = false
        suppressedBy = suppression(now)
        isNotified = suppressedBy == nil
        if isNotified { noteNotified(now) }
        emit(.fired, notified: isNotified, suppressedBy ?? reason)
    }

    func suppression(_ now: Instant) -> Reason? { suppression(now, silence) }

    func suppression(_ now: Instant, _ silence: Int64?) -> Reason? {
        if isDisarmed { return .disarmed }
        if silence != nil { return .silenced }
        if awaitsOther { return .onlyWhile }
        if let lastFired, now.boot.since(lastFired.boot) < rule.notification.cooldown { return .cooldown }
        return nil
    }

    private mutating func noteNotified(_ now: Instant) {
        lastNotified = now
        lastFired = now
        isResolvePending = false
        if rule.notification.once { isDisarmed = true }
    }

    private mutating func continueFiring(_ now: Instant) {
        if !isNotified {
            let present = suppression(now)
            if present == nil {
                isNotified = true
                noteNotified(now)
                emit(.fired, notified: true, suppressedBy)
            }
            suppressedBy = present
        } else if let interval = rule.notification.repeatAfter, let last = lastNotified, silence == nil,
            !isAcknowledged, now.boot.since(last.boot) >= interval
        {
            lastNotified = now
            emit(.repeated, notified: true, nil)
        }
    }

    private mutating func end(_ gap: Reason?) {
        isFiring = false
        clearSince = nil
        if isNotified, silence != nil { isResolvePending = true }
        if !isNotified {
            emit(.resolved, notified: false, .firedSuppressed)
        } else if silence != nil {
            emit(.resolved, notified: false, .silenced)
        } else {
            emit(.resolved, notified: true, gap)
        }
    }

    private mutating func cross(_ limit: Fraction, _ now: Instant, _ gap: Reason?) {
        let before = gap == nil ? side : nil
        let new = value < limit ? -1 : value == limit ? 0 : 1
        side = new
        guard let before else { return }
        guard bound == .crossUp ? before < 0 && new >= 0 : before > 0 && new <= 0 else { return }
        let reason = suppression(now)
        if reason == nil { noteNotified(now) }
        emit(.fired, notified: reason == nil, reason)
    }

    private mutating func emit(_ kind: EventKind, notified: Bool, _ reason: Reason?) {
        var event = template
        (event.kind, event.notified, event.reason) = (kind, notified, reason)
        if !notified, reason == .silenced { event.silence = silence }
        if isFiring { event.details.firingSince = firingSince }
        if reason == .onlyWhile { event.details.onlyWhile = rule.notification.onlyWhile }
        if kind != .fired { event.details.pendingFor = nil }
        if kind == .fired, !notified, reason == .cooldown {
            event.details.cooldownEnd = lastFired.map {
                WallTime(milliseconds: $0.wall.milliseconds + rule.notification.cooldown.count)
            }
        }
        events.append(event)
    }
}

// Ends that no price caused.
extension NaiveAlert {
    /// The end of a firing because its rule or limit is another one; nil when it does not fire.
    func end(_ reason: Reason, _ market: NaiveMarket, _ silences: [Silence], _ now: Instant) -> NaiveEvent? {
        guard isFiring else { return nil }
        var copy = self
        copy.silence = silences.first { $0.hits(symbol, rule.name, rule.severity, now) }?.number
        return copy.ended(reason, market.last[source], market, now)
    }

    private func ended(
        _ reason: Reason, _ last: NaiveMarket.Sample?, _ market: NaiveMarket, _ now: Instant
    ) -> NaiveEvent {
        var event = NaiveEvent(.resolved, at: now.wall)
        (event.rule, event.symbol, event.bound, event.severity) = (rule.name, symbol, bound, rule.severity)
        event.price = last.map { ($0.price * rate).shown }
        event.previous = event.price
        (event.previousTime, event.received) = (last?.time.wall, last?.time.wall)
        event.limit = limit
        event.currency = (rule.currency ?? market.quote(symbol))?.description
        if rule.currency.map({ $0 != market.quote(symbol) }) ?? false { event.rate = rate.shown }
        event.notified = isNotified && silence == nil
        event.reason = reason
        event.silence = isNotified ? silence : nil
        event.details.firingSince = firingSince
        return event
    }
}

// What the condition says.
extension NaiveAlert {
    var window: Milliseconds? {
        if case .move(let move) = condition { move.window } else { nil }
    }

    private var value: Fraction { (samples.last?.price ?? Fraction(0)) * rate }

    /// Nil when a window has fewer than two samples.
    private var isBreached: Bool? {
        switch condition {
        case .band(let band):
            if bound == .min { return band.min.map { value <= Fraction($0.price) } }
            return band.max.map { value >= Fraction($0.price) }
        case .within(let zone): return value >= Fraction(zone.low.price) && value <= Fraction(zone.high.price)
        case .move: return threshold.map { bound == .rise ? value >= $0 : value <= $0 }
        case .cross, .relative: return nil
        }
    }

    private var isCleared: Bool {
        switch condition {
        case .band(let band):
            if bound == .min {
                guard let min = band.min else { return false }
                let level = Fraction(min.price) + distance(band.hysteresis, of: min.price)
                return band.hysteresis == nil ? value > level : value >= level
            }
            guard let max = band.max else { return false }
            let level = Fraction(max.price) - distance(band.hysteresis, of: max.price)
            return band.hysteresis == nil ? value < level : value <= level
        case .within(let zone):
            return value < Fraction(zone.low.price) - distance(zone.hysteresis, of: zone.low.price)
                || value > Fraction(zone.high.price) + distance(zone.hysteresis, of: zone.high.price)
        case .move, .cross, .relative: return isBreached == false
        }
    }

    private func distance(_ distance: Distance?, of price: Price) -> Fraction {
        switch distance {
        case nil: Fraction(0)
        case .percent(let percent): Fraction(percent) / Fraction(100) * Fraction(price)
        case .amount(let amount): Fraction(amount)
        }
    }

    /// The level at which it clears, where hysteresis makes that differ from the limit.
    var clearLevel: String? {
        switch condition {
        case .band(let band):
            guard let limit = bound == .min ? band.min?.price : band.max?.price, band.hysteresis != nil else {
                return nil
            }
            let distance = distance(band.hysteresis, of: limit)
            let level = bound == .min ? Fraction(limit) + distance : Fraction(limit) - distance
            return level.exact.map { "\($0)" } ?? level.shown
        case .within(let zone):
            guard zone.hysteresis != nil else { return nil }
            let low = Fraction(zone.low.price) - distance(zone.hysteresis, of: zone.low.price)
            let high = Fraction(zone.high.price) + distance(zone.hysteresis, of: zone.high.price)
            return "\(low.shown)..\(high.shown)"
        case .move, .cross, .relative: return nil
        }
    }

    /// What a move is measured from; nil with fewer than two samples in the window.
    private var base: Fraction? {
        let prices = samples.map(\.price)
        guard window != nil, prices.count > 1, let low = prices.min(), let high = prices.max() else { return nil }
        return (bound == .rise ? low : high) * rate
    }

    private var threshold: Fraction? {
        guard case .move(let move) = condition, let base else { return nil }
        let sign = Fraction(bound == .rise ? 1 : -1)
        switch move.distance {
        case .percent(let percent): return base * (Fraction(1) + sign * Fraction(percent) / Fraction(100))
        case .amount(let amount): return base + sign * Fraction(amount)
        }
    }

    private var limit: String? {
        if case .move = condition { threshold?.shown } else { fixedLimit }
    }

    /// The limit of the rule; nil for one that moves with the price.
    var fixedLimit: String? {
        switch condition {
        case .band(let band): (bound == .min ? band.min?.price : band.max?.price).map { "\($0)" }
        case .within(let zone): "\(zone.low.price)..\(zone.high.price)"
        case .cross(let crossing): "\(crossing.limit)"
        case .move, .relative: nil
        }
    }
}
