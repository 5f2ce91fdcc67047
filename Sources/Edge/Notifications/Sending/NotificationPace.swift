internal import EventLoop
internal import Receivers
internal import Time

/// The schedule that decides when a receiver may be sent its next notification.
struct NotificationPace {
    private var schedule = DeliverySchedule()
    /// The earliest time of the next attempt.
    var notBefore: BootTime?
    /// The time of arrival of the oldest event that is not in a notification yet.
    var groupStart: BootTime?
    /// True if the next attempt does not wait, because a user asked for it or new settings may end a failure.
    var isHurried = false
    /// The times at which notifications were accepted within the last minute.
    private var accepted: [BootTime] = []

    /// Returns the time to wait before the next notification, or nil if it is due.
    mutating func wait(
        at now: Instant, quiet: Milliseconds?, _ queue: NotificationQueue, _ receiver: Receiver
    ) -> Milliseconds? {
        if isHurried { return nil }
        let isRetry = queue.batch != nil
        if let quiet, !isRetry, !queue.entries.contains(where: \.isUrgent) { return quiet }
        var due = notBefore ?? now.boot
        if !isRetry, let groupStart { due = max(due, groupStart.advanced(by: receiver.group)) }
        if let limit = receiver.perMinute {
            accepted.removeAll { now.boot.since($0) >= .seconds(60) }
            if accepted.count >= limit { due = max(due, accepted[accepted.count - limit].advanced(by: .seconds(60))) }
        }
        let wait = due.since(now.boot)
        return wait > .zero ? wait : nil
    }

    /// Records that a notification was accepted, and the pause that the server asked for.
    mutating func accept(at now: BootTime, pause: Milliseconds?) {
        accepted.append(now)
        notBefore = pause.map { now.advanced(by: $0) }
    }

    /// Records that an attempt failed.
    ///
    /// - Returns: The time to wait before the next attempt.
    mutating func fail(
        retryAfter wait: Milliseconds?, random: inout any RandomNumberGenerator & Sendable
    ) -> Milliseconds {
        schedule.fail(retryAfter: wait, random: &random)
    }

    mutating func succeed() { schedule.succeed() }
}

/// The connection to a receiver, with its credentials as of the first attempt.
struct ReceiverConnection {
    private(set) var target: ReceiverTarget?
    private var tools: (any ReceiverFormat, any NotificationSending)?

    /// Returns the format that makes messages, and the client that sends them.
    @LoopActor
    mutating func ready(
        to receiver: Receiver, in environment: NotificationEnvironment
    ) throws(ReceiverFault) -> (any ReceiverFormat, any NotificationSending) {
        if let tools { return tools }
        let target = try environment.target(of: receiver)
        self.target = target
        let new = (try target.format(), try environment.client(for: receiver))
        tools = new
        return new
    }
}

/// The users who wait for the outcome of an attempt.
struct OutcomeWaiters {
    /// The number of the last event that was queued when an attempt failed, or 0 after a success.
    var failedThrough: Int64 = 0
    private var all: [(number: Int64, outcome: OneShot<AttemptOutcome, Never>)] = []

    mutating func add(_ outcome: OneShot<AttemptOutcome, Never>, of number: Int64) { all.append((number, outcome)) }

    mutating func remove(_ outcome: OneShot<AttemptOutcome, Never>) { all.removeAll { $0.outcome === outcome } }

    /// Reports an outcome to the users who wait for an event up to this number.
    @LoopActor
    func answer(_ outcome: AttemptOutcome, through last: Int64) {
        for waiter in all where waiter.number <= last { waiter.outcome.finish(.success(outcome)) }
    }

    @LoopActor
    func answerAll(_ outcome: AttemptOutcome) { answer(outcome, through: .max) }
}
