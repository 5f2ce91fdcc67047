internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time

/// One rule on one symbol and bound, notified as a list of facts that grows with the polls.
struct NaiveAlert {
    let naive: NaiveRules
    let rule: Rule
    let symbol: Symbol
    let bound: Bound

    /// The events of the last poll, one line each.
    private(set) var lines: [String] = []

    /// All usable prices until now, in the market's currency.
    private var samples: [(time: Instant, price: Fraction)] = []
    /// Of the present sample: what one unit of the market's currency is.
    private var rate = Fraction(1)
    private var hasBaseline = false
    private var side: Int?
    private var pendingSince: Instant?
    private var pendingReason = ""
    private var isFiring = false
    private var isNotified = false
    private var suppressedBy = ""
    /// The first silence that matches now.
    private var silence: Int64?
    private var isAcknowledged = false
    private var lastNotified: Instant?
    private var lastFired: Instant?
    private var isDisarmed = false
    private var owesResolve = false

    init(naive: NaiveRules, rule: Rule, symbol: Symbol, bound: Bound) {
        self.naive = naive
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
    }

    /// Whether the rule has that bound.
    var exists: Bool {
        switch (rule.condition, bound) {
        case (.band(let band), .min): band.min != nil
        case (.band(let band), .max): band.max != nil
        case (.within, .within): true
        case (.move(let move), .rise): move.direction != .down
        case (.move(let move), .fall): move.direction != .up
        case (.cross(let crossing), .crossUp): crossing.direction != .down
        case (.cross(let crossing), .crossDown): crossing.direction != .up
        default: false
        }
    }

    /// Takes the last of the polls.
    mutating func take(_ polls: ArraySlice<NaiveRules.Poll>) {
        lines = []
        guard let now = polls.last else { return }
        if now.acknowledged.contains(rule.name), isFiring, isNotified { isAcknowledged = true }
        if now.armed.contains(rule.name) { isDisarmed = false }
        let rate = naive.rate(rule, symbol, polls)
        let price = naive.price(rule, symbol, polls)
        silence =
            now.silences.first {
                ($0.rule == nil || $0.rule == rule.name) && $0.hits(symbol, rule.severity, now.time)
            }?.number
        let isSilenced = silence != nil
        let isOver = rule.expires.map { now.time.wall >= $0 } ?? false
        var isAfterGap = false
        if let price, let rate {
            isAfterGap = samples.last.map { now.time.boot.since($0.time.boot) > naive.settings.maximumGap } ?? false
            samples.append((now.time, price))
            self.rate = rate
        }
        if isOver {
            if isFiring { tell("resolved", notified: isNotified && !isSilenced, "rule_expired") }
            isFiring = false
            pendingSince = nil
            owesResolve = false
            return
        }
        guard price != nil, rate != nil else { return }
        decide(now.time, isAfterGap, isSilenced)
    }

    private mutating func decide(_ now: Instant, _ isAfterGap: Bool, _ isSilenced: Bool) {
        if case .cross(let crossing) = rule.condition {
            cross(Fraction(crossing.limit), now, isAfterGap, isSilenced)
            return
        }
        guard let isBreached = self.isBreached(now) else {
            if isAfterGap { pendingSince = nil }
            return
        }
        let isFirst = !hasBaseline
        hasBaseline = true
        if isFiring, isCleared(now) {
            end(isAfterGap, isSilenced)
        } else if isFiring {
            continueFiring(now, isSilenced)
        } else if isBreached {
            begin(now, isFirst && window == nil, isAfterGap, isSilenced)
        } else {
            pendingSince = nil
        }
        if owesResolve, !isSilenced, !isFiring {
            owesResolve = false
            tell("resolved", notified: true, "silenced")
        }
    }

    private mutating func begin(_ now: Instant, _ isBaseline: Bool, _ isAfterGap: Bool, _ isSilenced: Bool) {
        let reason = isBaseline ? "already_breached" : isAfterGap ? "after_gap" : ""
        if rule.hold == .zero {
            fire(now, reason, isSilenced)
        } else if pendingSince == nil {
            pendingSince = now
            pendingReason = reason
        } else if isAfterGap {
            pendingSince = now
            if pendingReason != "already_breached" { pendingReason = "after_gap" }
        } else if let since = pendingSince, now.boot.since(since.boot) >= rule.hold {
            fire(now, pendingReason, isSilenced)
        }
    }

    private mutating func fire(_ now: Instant, _ reason: String, _ isSilenced: Bool) {
        pendingSince = nil
        isFiring = true
        isAcknowledged = false
        suppressedBy = issue(now, isSilenced)
        isNotified = suppressedBy.isEmpty
        if isNotified { noteNotified(now) }
        tell("fired", notified: isNotified, isNotified ? reason : suppressedBy)
    }

    private func issue(_ now: Instant, _ isSilenced: Bool) -> String {
        if isDisarmed { return "disarmed" }
        if isSilenced { return "silenced" }
        if let lastFired, now.boot.since(lastFired.boot) < rule.notification.cooldown { return "cooldown" }
        return ""
    }

    private mutating func noteNotified(_ now: Instant) {
        lastNotified = now
        lastFired = now
        owesResolve = false
        if rule.notification.once { isDisarmed = true }
    }

