package import Market

/// The state of one rule on one symbol and bound. A case holds exactly what is valid in it; a sample and an instant go
/// in, and what is to be told comes out.
package enum AlertMachine: Equatable, Sendable {
    /// No usable sample was seen yet: the first one sets the baseline.
    case waiting
    /// The limit is not reached. `owesEnd`: the end of a told firing was held back by a silence.
    case inactive(since: Instant, owesEnd: Bool)
    /// The limit is reached, but not long enough yet; `since` is the first sample that reached it.
    case pending(since: Instant, reason: Reason?, owesEnd: Bool)
    /// The limit was reached, and the price has not come back far enough.
    case firing(since: Instant, telling: FiringTelling)
    /// A crossing that has its baseline: on which side of the limit the price is, and since when.
    case poised(since: Instant, side: Side)

    /// What was told of a firing.
    package enum FiringTelling: Equatable, Sendable {
        /// Nothing, and why.
        case held(by: Reason)
        /// That it fires, last at that instant.
        case told(at: Instant, acknowledgement: Acknowledgement?)
    }

    package var isFiring: Bool {
        if case .firing = self { true } else { false }
    }

    var isToldFiring: Bool {
        if case .firing(_, .told) = self { true } else { false }
    }

    /// Why a firing was not told; nil when it was, and when nothing fires.
    var heldBy: Reason? {
        if case .firing(_, .held(let reason)) = self { reason } else { nil }
    }

    var acknowledgement: Acknowledgement? {
        if case .firing(_, .told(_, let acknowledgement)) = self { acknowledgement } else { nil }
    }

    /// Since when it is in its state; nil while it waits.
    package var since: Instant? {
        switch self {
        case .waiting: nil
        case .inactive(let since, _), .pending(let since, _, _), .firing(let since, _), .poised(let since, _): since
        }
    }
}

/// Where a price is, seen from the limit of an alert.
package enum Level: Equatable, Sendable {
    /// At or beyond the limit.
    case breached
    /// Inside the hysteresis: neither begins nor ends a firing.
    case between
    /// Far enough back.
    case cleared
}

/// Where a price is, seen from the limit of a crossing.
package enum Side: String, Sendable {
    case below
    case at
    case above
}

/// What is to be told of an alert.
package struct AlertAction: Equatable, Sendable {
    package var kind: EventKind
    package var told: Bool
    package var reason: Reason?
    /// The number of the silence that holds it back.
    package var silence: Int64?
}

/// What an alert remembers from firing to firing.
package struct TellingRecord: Equatable, Sendable {
    /// When it last told that it fires: from then on its cooldown counts.
    package var lastFired: Instant?
    /// It has told its once.
    package var isDisarmed = false

    package init() {}
}

/// All that a step depends on besides the price.
package struct AlertStep {
    package var time: Instant
    /// Whether the usable sample before was longer ago than the greatest gap.
    package var isAfterGap: Bool
    /// Whether the machine was suspended since the usable sample before.
    package var wasSuspended = false
    package var hold: Milliseconds
    package var terms: TellingTerms
    /// The number of a silence that matches; nil when none does.
    package var silence: Int64?

    package init(time: Instant, isAfterGap: Bool, hold: Milliseconds, terms: TellingTerms, silence: Int64?) {
        self.time = time
        self.isAfterGap = isAfterGap
        self.hold = hold
        self.terms = terms
        self.silence = silence
    }

    var isSilenced: Bool { silence != nil }
    var gapReason: Reason? { isAfterGap ? (wasSuspended ? .afterSuspend : .afterGap) : nil }

    /// What keeps a firing from being told now.
    func hindrance(_ record: TellingRecord) -> Reason? {
        if record.isDisarmed { return .disarmed }
        if isSilenced { return .silence }
        guard let last = record.lastFired, time.boot.since(last.boot) < terms.cooldown else { return nil }
        return .cooldown
    }
}

extension AlertMachine {
    /// Takes a usable sample.
    ///
    /// - Parameters:
    ///   - level: where the price is; nil when that cannot be said, as a window has fewer than two samples.
    ///   - baseline: the reason of a firing that begins with the first sample.
    ///   - step: when, and under which terms.
    ///   - record: what the alert remembers from firing to firing.
    /// - Returns: what is to be told, or nil.
    package mutating func see(
        _ level: Level?, baseline: Reason?, _ step: AlertStep, _ record: inout TellingRecord
    ) -> AlertAction? {
        switch self {
        case .waiting:
            guard let level else { return nil }
            self = .inactive(since: step.time, owesEnd: false)
            return level == .breached ? breach(baseline ?? step.gapReason, false, step, &record) : nil
        case .inactive(_, let owesEnd):
            return level == .breached ? breach(step.gapReason, owesEnd, step, &record) : settle(step)
        case .pending(let since, let reason, let owesEnd):
            return wait(level, since, reason, owesEnd, step, &record)
        case .firing(let since, let telling):
            return level == .cleared ? end(telling, step) : goOn(since, telling, step, &record)
        case .poised: return nil
        }
    }

