package import Events
package import Rules
package import Time

/// State machine of one rule on one symbol and bound: it observes samples and returns the actions to take. Each case
/// has exactly the values that are valid in it.
package enum AlertState: Equatable, Sendable {
    /// No usable sample has been seen yet; the first one sets the baseline.
    case waiting
    /// The limit is not reached. `resolvePending`: a silence deferred the resolve notification of an earlier firing.
    case inactive(since: Instant, resolvePending: Bool)
    /// The limit is reached, but not for long enough yet; `since` is the first sample that reached it after the last
    /// gap.
    case pending(since: Instant, reason: Reason?, resolvePending: Bool)
    /// The limit was reached, and the price has not returned to the clear level for long enough yet.
    /// `clearSince`: the first sample of the present series of clear ones, if the rule has `keep_firing_for`.
    case firing(since: Instant, notification: FiringNotification, clearSince: Instant? = nil)
    /// A crossing with a baseline: the side of the limit that the price is on, and since when.
    case armed(since: Instant, side: Side)

    /// The notification of a firing.
    package enum FiringNotification: Equatable, Sendable {
        /// Not notified, for the given reason. `resolvePending`: a silence deferred the resolve notification of an
        /// earlier firing.
        case suppressed(by: Reason, resolvePending: Bool)
        /// Notified, last at this instant.
        case notified(at: Instant, acknowledgement: Acknowledgement?)
    }

    /// True while it fires, notified or not.
    package var isFiring: Bool {
        if case .firing = self { true } else { false }
    }

    var isNotifiedFiring: Bool {
        if case .firing(_, .notified, _) = self { true } else { false }
    }

    /// The reason why the firing was not notified; nil if it was notified, and while the alert does not fire.
    var suppressedBy: Reason? {
        if case .firing(_, .suppressed(let reason, _), _) = self { reason } else { nil }
    }

    var acknowledgement: Acknowledgement? {
        if case .firing(_, .notified(_, let acknowledgement), _) = self { acknowledgement } else { nil }
    }

    /// True while a silence defers the resolve notification of a firing.
    var isResolvePending: Bool {
        switch self {
        case .inactive(_, let isPending), .pending(_, _, let isPending), .firing(_, .suppressed(_, let isPending), _):
            isPending
        case .waiting, .armed, .firing(_, .notified, _): false
        }
    }

    /// The start of the current state; nil while waiting.
    package var since: Instant? {
        switch self {
        case .waiting: nil
        case .inactive(let since, _), .pending(let since, _, _), .firing(let since, _, _), .armed(let since, _): since
        }
    }

    /// The time since which a firing alert has been clear; nil if it is not clear.
    var clearSince: Instant? {
        if case .firing(_, _, let since) = self { since } else { nil }
    }
}

/// The position of a price relative to the limit of an alert.
package enum Level: Equatable, Sendable {
    /// At or beyond the limit.
    case breached
    /// Inside the hysteresis: neither starts nor ends a firing.
    case between
    /// Back beyond the clear level.
    case cleared
}

/// The position of a price relative to the limit of a crossing.
package enum Side: String, Sendable {
    case below
    case at
    case above
}

/// One action of an alert, which becomes an event.
package struct AlertAction: Equatable, Sendable {
    /// `fired`, `repeated`, `resolved` or `touched`.
    package var kind: EventKind
    /// True if the event is notified; otherwise it is only recorded.
    package var notified: Bool
    /// The reason for an unusual event; nil for an ordinary one.
    package var reason: Reason?
    /// Number of the silence that suppresses it.
    package var silence: Int64?
}

/// Notification state that an alert keeps between firings.
package struct NotificationState: Equatable, Sendable {
    /// Time of the last notified firing, which starts the cooldown.
    package var lastFired: Instant?
    /// True if a one-shot rule has notified and must be re-armed.
    package var isDisarmed = false

    package init() {}
}

/// Everything that one evaluation depends on, except the price.
package struct AlertStep {
    package var time: Instant
    /// True if the previous usable sample is older than the maximum gap.
    package var isAfterGap: Bool
    /// True if the machine was suspended since the previous usable sample.
    package var wasSuspended = false
    /// Duration that a breach must hold before the alert fires.
    package var hold: Milliseconds
    /// Duration that a firing alert must be clear before it resolves.
    package var keepFiring = Milliseconds.zero
    /// The rule's notification policy: repeat interval, cooldown, one-shot.
    package var policy: NotificationPolicy
    /// Number of a matching silence; nil if there is none.
    package var silence: Int64?
    /// True if the rule named in `only_while` does not fire on the symbol.
    package var awaitsOther = false

    package init(time: Instant, isAfterGap: Bool, hold: Milliseconds, policy: NotificationPolicy, silence: Int64?) {
        self.time = time
        self.isAfterGap = isAfterGap
        self.hold = hold
        self.policy = policy
        self.silence = silence
    }

    var isSilenced: Bool { silence != nil }
    var gapReason: Reason? { isAfterGap ? (wasSuspended ? .afterSuspend : .afterGap) : nil }

    /// Returns why a firing cannot be notified now; nil if it can.
    func suppression(_ notified: NotificationState) -> Reason? {
        if notified.isDisarmed { return .disarmed }
        if isSilenced { return .silenced }
        if awaitsOther { return .onlyWhile }
        guard let last = notified.lastFired, time.boot.since(last.boot) < policy.cooldown else { return nil }
        return .cooldown
    }
}