    private mutating func continueFiring(_ now: Instant, _ isSilenced: Bool) {
        if !isNotified {
            let present = issue(now, isSilenced)
            if present.isEmpty {
                isNotified = true
                noteNotified(now)
                tell("fired", notified: true, suppressedBy)
            }
            suppressedBy = present
        } else if let interval = rule.notification.repeatAfter, let last = lastNotified, !isSilenced, !isAcknowledged,
            now.boot.since(last.boot) >= interval
        {
            lastNotified = now
            tell("repeated", notified: true, "")
        }
    }

    private mutating func end(_ isAfterGap: Bool, _ isSilenced: Bool) {
        isFiring = false
        if isNotified, isSilenced { owesResolve = true }
        if !isNotified {
            tell("resolved", notified: false, "fired_suppressed")
        } else if isSilenced {
            tell("resolved", notified: false, "silenced")
        } else {
            tell("resolved", notified: true, isAfterGap ? "after_gap" : "")
        }
    }

    private mutating func cross(_ limit: Fraction, _ now: Instant, _ isAfterGap: Bool, _ isSilenced: Bool) {
        let before = isAfterGap ? nil : side
        let value = samples[samples.count - 1].price * rate
        side = value < limit ? -1 : value == limit ? 0 : 1
        guard let before, let side else { return }
        guard bound == .crossUp ? before < 0 && side >= 0 : before > 0 && side <= 0 else { return }
        let reason = issue(now, isSilenced)
        if reason.isEmpty { noteNotified(now) }
        tell("fired", notified: reason.isEmpty, reason)
    }
}

// What the condition says.
extension NaiveAlert {
    private var window: Milliseconds? {
        if case .move(let move) = rule.condition { move.window } else { nil }
    }

    private var value: Fraction { (samples.last?.price ?? Fraction(0)) * rate }

    /// Nil when a window has fewer than two samples.
    private func isBreached(_ now: Instant) -> Bool? {
        switch rule.condition {
        case .band(let band):
            if bound == .min, let min = band.min { return value <= Fraction(min.price) }
            if let max = band.max { return value >= Fraction(max.price) }
            return nil
        case .within(let zone): return value >= Fraction(zone.low.price) && value <= Fraction(zone.high.price)
        case .move:
            guard inWindow.count >= 2, let threshold else { return nil }
            return bound == .rise ? value >= threshold : value <= threshold
        case .cross: return nil
        }
    }

    private func isCleared(_ now: Instant) -> Bool {
        switch rule.condition {
        case .band(let band):
            if bound == .min, let min = band.min {
                let level = Fraction(min.price) + distance(band.hysteresis, of: min.price)
                return band.hysteresis == nil ? value > level : value >= level
            }
            guard let max = band.max else { return false }
            let level = Fraction(max.price) - distance(band.hysteresis, of: max.price)
            return band.hysteresis == nil ? value < level : value <= level
        case .within(let zone):
            return value < Fraction(zone.low.price) - distance(zone.hysteresis, of: zone.low.price)
                || value > Fraction(zone.high.price) + distance(zone.hysteresis, of: zone.high.price)
        case .move, .cross: return isBreached(now) == false
        }
    }

    private func distance(_ distance: Distance?, of price: Price) -> Fraction {
        switch distance {
        case nil: Fraction(0)
        case .percent(let percent): Fraction(percent) / Fraction(100) * Fraction(price)
        case .amount(let amount): Fraction(amount)
        }
    }

    private var inWindow: [Fraction] {
        guard let window, let last = samples.last else { return [] }
        return samples.filter { last.time.boot.since($0.time.boot) < window }.map(\.price)
    }

    private var threshold: Fraction? {
        guard case .move(let move) = rule.condition, let low = inWindow.min(), let high = inWindow.max() else {
            return nil
        }
        let base = (bound == .rise ? low : high) * rate
        let sign = Fraction(bound == .rise ? 1 : -1)
        switch move.distance {
        case .percent(let percent): return base * (Fraction(1) + sign * Fraction(percent) / Fraction(100))
        case .amount(let amount): return base + sign * Fraction(amount)
        }
    }

    private var limit: String {
        switch rule.condition {
        case .band(let band): (bound == .min ? band.min?.price : band.max?.price).map { "\($0)" } ?? ""
        case .within(let zone): "\(zone.low.price)..\(zone.high.price)"
        case .move: inWindow.count < 2 ? "" : threshold?.shown ?? ""
        case .cross(let crossing): "\(crossing.limit)"
        }
    }

    private mutating func tell(_ kind: String, notified: Bool, _ reason: String) {
        let isEnding = reason == "rule_expired"
        let previous = isEnding ? samples.last : samples.dropLast().last
        let price = samples.last.map { ($0.price * self.rate).shown } ?? ""
        let isHeldBack = !notified && (reason == "silenced" || isEnding && isNotified)
        let parts = [
            kind, rule.name, "\(symbol)", bound.rawValue, notified ? "notified" : "suppressed", reason, price, limit,
            previous.map { ($0.price * self.rate).shown } ?? "", isHeldBack ? silence.map { "\($0)" } ?? "" : "",
        ]
        lines.append(parts.joined(separator: " "))
    }
}