    /// Takes a usable sample of a crossing.
    package mutating func cross(
        to side: Side, from origin: Side, _ step: AlertStep, _ record: inout TellingRecord
    ) -> AlertAction? {
        guard case .poised(_, let previous) = self else {
            self = .poised(since: step.time, side: side)
            return nil
        }
        guard side != previous else { return nil }
        self = .poised(since: step.time, side: side)
        guard previous == origin, !step.isAfterGap else { return nil }
        return tell(nil, step, &record)
    }

    /// Takes the end of its rule: a firing is over, and nothing is pending any more.
    package mutating func expire(_ step: AlertStep) -> AlertAction? {
        switch self {
        case .waiting, .poised, .inactive: return nil
        case .pending: self = .inactive(since: step.time, owesEnd: false)
        case .firing(_, let telling):
            self = .inactive(since: step.time, owesEnd: false)
            return AlertAction(
                kind: .resolved, told: telling.isTold && !step.isSilenced, reason: .ruleExpired,
                silence: telling.isTold ? step.silence : nil)
        }
        return nil
    }

    /// Stops the repeats of a firing that was told, or with nil lets them go on.
    ///
    /// - Returns: whether that changed anything: who was first stays.
    package mutating func acknowledge(_ new: Acknowledgement?) -> Bool {
        guard case .firing(let since, .told(let time, let old)) = self, (old == nil) != (new == nil) else {
            return false
        }
        self = .firing(since: since, telling: .told(at: time, acknowledgement: new))
        return true
    }

    private mutating func breach(
        _ reason: Reason?, _ owesEnd: Bool, _ step: AlertStep, _ record: inout TellingRecord
    ) -> AlertAction? {
        guard step.hold > .zero else { return fire(reason, step, &record) }
        self = .pending(since: step.time, reason: reason, owesEnd: owesEnd)
        return settle(step)
    }

    /// A gap makes a pending alert start anew, also where the sample after it says nothing.
    private mutating func wait(
        _ level: Level?, _ since: Instant, _ reason: Reason?, _ owesEnd: Bool, _ step: AlertStep,
        _ record: inout TellingRecord
    ) -> AlertAction? {
        guard level == .breached || (level == nil && !step.isAfterGap) else {
            self = .inactive(since: step.time, owesEnd: owesEnd)
            return settle(step)
        }
        if step.isAfterGap {
            let reason = reason == .alreadyOutside ? reason : step.gapReason
            self = .pending(since: step.time, reason: reason, owesEnd: owesEnd)
        } else if level == .breached, step.time.boot.since(since.boot) >= step.hold {
            return fire(reason, step, &record)
        }
        return settle(step)
    }

    private mutating func fire(
        _ reason: Reason?, _ step: AlertStep, _ record: inout TellingRecord
    ) -> AlertAction {
        let action = tell(reason, step, &record)
        let telling: FiringTelling =
            if action.told { .told(at: step.time, acknowledgement: nil) } else { .held(by: action.reason ?? .silence) }
        self = .firing(since: step.time, telling: telling)
        return action
    }

    private func tell(_ reason: Reason?, _ step: AlertStep, _ record: inout TellingRecord) -> AlertAction {
        if let hindrance = step.hindrance(record) {
            return AlertAction(
                kind: .fired, told: false, reason: hindrance, silence: hindrance == .silence ? step.silence : nil)
        }
        record.lastFired = step.time
        if step.terms.once { record.isDisarmed = true }
        return AlertAction(kind: .fired, told: true, reason: reason)
    }

    private mutating func end(_ telling: FiringTelling, _ step: AlertStep) -> AlertAction {
        let isHeldBack = telling.isTold && step.isSilenced
        self = .inactive(since: step.time, owesEnd: isHeldBack)
        guard telling.isTold else { return AlertAction(kind: .resolved, told: false, reason: .firedUntold) }
        return AlertAction(
            kind: .resolved, told: !isHeldBack, reason: isHeldBack ? .silence : step.gapReason,
            silence: isHeldBack ? step.silence : nil)
    }

    private mutating func goOn(
        _ since: Instant, _ telling: FiringTelling, _ step: AlertStep, _ record: inout TellingRecord
    ) -> AlertAction? {
        switch telling {
        case .held(let reason):
            if let hindrance = step.hindrance(record) {
                self = .firing(since: since, telling: .held(by: hindrance))
                return nil
            }
            self = .firing(since: since, telling: .told(at: step.time, acknowledgement: nil))
            return tell(reason, step, &record)
        case .told(let last, let acknowledgement):
            guard let interval = step.terms.repeatAfter, acknowledgement == nil, !step.isSilenced,
                step.time.boot.since(last.boot) >= interval
            else { return nil }
            self = .firing(since: since, telling: .told(at: step.time, acknowledgement: nil))
            return AlertAction(kind: .repeated, told: true, reason: nil)
        }
    }

    /// Tells the end that a silence held back, once there is none.
    private mutating func settle(_ step: AlertStep) -> AlertAction? {
        guard !step.isSilenced else { return nil }
        switch self {
        case .inactive(let since, true): self = .inactive(since: since, owesEnd: false)
        case .pending(let since, let reason, true): self = .pending(since: since, reason: reason, owesEnd: false)
        default: return nil
        }
        return AlertAction(kind: .resolved, told: true, reason: .silence)
    }
}

extension AlertMachine.FiringTelling {
    package var isTold: Bool {
        if case .told = self { true } else { false }
    }
}
