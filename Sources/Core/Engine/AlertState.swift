package import Events
package import Rules
package import Time

/// The state of one rule on one symbol and bound: a state machine that takes samples and says what to notify. A case
/// holds exactly what is valid in it.
package enum AlertState: Equatable, Sendable {
    /// No usable sample has been seen yet; the first one sets the baseline.
    case waiting
    /// The limit is not reached. `resolvePending`: the end of a notified firing was held back by a silence.
    case inactive(since: Instant, resolvePending: Bool)
    /// The limit is reached, but not long enough yet; `since` is the first sample that reached it.
    case pending(since: Instant, reason: Reason?, resolvePending: Bool)
    /// The limit was reached, and the price has not come back far enough yet.
    case firing(since: Instant, notification: FiringNotification)
    /// A crossing that has its baseline: on which side of the limit the price is, and since when.
    case armed(since: Instant, side: Side)

    /// Whether a firing was notified.
    package enum FiringNotification: Equatable, Sendable {
        /// It was not, and why. `resolvePending`: the end of an earlier, notified firing was held back by a silence.
        case suppressed(by: Reason, resolvePending: Bool)
        /// It was, last at that instant.
        case notified(at: Instant, acknowledgement: Acknowledgement?)
    }

    /// Whether it fires, notified or not.
    package var isFiring: Bool {
        if case .firing = self { true } else { false }
    }

    var isNotifiedFiring: Bool {
        if case .firing(_, .notified) = self { true } else { false }
    }

    /// Why a firing was not notified; nil when it was, and when nothing fires.
    var suppressedBy: Reason? {
        if case .firing(_, .suppressed(let reason, _)) = self { reason } else { nil }
    }

    var acknowledgement: Acknowledgement? {
        if case .firing(_, .notified(_, let acknowledgement)) = self { acknowledgement } else { nil }
    }

    /// Whether the end of a notified firing was held back by a silence and is still to be notified.
    var isResolvePending: Bool {
        switch self {
        case .inactive(_, let isPending), .pending(_, _, let isPending), .firing(_, .suppressed(_, let isPending)):
            isPending
        case .waiting, .armed, .firing(_, .notified): false
        }
    }

    /// When it entered its state; nil while it waits.
    package var since: Instant? {
        switch self {
        case .waiting: nil
        case .inactive(let since, _), .pending(let since, _, _), .firing(let since, _), .armed(let since, _): since
        }
    }
}

/// Where a price is relative to the limit of an alert.
package enum Level: Equatable, Sendable {
    /// At or beyond the limit.
    case breached
    /// Inside the hysteresis: neither starts nor ends a firing.
    case between
    /// Far enough back.
    case cleared
}

/// Where a price is relative to the limit of a crossing.
package enum Side: String, Sendable {
    case below
    case at
    case above
}

/// What is to be notified of an alert.
package struct AlertAction: Equatable, Sendable {
    /// `fired`, `repeated` or `resolved`.
    package var kind: EventKind
    /// Whether it is notified, or only recorded.
    package var notified: Bool
    /// What is special about it; nil for an ordinary event.
    package var reason: Reason?
    /// The number of the silence that suppresses it.
    package var silence: Int64?
}

/// What an alert remembers from firing to firing.
package struct NotificationState: Equatable, Sendable {
    /// When it last notified a firing; its cooldown starts then.
    package var lastFired: Instant?
    /// Whether a one-shot rule has notified, and has to be re-armed.
    package var isDisarmed = false

    /// Has notified nothing yet.
    package init() {}
}