extension AlertState {
    /// Processes a usable sample.
    ///
    /// - Parameters:
    ///   - level: the price relative to the limit; nil if unknown, because a window has fewer than two samples.
    ///   - baseline: the reason given to a firing that starts with the first sample.
    ///   - step: the time and the other conditions of the evaluation.
    ///   - notified: the notification state that is kept between firings.
    /// - Returns: the alert's actions, in order.
    package mutating func observe(
        _ level: Level?, baseline: Reason?, _ step: AlertStep, _ notified: inout NotificationState
    ) -> [AlertAction] {
        guard let level else {
            restartCounts(step)
            return []
        }
        let action = decide(level, baseline, step, &notified)
        let deferred = emitDeferredResolve(step)
        // Most samples cause no action and must not allocate an array.
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
        case .firing(let since, let notification, let clearSince):
            var clear: Instant?
            if level == .cleared {
                let start = step.isAfterGap ? step.time : clearSince ?? step.time
                guard step.time.boot.since(start.boot) < step.keepFiring else { return end(notification, step) }
                clear = start
            }
            self = .firing(since: since, notification: notification, clearSince: clear)
            return continueFiring(step, &notified)
        case .armed: return nil
        }
    }

    /// Restarts the counts of `for` and `keep_firing_for` after a gap if the sample has no level: the breach, or the
    /// clear time, may have been interrupted in the gap.
    private mutating func restartCounts(_ step: AlertStep) {
        guard step.isAfterGap else { return }
        switch self {
        case .pending(_, _, let resolvePending): self = .inactive(since: step.time, resolvePending: resolvePending)
        case .firing(let since, let notification, .some): self = .firing(since: since, notification: notification)
        case .waiting, .inactive, .firing, .armed: break
        }
    }

    /// Processes a usable sample of a crossing.
    ///
    /// - Returns: the alert's action, or nil.
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

    /// Processes the expiry of the rule: ends a firing, and drops a pending breach and a deferred notification.
    package mutating func expire(_ step: AlertStep) -> AlertAction? {
        switch self {
        case .waiting, .armed: return nil
        case .inactive(let since, _): self = .inactive(since: since, resolvePending: false)
        case .pending: self = .inactive(since: step.time, resolvePending: false)
        case .firing(_, let notification, _):
            self = .inactive(since: step.time, resolvePending: false)
            return AlertAction(
                kind: .resolved, notified: notification.isNotified && !step.isSilenced, reason: .ruleExpired,
                silence: notification.isNotified ? step.silence : nil)
        }
        return nil
    }

    /// Acknowledges a notified firing, which stops its repeat notifications; nil removes the acknowledgement.
    ///
    /// - Returns: true if that changed anything. An existing acknowledgement is not replaced.
    package mutating func acknowledge(_ new: Acknowledgement?) -> Bool {
        guard case .firing(let since, .notified(let time, let old), let clearSince) = self,
            (old == nil) != (new == nil)
        else { return false }
        self = .firing(
            since: since, notification: .notified(at: time, acknowledgement: new), clearSince: clearSince)
        return true
    }

    private mutating func breach(
        _ reason: Reason?, _ step: AlertStep, _ notified: inout NotificationState
    ) -> AlertAction? {
        guard step.hold > .zero else { return fire(reason, step, &notified) }
        self = .pending(since: step.time, reason: reason, resolvePending: isResolvePending)
        return nil
    }

    /// Continues a breach that has yet to hold long enough. A gap restarts it.
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
        _ step: AlertStep, _ notified: inout NotificationState
    ) -> AlertAction? {
        guard case .firing(let since, let notification, let clearSince) = self else { return nil }
        let nowNotified = FiringNotification.notified(at: step.time, acknowledgement: nil)
        switch notification {
        case .suppressed(let reason, let resolvePending):
            if let suppression = step.suppression(notified) {
                self = .firing(
                    since: since, notification: .suppressed(by: suppression, resolvePending: resolvePending),
                    clearSince: clearSince)
                return nil
            }
            self = .firing(since: since, notification: nowNotified, clearSince: clearSince)
            return notify(reason, step, &notified)
        case .notified(let last, let acknowledgement):
            guard let interval = step.policy.repeatAfter, acknowledgement == nil, !step.isSilenced,
                step.time.boot.since(last.boot) >= interval
            else { return nil }
            self = .firing(since: since, notification: nowNotified, clearSince: clearSince)
            return AlertAction(kind: .repeated, notified: true, reason: nil)
        }
    }

    /// Emits the resolve notification that a silence deferred, once no silence matches and the alert does not fire.
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

extension AlertState {
    var firingSince: Instant? {
        if case .firing(let since, _, _) = self { since } else { nil }
    }
}
