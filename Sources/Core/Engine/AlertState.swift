package import Events
package import Rules
package import Time

/// The state of one rule on one symbol and bound. A case holds exactly what is valid in it; a sample and an instant go
/// in, and what is to be notified comes out.
package enum AlertState: Equatable, Sendable {
    /// No usable sample was seen yet: the first one sets the baseline.
    case waiting
    /// The limit is not reached. `resolvePending`: the end of a notified firing was held back by a silence.
    case inactive(since: Instant, resolvePending: Bool)
    /// The limit is reached, but not long enough yet; `since` is the first sample that reached it.
    case pending(since: Instant, reason: Reason?, resolvePending: Bool)
    /// The limit was reached, and the price has not come back far enough.
    case firing(since: Instant, notification: FiringNotification)
    /// A crossing that has its baseline: on which side of the limit the price is, and since when.
    case armed(since: Instant, side: Side)

    /// What was notified of a firing.
    package enum FiringNotification: Equatable, Sendable {
        /// Nothing, and why.
        case suppressed(by: Reason)
        /// That it fires, last at that instant.
        case notified(at: Instant, acknowledgement: Acknowledgement?)
    }

    package var isFiring: Bool {
        if case .firing = self { true } else { false }
    }

    var isNotifiedFiring: Bool {
        if case .firing(_, .notified) = self { true } else { false }
    }

    /// Why a firing was not notified; nil when it was, and when nothing fires.
    var suppressedBy: Reason? {
        if case .firing(_, .suppressed(let reason)) = self { reason } else { nil }
    }

    var acknowledgement: Acknowledgement? {
        if case .firing(_, .notified(_, let acknowledgement)) = self { acknowledgement } else { nil }
    }

    /// Since when it is in its state; nil while it waits.
    package var since: Instant? {
        switch self {
        case .waiting: nil
        case .inactive(let since, _), .pending(let since, _, _), .firing(let since, _), .armed(let since, _): since
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

/// What is to be notified of an alert.
package struct AlertAction: Equatable, Sendable {
    package var kind: EventKind
    package var notified: Bool
    package var reason: Reason?
    /// The number of the silence that holds it back.
    package var silence: Int64?
}

/// What an alert remembers from firing to firing.
package struct NotificationState: Equatable, Sendable {
    /// When it last notified that it fires: from then on its cooldown counts.
    package var lastFired: Instant?
    /// It has notified its once.
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
    package var terms: NotificationPolicy
    /// The number of a silence that matches; nil when none does.
    package var silence: Int64?

    package init(time: Instant, isAfterGap: Bool, hold: Milliseconds, terms: NotificationPolicy, silence: Int64?) {
        self.time = time
        self.isAfterGap = isAfterGap
        self.hold = hold
        self.terms = terms
        self.silence = silence
    }

    var isSilenced: Bool { silence != nil }
    var gapReason: Reason? { isAfterGap ? (wasSuspended ? .afterSuspend : .afterGap) : nil }

    /// What keeps a firing from being notified now.
    func suppression(_ record: NotificationState) -> Reason? {
        if record.isDisarmed { return .disarmed }
        if isSilenced { return .silenced }
        guard let last = record.lastFired, time.boot.since(last.boot) < terms.cooldown else { return nil }
        return .cooldown
    }
}

extension AlertState {
    /// Takes a usable sample.
    ///
    /// - Parameters:
    ///   - level: where the price is; nil when that cannot be said, as a window has fewer than two samples.
    ///   - baseline: the reason of a firing that begins with the first sample.
    ///   - step: when, and under which terms.
    ///   - record: what the alert remembers from firing to firing.
    /// - Returns: what is to be notified, or nil.
    package mutating func observe(
        _ level: Level?, baseline: Reason?, _ step: AlertStep, _ record: inout NotificationState
    ) -> AlertAction? {
        switch self {
        case .waiting:
            guard let level else { return nil }
            self = .inactive(since: step.time, resolvePending: false)
            return level == .breached ? breach(baseline ?? step.gapReason, false, step, &record) : nil
        case .inactive(_, let resolvePending):
            return level == .breached
                ? breach(step.gapReason, resolvePending, step, &record) : emitDeferredResolve(step)
        case .pending(let since, let reason, let resolvePending):
            return wait(level, since, reason, resolvePending, step, &record)
        case .firing(let since, let notification):
            return level == .cleared ? end(notification, step) : continueFiring(since, notification, step, &record)
        case .armed: return nil
        }
    }

    /// Takes a usable sample of a crossing.
    package mutating func cross(
        to side: Side, from origin: Side, _ step: AlertStep, _ record: inout NotificationState
    ) -> AlertAction? {
        guard case .armed(_, let previous) = self else {
            self = .armed(since: step.time, side: side)
            return nil
        }
        guard side != previous else { return nil }
        self = .armed(since: step.time, side: side)
        guard previous == origin, !step.isAfterGap else { return nil }
        return tell(nil, step, &record)
    }

    /// Takes the end of its rule: a firing is over, and nothing is pending any more.
    package mutating func expire(_ step: AlertStep) -> AlertAction? {
        switch self {
        case .waiting, .armed, .inactive: return nil
        case .pending: self = .inactive(since: step.time, resolvePending: false)
        case .firing(_, let notification):
            self = .inactive(since: step.time, resolvePending: false)
            return AlertAction(
                kind: .resolved, notified: notification.isNotified && !step.isSilenced, reason: .ruleExpired,
                silence: notification.isNotified ? step.silence : nil)
        }
        return nil
    }

    /// Stops the repeats of a firing that was notified, or with nil lets them go on.
    ///
    /// - Returns: whether that changed anything: who was first stays.
    package mutating func acknowledge(_ new: Acknowledgement?) -> Bool {
        guard case .firing(let since, .notified(let time, let old)) = self, (old == nil) != (new == nil) else {
            return false
        }
        self = .firing(since: since, notification: .notified(at: time, acknowledgement: new))
        return true
    }

    private mutating func breach(
        _ reason: Reason?, _ resolvePending: Bool, _ step: AlertStep, _ record: inout NotificationState
    ) -> AlertAction? {
        guard step.hold > .zero else { return fire(reason, step, &record) }
        self = .pending(since: step.time, reason: reason, resolvePending: resolvePending)
        return emitDeferredResolve(step)
    }

    /// A gap makes a pending alert start anew, also where the sample after it says nothing.
    private mutating func wait(
        _ level: Level?, _ since: Instant, _ reason: Reason?, _ resolvePending: Bool, _ step: AlertStep,
        _ record: inout NotificationState
    ) -> AlertAction? {
        guard level == .breached || (level == nil && !step.isAfterGap) else {
            self = .inactive(since: step.time, resolvePending: resolvePending)
            return emitDeferredResolve(step)
        }
        if step.isAfterGap {
            let reason = reason == .alreadyBreached ? reason : step.gapReason
            self = .pending(since: step.time, reason: reason, resolvePending: resolvePending)
        } else if level == .breached, step.time.boot.since(since.boot) >= step.hold {
            return fire(reason, step, &record)
        }
        return emitDeferredResolve(step)
    }

    private mutating func fire(
        _ reason: Reason?, _ step: AlertStep, _ record: inout NotificationState
    ) -> AlertAction {
        let action = tell(reason, step, &record)
        let notification: FiringNotification =
            if action.notified { .notified(at: step.time, acknowledgement: nil) } else {
                .suppressed(by: action.reason ?? .silenced)
            }
        self = .firing(since: step.time, notification: notification)
        return action
    }

    private func tell(_ reason: Reason?, _ step: AlertStep, _ record: inout NotificationState) -> AlertAction {
        if let suppression = step.suppression(record) {
            return AlertAction(
                kind: .fired, notified: false, reason: suppression,
                silence: suppression == .silenced ? step.silence : nil)
        }
        record.lastFired = step.time
        if step.terms.once { record.isDisarmed = true }
        return AlertAction(kind: .fired, notified: true, reason: reason)
    }

    private mutating func end(_ notification: FiringNotification, _ step: AlertStep) -> AlertAction {
        let isHeldBack = notification.isNotified && step.isSilenced
        self = .inactive(since: step.time, resolvePending: isHeldBack)
        guard notification.isNotified else {
            return AlertAction(kind: .resolved, notified: false, reason: .firedSuppressed)
        }
        return AlertAction(
            kind: .resolved, notified: !isHeldBack, reason: isHeldBack ? .silenced : step.gapReason,
            silence: isHeldBack ? step.silence : nil)
    }

    private mutating func continueFiring(
        _ since: Instant, _ notification: FiringNotification, _ step: AlertStep, _ record: inout NotificationState
    ) -> AlertAction? {
        switch notification {
        case .suppressed(let reason):
            if let suppression = step.suppression(record) {
                self = .firing(since: since, notification: .suppressed(by: suppression))
                return nil
            }
            self = .firing(since: since, notification: .notified(at: step.time, acknowledgement: nil))
            return tell(reason, step, &record)
        case .notified(let last, let acknowledgement):
            guard let interval = step.terms.repeatAfter, acknowledgement == nil, !step.isSilenced,
                step.time.boot.since(last.boot) >= interval
            else { return nil }
            self = .firing(since: since, notification: .notified(at: step.time, acknowledgement: nil))
            return AlertAction(kind: .repeated, notified: true, reason: nil)
        }
    }

    /// Tells the end that a silence held back, once there is none.
    private mutating func emitDeferredResolve(_ step: AlertStep) -> AlertAction? {
        guard !step.isSilenced else { return nil }
        switch self {
        case .inactive(let since, true): self = .inactive(since: since, resolvePending: false)
        case .pending(let since, let reason, true): self = .pending(since: since, reason: reason, resolvePending: false)
        default: return nil
        }
        return AlertAction(kind: .resolved, notified: true, reason: .silenced)
    }
}

extension AlertState.FiringNotification {
    package var isNotified: Bool {
        if case .notified = self { true } else { false }
    }
}