/// All that a step depends on besides the price.
package struct AlertStep {
    /// The present.
    package var time: Instant
    /// Whether the previous usable sample was longer ago than the maximum gap.
    package var isAfterGap: Bool
    /// Whether the machine was suspended since the previous usable sample.
    package var wasSuspended = false
    /// How long a breach must hold before the alert fires.
    package var hold: Milliseconds
    /// When the rule notifies: repeats, cooldown, once.
    package var policy: NotificationPolicy
    /// The number of a silence that matches; nil when none does.
    package var silence: Int64?

    package init(time: Instant, isAfterGap: Bool, hold: Milliseconds, policy: NotificationPolicy, silence: Int64?) {
        self.time = time
        self.isAfterGap = isAfterGap
        self.hold = hold
        self.policy = policy
        self.silence = silence
    }

    var isSilenced: Bool { silence != nil }
    var gapReason: Reason? { isAfterGap ? (wasSuspended ? .afterSuspend : .afterGap) : nil }

    /// Why a firing cannot be notified now; nil when it can.
    func suppression(_ notified: NotificationState) -> Reason? {
        if notified.isDisarmed { return .disarmed }
        if isSilenced { return .silenced }
        guard let last = notified.lastFired, time.boot.since(last.boot) < policy.cooldown else { return nil }
        return .cooldown
    }
}

extension AlertState {
    /// Processes a usable sample.
    ///
    /// - Parameters:
    ///   - level: where the price is; nil when that is unknown, as a window has fewer than two samples.
    ///   - baseline: the reason of a firing that starts with the first sample.
    ///   - step: when, and what else decides.
    ///   - notified: what the alert remembers from firing to firing.
    /// - Returns: what is to be notified, in order.
    package mutating func observe(
        _ level: Level?, baseline: Reason?, _ step: AlertStep, _ notified: inout NotificationState
    ) -> [AlertAction] {
        guard let level else {
            restartPending(step)
            return []
        }
        let action = decide(level, baseline, step, &notified)
        let deferred = emitDeferredResolve(step)
        // Most samples do nothing; they must not allocate an array.
        guard action != nil || deferred != nil else { return [] }
        return [action, deferred].compactMap(\.self)
    }

    private mutating func decide(
        _ level: Level, _ baseline: Reason?, _ step: AlertStep, _ notified: inout NotificationState
    ) -> AlertAction? {
        switch self {
        case .waiting:
            self = .inactive(since: step.time, resolvePending: false)
            return level == .breached ? breach(baseline ?? step.gapReason, step, &notified) : nil
        case .inactive:
            return level == .breached ? breach(step.gapReason, step, &notified) : nil
        case .pending(let since, let reason, let resolvePending):
            guard level == .breached else {
                self = .inactive(since: step.time, resolvePending: resolvePending)
                return nil
            }
            return wait(since, reason, step, &notified)
        case .firing(let since, let notification):
            return level == .cleared ? end(notification, step) : continueFiring(since, notification, step, &notified)
        case .armed: return nil
        }
    }

    /// A sample that decides nothing leaves the state as it is, but after a gap nothing is known to have held.
    private mutating func restartPending(_ step: AlertStep) {
        guard step.isAfterGap, case .pending(_, _, let resolvePending) = self else { return }
        self = .inactive(since: step.time, resolvePending: resolvePending)
    }

    /// Processes a usable sample of a crossing.
    ///
    /// - Returns: what is to be notified, or nil.
    package mutating func cross(
        to side: Side, from origin: Side, _ step: AlertStep, _ notified: inout NotificationState
    ) -> AlertAction? {
        guard case .armed(_, let previous) = self else {
            self = .armed(since: step.time, side: side)
            return nil
        }
        guard side != previous else { return nil }
        self = .armed(since: step.time, side: side)
        guard previous == origin, !step.isAfterGap else { return nil }
        return notify(nil, step, &notified)
    }

    /// Processes the expiry of its rule: a firing ends, and nothing is pending or deferred.
    package mutating func expire(_ step: AlertStep) -> AlertAction? {
        switch self {
        case .waiting, .armed: return nil
        case .inactive(let since, _): self = .inactive(since: since, resolvePending: false)
        case .pending: self = .inactive(since: step.time, resolvePending: false)
        case .firing(_, let notification):
            self = .inactive(since: step.time, resolvePending: false)
            return AlertAction(
                kind: .resolved, notified: notification.isNotified && !step.isSilenced, reason: .ruleExpired,
                silence: notification.isNotified ? step.silence : nil)
        }
        return nil
    }

