internal import EventLoop
internal import Events
internal import HTTP
internal import Receivers
internal import ServiceManager
internal import Text
internal import Time

/// A worker that delivers the notifications of one receiver, one at a time and in order, and drops those that are too
/// old. While its queue is empty, it has no timer, and a task only to send reminders or prices.
@LoopActor
final class ReceiverWorker {
    /// The time for which attempts must fail before the failure is reported. A failure that is final is reported
    /// immediately.
    static let reportAfter = Milliseconds.seconds(300)
    /// The pause after a notification that was refused for good.
    static let pauseAfterRefusal = Milliseconds.seconds(1)

    private(set) var receiver: Receiver
    private(set) var queue: NotificationQueue
    private(set) var progress = ReceiverProgress()
    unowned let service: NotificationService
    private var pace = NotificationPace()
    private(set) var connection = ReceiverConnection()
    var task: Task<Void, Never>?
    var reminders = ReminderBook()
    /// The rest of the batch whose last event has this number, if some recipients have given a final answer. It is
    /// not stored: after a restart, all recipients get the notification again, with the same id.
    private var partial: (last: Int64, delivery: PartialDelivery)?
    var prices = PriceProgress()
    private var servers = ServerOutages()
    /// True if the current failure began in an earlier process, so that its length is unknown.
    private var failedEarlier = false
    private var timer: LoopTimer?
    private var waiters = OutcomeWaiters()

    init(_ receiver: Receiver, _ queue: NotificationQueue, service: NotificationService) {
        self.receiver = receiver
        self.queue = queue
        self.service = service
        progress.fault = service.environment.fault(of: receiver)
        if !queue.entries.isEmpty { pace.groupStart = service.environment.clock.now().boot }
    }

    var clock: any TimeSource { service.environment.clock }

    /// True if the receiver has stopped or its failure was reported, so that it does not get the report itself.
    var isFailing: Bool { progress.isReported || progress.stopReason != nil }

    /// True if no attempt is in progress and no timer is armed. The worker then costs nothing until the next event.
    var isAtRest: Bool { task == nil && timer?.isArmed != true }

    /// Appends an event to the queue.
    func append(_ event: Event) {
        let isDrill = event.occurrence.kind == .test
        if queue.entries.isEmpty || pace.groupStart == nil { pace.groupStart = clock.now().boot }
        if isDrill { pace.isHurried = true }
        let entry = QueuedNotification(
            number: event.number, isUrgent: isDrill || event.occurrence.severity == .critical,
            time: event.occurrence.time)
        service.recordAdded(entry, to: receiver.name)
        guard let dropped = queue.append(entry) else { return }
        progress.dropped += 1
        service.recordOutcome(
            receiver.name, through: dropped.number, isUrgentOnly: false, .dropped, "the queue was full")
    }

    /// Continues with new settings, and with the current credentials.
    func replace(_ receiver: Receiver, triesNow: Bool = false) {
        let wasFailing = isFailing || progress.failingSince != nil
        self.receiver = receiver
        connection = ReceiverConnection()
        progress.stopReason = nil
        progress.fault = service.environment.fault(of: receiver)
        if wasFailing || triesNow { retry() } else { wake() }
    }

    /// Tries immediately.
    func retry() {
        pace.notBefore = nil
        prices.notBefore = nil
        pace.isHurried = true
        wake()
    }

    /// Drops all waiting events, and returns their number.
    func drop(_ reason: String) -> Int {
        let count = queue.entries.count
        if let last = queue.entries.last?.number {
            service.recordOutcome(receiver.name, through: last, isUrgentOnly: false, .dropped, reason)
        }
        progress.dropped += count
        queue = NotificationQueue()
        service.recordBatch(nil, of: receiver.name)
        timer?.disarm()
        pace.notBefore = nil
        waiters.answerAll(.failed(reason))
        return count
    }

    /// Drops the oldest events, up to a number.
    func drop(through last: Int64, _ reason: String) {
        guard queue.drop(through: last) else { return }
        service.recordOutcome(receiver.name, through: last, isUrgentOnly: false, .dropped, reason)
        service.recordBatch(queue.batch, of: receiver.name)
    }

    func renumber(_ number: (Int64) -> Int64) { queue.renumber(number) }

    /// Cancels the attempt in progress. Its notification stays queued.
    func cancel() {
        timer?.disarm()
        task?.cancel()
        waiters.answerAll(Self.stoppingOutcome)
    }

    private static let stoppingOutcome = AttemptOutcome.waiting("the daemon is stopping")

