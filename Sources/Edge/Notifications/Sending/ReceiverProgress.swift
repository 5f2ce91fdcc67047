package import Time

/// What a receiver has done since the start, and what it is doing.
package struct ReceiverProgress: Sendable {
    /// Events.
    package var delivered = 0
    /// Events that the receiver refused for good.
    package var refused = 0
    /// Events that could not be delivered within the receiver's `max_age`.
    package var expired = 0
    /// Events that a user dropped, for which the queue was full, or that another daemon has notified.
    package var dropped = 0
    /// Requests, and those of them that failed.
    package var attempts = 0
    package var failures = 0
    /// Nil before the first one.
    package var lastAttempt: WallTime?
    package var lastSuccess: WallTime?
    /// When a request last failed, and why; nil if none has.
    package var lastFailure: (time: WallTime, reason: String)?
    /// When the current failure began; nil while it works.
    package var failingSince: Instant?
    /// Whether the current failure was reported.
    package var isReported = false
    /// Which recipients did not get the last notification, and why, although others did; nil if all got it.
    package var shortfall: String?
    /// Why it sends nothing until its settings or credential change; nil while it may send.
    package var stopReason: String?
    /// Why it could not send with its settings and the credentials as they were when it got them; nil if it could.
    package var fault: String?
    /// When it sends next; nil when nothing waits for a time.
    package var nextAttempt: BootTime?
}

/// What an attempt to deliver an event led to; the texts are for people.
package enum AttemptOutcome: Equatable, Sendable {
    case delivered
    case waiting(String)
    case failed(String)
}
