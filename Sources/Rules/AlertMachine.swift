package import Market

/// The state of one rule on one symbol and bound. A case holds exactly what is valid in it.
package enum AlertMachine: Equatable, Sendable {
    /// No usable sample was seen yet: the first one sets the baseline.
    case waiting
    /// The limit is not reached.
    case inactive(since: Instant)
    /// The limit was reached, and the price has not come back far enough.
    case firing(since: Instant)

    /// What a sample does to an alert.
    package enum Transition: Equatable, Sendable {
        case fired(Reason?)
        case resolved(Reason?)
    }

    package var isFiring: Bool {
        if case .firing = self { true } else { false }
    }

    /// Since when it is in its state; nil while it waits.
    package var since: Instant? {
        switch self {
        case .waiting: nil
        case .inactive(let since), .firing(let since): since
        }
    }

    /// Takes a usable sample.
    ///
    /// - Parameters:
    ///   - price: in the rule's currency.
    ///   - time: when it was received.
    ///   - isAfterGap: whether the usable sample before it was longer ago than the greatest gap.
    ///   - limit: what the alert watches for.
    ///   - bound: on which side.
    /// - Returns: what is to be told, or nil.
    package mutating func step(
        _ price: Price, at time: Instant, isAfterGap: Bool, limit: Limit, bound: Bound
    ) -> Transition? {
        let isBreached = limit.isBreached(by: price, bound)
        switch self {
        case .waiting:
            self = isBreached ? .firing(since: time) : .inactive(since: time)
            return isBreached ? .fired(.alreadyOutside) : nil
        case .inactive:
            guard isBreached else { return nil }
            self = .firing(since: time)
            return .fired(isAfterGap ? .afterGap : nil)
        case .firing:
            guard limit.isCleared(by: price, bound) else { return nil }
            self = .inactive(since: time)
            return .resolved(isAfterGap ? .afterGap : nil)
        }
    }
}

extension Limit {
    /// A limit that is touched has been reached.
    package func isBreached(by price: Price, _ bound: Bound) -> Bool {
        switch bound {
        case .min: price <= self.price
        case .max: price >= self.price
        }
    }

    /// Without hysteresis the limit itself does not clear, with hysteresis the clear level does.
    package func isCleared(by price: Price, _ bound: Bound) -> Bool {
        switch (bound, clear) {
        case (.min, nil): price > self.price
        case (.max, nil): price < self.price
        case (.min, let level?): price >= level
        case (.max, let level?): price <= level
        }
    }
}