    /// Waits until the attempt in progress has ended.
    func untilIdle() async { await task?.value }

    /// Waits for the outcome of an attempt to deliver an event.
    func outcome(of number: Int64, within limit: Duration) async -> AttemptOutcome {
        if let reason = progress.stopReason { return .failed(reason) }
        if !service.mayNotify() { return .waiting(service.standbyReason()) }
        guard queue.entries.contains(where: { $0.number == number }) else { return .delivered }
        if number <= waiters.failedThrough, let failure = progress.lastFailure { return .failed(failure.reason) }
        if service.isStopping { return Self.stoppingOutcome }
        let outcome = OneShot<AttemptOutcome, Never>()
        waiters.add(outcome, of: number)
        let timeout = LoopTimer { outcome.finish(.success(.waiting("there has been no answer yet"))) }
        timeout.arm(after: limit)
        let result = await outcome.wait()
        timeout.disarm()
        waiters.remove(outcome)
        return result
    }
}

// MARK: When to send

extension ReceiverWorker {
    /// Sends a notification if it is due, or waits until it is.
    func wake() {
        guard task == nil, !service.isStopping else { return }
        guard service.mayNotify() else { return rest(nil) }
        dropExpired()
        guard !queue.entries.isEmpty, canContinue() else { return rest(nil) }
        let now = clock.now()
        let quiet = receiver.quiet.flatMap { $0.rest(at: now.wall, service.environment.localMinutes($0.zone)) }
        if let wait = pace.wait(at: now, quiet: quiet, queue, receiver) { return rest(wait) }
        let isNew = queue.batch == nil
        let members = queue.nextBatch(
            isUrgentOnly: quiet != nil, limit: receiver.eventsPerRequest ?? Self.batchLimit)
        guard let batch = queue.batch, !members.isEmpty else { return rest(quiet) }
        if isNew {
            // Events that are left over have already waited for the rest of their group.
            if members.count == queue.entries.count { pace.groupStart = nil }
            service.recordBatch(batch, of: receiver.name)
        }
        pace.isHurried = false
        progress.nextAttempt = nil
        task = Loop.shared.start { [self, service] in
            service.save()
            await send(members.map(\.number), batch)
            withExtendedLifetime(service) {}
        }
    }

    /// The maximum number of events in a notification for people. Further events would only increase the counts in
    /// its text.
    private static let batchLimit = 1_000

    /// Waits for the next attempt, if there will be one, but not longer than until an event is too old.
    private func rest(_ wait: Milliseconds?) {
        progress.nextAttempt = wait.map { clock.now().boot.advanced(by: $0) }
        guard let wait = [wait, timeUntilExpiry].compactMap(\.self).min() else {
            timer?.disarm()
            return
        }
        if timer == nil { timer = LoopTimer(accuracy: .milliseconds(100)) { [weak self] in self?.wake() } }
        timer?.arm(after: wait.duration)
    }

    /// Returns true if the worker may send. After it has stopped, the credential or the address must change first.
    func canContinue() -> Bool {
        guard progress.stopReason != nil else { return true }
        guard let current = try? service.environment.target(of: receiver),
            current.credential != connection.target?.credential || current.urls != connection.target?.urls
        else {
            waiters.answerAll(.failed(progress.stopReason ?? "stopped"))
            return false
        }
        progress.stopReason = nil
        connection = ReceiverConnection()
        return true
    }

    /// Drops events that are too old. Quiet hours do not count for events that they delay.
    private func dropExpired() {
        let (now, age) = (clock.now().wall, receiver.maximumAge)
        guard let quiet = receiver.quiet else { return dropExpired(isUrgentOnly: false) { now.since($0.time) > age } }
        let local = service.environment.localMinutes(quiet.zone)
        dropExpired(isUrgentOnly: true) { now.since($0.time) > age }
        dropExpired(isUrgentOnly: false) { entry in
            // Most events are younger than that, so the local time is rarely needed.
            now.since(entry.time) > age && !entry.isUrgent
                && quiet.isOutside(longerThan: age, from: entry.time, to: now, local)
        }
    }

    /// The time until the oldest event may be too old, or nil if there are no events or another daemon sends them.
    var timeUntilExpiry: Milliseconds? {
        guard service.mayNotify() else { return nil }
        // With quiet hours, an urgent event may expire before an older event that is delayed.
        let oldest = [queue.entries.first, receiver.quiet == nil ? nil : queue.entries.first(where: \.isUrgent)]
        return oldest.compactMap { $0.map(timeUntilExpiry) }.min()
    }