    /// Stops the repeat notifications of a notified firing; with nil, resumes them.
    ///
    /// - Returns: whether that changed anything; the first acknowledgement stays.
    package mutating func acknowledge(_ new: Acknowledgement?) -> Bool {
        guard case .firing(let since, .notified(let time, let old)) = self, (old == nil) != (new == nil) else {
            return false
        }
        self = .firing(since: since, notification: .notified(at: time, acknowledgement: new))
        return true
    }

    private mutating func breach(
        _ reason: Reason?, _ step: AlertStep, _ notified: inout NotificationState
    ) -> AlertAction? {
        guard step.hold > .zero else { return fire(reason, step, &notified) }
        self = .pending(since: step.time, reason: reason, resolvePending: isResolvePending)
        return nil
    }

    /// Continues a breach that has yet to hold long enough; a gap makes it start over.
    private mutating func wait(
        _ since: Instant, _ reason: Reason?, _ step: AlertStep, _ notified: inout NotificationState
    ) -> AlertAction? {
        if step.isAfterGap {
            let reason = reason == .alreadyBreached ? reason : step.gapReason
            self = .pending(since: step.time, reason: reason, resolvePending: isResolvePending)
        } else if step.time.boot.since(since.boot) >= step.hold {
            return fire(reason, step, &notified)
        }
        return nil
    }

    private mutating func fire(
        _ reason: Reason?, _ step: AlertStep, _ notified: inout NotificationState
    ) -> AlertAction {
        let action = notify(reason, step, &notified)
        let notification: FiringNotification =
            if action.notified { .notified(at: step.time, acknowledgement: nil) } else {
                .suppressed(by: action.reason ?? .silenced, resolvePending: isResolvePending)
            }
        self = .firing(since: step.time, notification: notification)
        return action
    }

    private func notify(_ reason: Reason?, _ step: AlertStep, _ notified: inout NotificationState) -> AlertAction {
        if let suppression = step.suppression(notified) {
            return AlertAction(
                kind: .fired, notified: false, reason: suppression,
                silence: suppression == .silenced ? step.silence : nil)
        }
        notified.lastFired = step.time
        if step.policy.once { notified.isDisarmed = true }
        return AlertAction(kind: .fired, notified: true, reason: reason)
    }

    private mutating func end(_ notification: FiringNotification, _ step: AlertStep) -> AlertAction {
        let isHeldBack = notification.isNotified && step.isSilenced
        self = .inactive(since: step.time, resolvePending: isHeldBack || isResolvePending)
        guard notification.isNotified else {
            return AlertAction(kind: .resolved, notified: false, reason: .firedSuppressed)
        }
        return AlertAction(
            kind: .resolved, notified: !isHeldBack, reason: isHeldBack ? .silenced : step.gapReason,
            silence: isHeldBack ? step.silence : nil)
    }

    private mutating func continueFiring(
        _ since: Instant, _ notification: FiringNotification, _ step: AlertStep, _ notified: inout NotificationState
    ) -> AlertAction? {
        switch notification {
        case .suppressed(let reason, let resolvePending):
            if let suppression = step.suppression(notified) {
                self = .firing(
                    since: since, notification: .suppressed(by: suppression, resolvePending: resolvePending))
                return nil
            }
            self = .firing(since: since, notification: .notified(at: step.time, acknowledgement: nil))
            return notify(reason, step, &notified)
        case .notified(let last, let acknowledgement):
            guard let interval = step.policy.repeatAfter, acknowledgement == nil, !step.isSilenced,
                step.time.boot.since(last.boot) >= interval
            else { return nil }
            self = .firing(since: since, notification: .notified(at: step.time, acknowledgement: nil))
            return AlertAction(kind: .repeated, notified: true, reason: nil)
        }
    }

    /// Emits the resolve notification that a silence held back, once no silence matches and nothing fires.
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
    /// Whether the firing was notified.
    package var isNotified: Bool {
        if case .notified = self { true } else { false }
    }
}

extension AlertState {
    var firingSince: Instant? {
        if case .firing(let since, _) = self { since } else { nil }
    }
}
