package import Time

/// The counts of a receiver since the start, and its current state.
package struct ReceiverProgress: Sendable {
    /// The number of delivered events.
    package var delivered = 0
    /// The number of events that the receiver permanently refused.
    package var refused = 0
    /// The number of events that could not be delivered within the receiver's `max_age`.
    package var expired = 0
    /// The number of events that were dropped by a user or because the queue was full.
    package var dropped = 0
    /// The number of attempts. ``failures`` counts those that failed.
    package var attempts = 0
    package var failures = 0
    /// The time of the last attempt, or nil before the first one.
    package var lastAttempt: WallTime?
    package var lastSuccess: WallTime?
    /// The time and the reason of the last failure, or nil if there was none.
    package var lastFailure: (time: WallTime, reason: String)?
    /// The start of the current failure, or nil while the receiver works.
    package var failingSince: Instant?
    /// True if the current failure was reported.
    package var isReported = false
    /// The recipients or servers that did not get the last notification although others did, and why, or nil if all
    /// got it.
    package var shortfall: String?
    /// The reason why nothing is sent until the settings or the credential change, or nil if sending is allowed.
    package var stopReason: String?
    /// The fault of the settings and credentials at the time they were applied, or nil if they could be used.
    package var fault: String?
    /// The time of the next attempt, or nil if none is scheduled.
    package var nextAttempt: BootTime?
}

/// The outcome of an attempt to deliver an event. The texts are for people.
package enum AttemptOutcome: Equatable, Sendable {
    case delivered
    case waiting(String)
    case failed(String)
}