    private func timeUntilExpiry(of entry: QueuedNotification) -> Milliseconds {
        let (now, age) = (clock.now().wall, receiver.maximumAge)
        if let quiet = receiver.quiet, !entry.isUrgent {
            let local = service.environment.localMinutes(quiet.zone)
            return quiet.wait(untilOutside: age, from: entry.time, now: now, local)
        }
        return Milliseconds(max(0, age.count - max(0, now.since(entry.time).count)) + 1)
    }

    private func dropExpired(isUrgentOnly: Bool, where isOld: (QueuedNotification) -> Bool) {
        guard let (count, last) = queue.expire(isUrgentOnly: isUrgentOnly, where: isOld) else { return }
        if queue.batch == nil { service.recordBatch(nil, of: receiver.name) }
        progress.expired += count
        service.recordOutcome(
            receiver.name, through: last, isUrgentOnly: isUrgentOnly, .expired,
            "not delivered within \(receiver.maximumAge)")
        // The changes are saved later, because a commit may have called this function.
        Loop.shared.start { [service] in service.save() }
    }
}

// MARK: Sending

extension ReceiverWorker {
    private func send(_ numbers: [Int64], _ batch: NotificationBatch) async {
        let decision = await attempt(numbers)
        task = nil
        // An answer counts even while the daemon is stopping. Otherwise, the next process would send the notification
        // again.
        guard !Task.isCancelled else { return }
        // A user may have dropped the queue in the meantime.
        if queue.batch == batch { apply(decision, of: batch) }
        service.save()
        wake()
    }

    private func attempt(_ numbers: [Int64]) async -> DeliveryDecision {
        let events = service.host?.events(numbered: numbers) ?? []
        guard
            var notification = service.host?.composer.notification(
                of: events, for: receiver, at: clock.now().wall)
        else { return .refused("the events are no longer kept") }
        let format: any ReceiverFormat
        let client: any NotificationSending
        do throws(ReceiverFault) {
            (format, client) = try ready()
        } catch {
            return .stopped(error.text)
        }
        progress.attempts += 1
        if let partial, partial.last == queue.batch?.last {
            notification.remainingRecipients = partial.delivery.remaining
        }
        await addFormerSeverities(to: &notification)
        if receiver.kind.profile.hasReplies, events.count == 1, let event = events.first {
            notification.repliesTo = service.host?.previousMessage(before: event, at: receiver.name)
        }
        var decision = await deliver(format.messages(for: notification), by: client, format)
        if case .refused = decision, notification.repliesTo != nil {
            // The message that the notification replies to may be gone.
            notification.repliesTo = nil
            decision = await deliver(format.messages(for: notification), by: client, format)
        }
        if case .delivered = decision {
            // A server that was down gets the ends later.
            if receiver.kind.profile.needsReminders { reminders.recordDelivered(events) }
            await cancelEndedMessages(after: notification, by: client, format)
        }
        return decision
    }

    private func cancelEndedMessages(
        after notification: Notification, by client: any NotificationSending, _ format: any ReceiverFormat
    ) async {
        var notification = notification
        guard format.cancellations(after: notification) != nil else { return }
        notification.endedMessages = service.host?.endedMessages(by: notification.events, at: receiver.name) ?? []
        for message in format.cancellations(after: notification) ?? [] {
            _ = await Self.deliver(message, client, format, connection.target, clock)
        }
    }

    /// Sends messages, each to a different server.
    func deliver(
        _ messages: [OutgoingMessage], by client: any NotificationSending, _ format: any ReceiverFormat
    ) async -> DeliveryDecision {
        // Servers are asked at the same time, so that a server that hangs does not delay the others.
        let attempts = messages.map { message in
            Loop.shared.start { [clock, target = connection.target] in
                await Self.deliver(message, client, format, target, clock)
            }
        }
        var decisions: [DeliveryDecision] = []
        for attempt in attempts {
            let decision = await withTaskCancellationHandler {
                await attempt.value
            } onCancel: {
                attempt.cancel()
            }
            decisions.append(decision)
        }
        let now = clock.now()
        for (place, decision) in decisions.enumerated() where !decision.isDelivered {
            reminders.recordFailure(ofServer: place, at: now.wall)
        }
        let shortfall = servers.record(decisions, of: connection.target?.urls ?? [], at: now.boot)
        return DeliveryDecision(ofAny: decisions, shortfall: shortfall)
    }

    private static func deliver(
        _ message: OutgoingMessage, _ client: any NotificationSending, _ format: any ReceiverFormat,
        _ target: ReceiverTarget?, _ clock: any TimeSource
    ) async -> DeliveryDecision {
        do throws(HTTPError) {
            let response: HTTPResponse
            switch message {
            case .request(let request): response = try await client.send(request)
            case .mail(let mail): return format.decision(on: try await client.send(mail), to: mail.recipients)
            case .publication(let publication): response = try await client.send(publication)
            }
            return format.decision(on: response, at: clock.now().wall)
        } catch {
            return .retry(target?.redacted(error.sentence) ?? error.sentence)
        }
    }

    func ready() throws(ReceiverFault) -> (any ReceiverFormat, any NotificationSending) {
        let ready = try connection.ready(to: receiver, in: service.environment)
        progress.fault = nil
        return ready
    }

    private func apply(_ answered: DeliveryDecision, of batch: NotificationBatch) {
        let now = clock.now()
        progress.lastAttempt = now.wall
        let decision = withEarlierRecipients(answered, of: batch)
        switch decision {
        case .delivered(let pause, let message, let shortfall):
            let count = finish(batch, .delivered, message.map(MessageReference.detail) ?? shortfall)
            pace.accept(at: now.boot, pause: pause)
            succeed(count, shortfall: shortfall, at: now)
        case .retry(let reason, let wait, let part):
            if let part { partial = (batch.last, part) }
            pace.notBefore = now.boot.advanced(by: pace.fail(retryAfter: wait, random: &service.environment.random))
            fail(reason, at: now, isFinal: false)
        case .refused(let reason):
            progress.refused += finish(batch, .refused, reason)
            pace.notBefore = now.boot.advanced(by: Self.pauseAfterRefusal)
            fail(reason, at: now, isFinal: true)
        case .stopped(let reason):
            progress.stopReason = reason
            fail(reason, at: now, isFinal: true)
        }
        answer(decision, batch)
    }

    /// Merges a decision with the answers of recipients to earlier attempts at the same batch.
    private func withEarlierRecipients(_ decision: DeliveryDecision, of batch: NotificationBatch) -> DeliveryDecision {
        guard let partial, partial.last == batch.last else { return decision }
        let earlier = partial.delivery
        let all = { (later: String?) in
            let texts = [earlier.shortfall, later].compactMap(\.self)
            return texts.isEmpty ? nil : texts.joined(separator: "; ")
        }
        switch decision {
        case .delivered(let pause, let message, let shortfall):
            return .delivered(pause: pause, message: message, shortfall: all(shortfall))
        case .retry(let reason, let wait, let part):
            let merged = part.map { part in
                PartialDelivery(
                    remaining: part.remaining, isAccepted: part.isAccepted || earlier.isAccepted,
                    shortfall: all(part.shortfall))
            }
            return .retry(reason, after: wait, partial: merged)
        case .refused(let reason):
            let reason = all(reason) ?? reason
            return earlier.isAccepted ? .delivered(shortfall: reason) : .refused(reason)
        case .stopped: return decision
        }
    }

    /// Applies the decision about a reminder, which is not in the queue.
    func apply(reminders decision: DeliveryDecision) {
        let now = clock.now()
        switch decision {
        case .delivered(_, _, let shortfall):
            succeed(0, shortfall: shortfall, at: now)
            pace.notBefore = nil
        case .retry(let reason, _, _), .refused(let reason): fail(reason, at: now, isFinal: false)
        case .stopped(let reason):
            progress.stopReason = reason
            fail(reason, at: now, isFinal: true)
        }
    }

    /// Applies the decision about prices, which are in the history and not in the queue.
    func apply(prices decision: DeliveryDecision, of batch: PriceBatch) {
        let now = clock.now()
        progress.lastAttempt = now.wall
        progress.attempts += 1
        prices.notBefore = nil
        switch decision {
        case .delivered:
            accept(batch)
            succeed(batch.sampleCount, at: now)
        case .retry(let reason, let wait, _):
            let delay = pace.fail(retryAfter: wait, random: &service.environment.random)
            prices.notBefore = now.boot.advanced(by: delay)
            fail(reason, at: now, isFinal: false)
        case .refused(let reason):
            accept(batch)
            progress.refused += batch.sampleCount
            fail(reason, at: now, isFinal: true)
        case .stopped(let reason):
            progress.stopReason = reason
            fail(reason, at: now, isFinal: true)
        }
    }

    private func accept(_ batch: PriceBatch) {
        prices.positions.merge(batch.positions) { $1 }
        prices.open = batch.hasMore ? prices.open.union(batch.open) : batch.open
    }

    /// - Returns: The number of events in the batch.
    private func finish(_ batch: NotificationBatch, _ state: DeliveryState, _ detail: String?) -> Int {
        let count = queue.remove(batch)
        service.recordOutcome(
            receiver.name, through: batch.last, isUrgentOnly: batch.isUrgentOnly, state, detail)
        service.recordBatch(nil, of: receiver.name)
        return count
    }

    /// Ends a failure, unless `shortfall` names recipients that were permanently refused, or servers that did not
    /// accept the message.
    private func succeed(_ count: Int, shortfall: String? = nil, at now: Instant) {
        pace.succeed()
        waiters.failedThrough = 0
        progress.delivered += count
        // An earlier process may have reported the failure that ends now.
        if progress.lastSuccess == nil, service.host?.openFailure(of: receiver.name) != nil {
            progress.isReported = true
        }
        progress.lastSuccess = now.wall
        let since = failedEarlier ? nil : progress.failingSince
        progress.failingSince = nil
        failedEarlier = false
        if let shortfall { return miss(shortfall, at: now) }
        progress.shortfall = nil
        guard progress.isReported else { return }
        progress.isReported = false
        let length = since.map { " after \(now.boot.since($0.boot).approximate)" } ?? ""
        service.recorder?.report(
            .receiverRecovered, of: receiver.name, "receiver \(receiver.name) accepts notifications again\(length)")
    }

    /// Reports recipients or servers that get nothing, each once. Mail servers put another id into each of their
    /// replies, so only the addresses show what is new. If the wording counted, two mail receivers would report each
    /// other without end.
    private func miss(_ shortfall: String, at now: Instant) {
        progress.failures += 1
        progress.lastFailure = (now.wall, shortfall)
        let open = service.host?.openFailure(of: receiver.name) ?? ""
        let known = progress.shortfall ?? open
        progress.shortfall = shortfall
        if servers.isAny {
            guard servers.mustReport(after: Self.reportAfter, at: now.boot, known: open) else { return }
            progress.isReported = true
            let failure = FailureText("does not reach all servers", shortfall)
            service.recorder?.report(.receiverFailed, of: receiver.name, failure.text(for: receiver.name))
            return
        }
        let missed = (receiver.values[.to] ?? []).filter { EmailFormat.names($0, in: shortfall) }
        guard missed.isEmpty || missed.contains(where: { !EmailFormat.names($0, in: known) }) else { return }
        report(FailureText("does not reach all recipients", shortfall))
    }

    /// Reports a failure, unless one of the same kind was reported and has not ended yet, possibly by an earlier
    /// process.
    private func report(_ failure: FailureText) {
        progress.isReported = true
        let open = service.host?.openFailure(of: receiver.name).flatMap { FailureText($0, of: receiver.name) }
        if let open, open.isSameKind(as: failure) { return }
        service.recorder?.report(.receiverFailed, of: receiver.name, failure.text(for: receiver.name))
    }

    private func fail(_ reason: String, at now: Instant, isFinal: Bool) {
        progress.failures += 1
        waiters.failedThrough = queue.entries.last?.number ?? 0
        progress.lastFailure = (now.wall, reason)
        if progress.failingSince == nil {
            failedEarlier = progress.lastSuccess == nil && service.host?.openFailure(of: receiver.name) != nil
        }
        let since = progress.failingSince ?? now
        progress.failingSince = since
        let length = now.boot.since(since.boot)
        guard !progress.isReported, isFinal || length >= Self.reportAfter else { return }
        report(FailureText("has failed\(isFinal ? "" : " for \(length.approximate)")", reason))
    }

    private func answer(_ decision: DeliveryDecision, _ batch: NotificationBatch) {
        let outcome: AttemptOutcome =
            switch decision {
            case .delivered: .delivered
            case .retry(let reason, _, _), .refused(let reason), .stopped(let reason): .failed(reason)
            }
        waiters.answer(outcome, through: outcome == .delivered ? batch.last : .max)
    }
}

extension DeliveryDecision {
    /// Combines the decisions of several servers about a notification that one of them must accept. `shortfall` names
    /// the servers that did not accept it.
    init(ofAny decisions: [DeliveryDecision], shortfall: String?) {
        let rank = { (decision: DeliveryDecision) in
            switch decision {
            case .delivered: 0
            case .retry: 1
            case .stopped: 2
            case .refused: 3
            }
        }
        let best = decisions.min { rank($0) < rank($1) } ?? .refused("there is nowhere to send it")
        if case .delivered(let pause, let message, let own) = best {
            self = .delivered(pause: pause, message: message, shortfall: own ?? shortfall)
        } else {
            self = best
        }
    }
}
