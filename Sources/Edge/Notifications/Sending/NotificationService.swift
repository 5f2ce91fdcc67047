package import EventLoop
package import Events
package import Receivers
internal import Time

/// The service for all receivers: decides which of them get an event, manages their queues, and delivers.
///
/// Events are appended before they are committed, so that the queue is stored with them. They are sent after the
/// commit (``wake()``).
@LoopActor
package final class NotificationService {
    package private(set) var routing: ReceiverRouting
    /// The routing before a reload, until the events of the reload are sent. Alerts that the reload ends are reported
    /// to the receivers of their firings.
    private var formerRouting: ReceiverRouting?
    package internal(set) var environment: NotificationEnvironment
    /// The host, which must be set before the first event.
    package weak var host: (any NotificationHost)?
    package weak var recorder: (any NotificationRecorder)?
    /// Returns true if this daemon may notify; false on standby.
    var mayNotify: () -> Bool = { true }
    /// Returns the reason why this daemon may not notify, for people.
    var standbyReason: () -> String = { "the lease is not held yet" }
    private(set) var workers: [String: ReceiverWorker] = [:]
    private var changes = QueueChanges()
    private(set) var isStopping = false
    private lazy var reminders = LoopTimer(accuracy: .seconds(1)) { [weak self] in self?.sendReminders() }

    /// Creates a service with empty queues.
    package init(_ routing: ReceiverRouting, _ environment: NotificationEnvironment) {
        self.routing = routing
        self.environment = environment
        for receiver in routing.receivers {
            workers[receiver.name] = ReceiverWorker(receiver, NotificationQueue(), service: self)
        }
    }

    /// Continues with the stored queues. Drops the queues of receivers that no longer exist.
    package func restore(_ stored: StoredQueues) {
        for (name, entries) in stored.queued.sorted(by: { $0.key < $1.key }) {
            guard let receiver = routing.receivers.first(where: { $0.name == name }) else {
                if let last = entries.last?.number { dropRemoved(name, through: last) }
                continue
            }
            let own = workers[name]?.queue.entries ?? []
            // The batch in progress is sent again, as part of the whole queue.
            workers[name]?.cancel()
            let queue = NotificationQueue(entries + own, batch: stored.batches[name])
            workers[name] = ReceiverWorker(receiver, queue, service: self)
        }
    }

    /// Applies new settings. Receivers that had stopped try again. Queues of receivers that no longer exist are
    /// dropped.
    package func replace(_ new: ReceiverRouting) {
        formerRouting = routing
        routing = new
        // Firing alerts may have another severity now, so they are sent again immediately.
        reminders.disarm()
        let names = Set(new.receivers.map(\.name))
        for (name, worker) in workers where !names.contains(name) {
            _ = worker.drop(Self.removal)
            worker.cancel()
            workers[name] = nil
        }
        for receiver in new.receivers {
            if let worker = workers[receiver.name] {
                worker.replace(receiver)
            } else {
                workers[receiver.name] = ReceiverWorker(receiver, NotificationQueue(), service: self)
            }
        }
    }

    private static let removal = "the receiver was removed"

    private func dropRemoved(_ name: String, through last: Int64) {
        recordOutcome(name, through: last, isUrgentOnly: false, .dropped, Self.removal)
        recordBatch(nil, of: name)
    }

    /// Appends events to the queues of their receivers.
    ///
    /// - Returns: The changes to store with the events: these, and all other changes of the queues.
    package func append(_ events: [Event]) -> QueueChanges {
        let ends = workers.isEmpty ? [:] : receivers(ofEnds: events.filter(\.endsRule))
        for event in events {
            let names =
                ends[event.number] ?? routing.names(for: event.occurrence) { workers[$0]?.isFailing ?? false }
            for name in names { workers[name]?.append(event) }
        }
        return drainChanges()
    }

    /// Returns the receivers for the ends of rules, by event number: the receivers of the firings. The settings may
    /// no longer name these receivers. During a reload, the previous settings give them; after a start, the stored
    /// deliveries do. An end that is missing from the result is routed by the settings.
    private func receivers(ofEnds ends: [Event]) -> [Int64: [String]] {
        guard !ends.isEmpty else { return [:] }
        if let formerRouting {
            return Dictionary(uniqueKeysWithValues: ends.map { ($0.number, formerRouting.names(for: $0.occurrence)) })
        }
        let notified = host?.receiversOfFirings(endedBy: ends) ?? [:]
        return Dictionary(
            uniqueKeysWithValues: ends.compactMap { end in
                guard let names = notified[end.number] else { return nil }
                // Reminders are routed by the settings, so their receivers may know about the firing without an
                // event.
                let named = Set(routing.names(for: end.occurrence))
                let receivers = routing.receivers.filter {
                    names.contains($0.name) || $0.kind.profile.needsReminders && named.contains($0.name)
                }
                return (end.number, receivers.map(\.name))
            })
    }

    /// Sends the notifications that are due.
    package func wake() {
        formerRouting = nil
        for receiver in routing.receivers { workers[receiver.name]?.wake() }
        if !reminders.isArmed, needsReminders { sendReminders() }
    }

    private var needsReminders: Bool { routing.receivers.contains(where: \.kind.profile.needsReminders) }

    /// Sends firing alerts again to receivers that may have forgotten them, at the start and periodically.
    func sendReminders() {
        guard !isStopping, needsReminders, mayNotify() else { return }
        reminders.arm(after: environment.reminderPeriod)
        for receiver in routing.receivers { workers[receiver.name]?.remind() }
    }

    /// Sends new prices to the receivers of prices. Call it after each poll, and when a source is stale.
    package func sendPrices() {
        guard mayNotify() else { return }
        for worker in workers.values { worker.sendPrices() }
    }

    /// Prevents all sending until a lease allows it.
    package func suspend() { mayNotify = { false } }

    /// Cancels the attempts in progress. Their notifications stay queued.
    func pause() {
        reminders.disarm()
        for worker in workers.values { worker.cancel() }
    }

    /// Drops the oldest events of a queue.
    func drop(_ name: String, through last: Int64, _ reason: String) {
        workers[name]?.drop(through: last, reason)
    }

    /// Gives queued events new numbers, because their old numbers turned out to be taken.
    package func renumber(_ number: (Int64) -> Int64) {
        for worker in workers.values { worker.renumber(number) }
    }

    /// Lets attempts in progress finish for at most 2 s. Notifications that were not delivered stay queued.
    package func finish() async {
        isStopping = true
        reminders.disarm()
        let limit = LoopTimer { [weak self] in
            for worker in self?.workers.values.map(\.self) ?? [] { worker.cancel() }
        }
        limit.arm(after: .seconds(2))
        for worker in workers.values.map(\.self) { await worker.untilIdle() }
        for worker in workers.values { worker.cancel() }
        limit.disarm()
    }
}

// MARK: Stored changes

extension NotificationService {
    func recordAdded(_ entry: QueuedNotification, to name: String) {
        changes.added[name, default: []].append(entry)
    }

    func recordBatch(_ batch: NotificationBatch?, of name: String) {
        changes.batches[name] = .some(batch)
    }

    func recordOutcome(
        _ name: String, through last: Int64, isUrgentOnly: Bool, _ state: DeliveryState, _ detail: String?
    ) {
        changes.settled.append(
            NotificationSettlement(
                receiver: name, through: last, isUrgentOnly: isUrgentOnly, state: state,
                time: environment.clock.now().wall, detail: detail))
    }

    func save() { recorder?.save(drainChanges()) }

    private func drainChanges() -> QueueChanges {
        guard !changes.isEmpty else { return changes }
        defer { changes = QueueChanges() }
        return changes
    }

    /// Returns the queues as a whole, with the last outcomes, for a file that may lack earlier changes.
    package func everything(after last: QueueChanges) -> QueueChanges {
        var everything = QueueChanges(replacesAll: true, settled: last.settled)
        for (name, worker) in workers {
            everything.added[name] = worker.queue.entries
            everything.batches[name] = .some(worker.queue.batch)
        }
        return everything
    }
}

// MARK: Requests of users

/// The current state of a receiver.
package struct ReceiverView: Sendable {
    package var receiver: Receiver
    package var progress: ReceiverProgress
    /// The waiting events, oldest first.
    package var queued: [QueuedNotification]

    /// The reason why nothing is sent until the settings or the credential change, or nil if sending is allowed.
    package var blocker: String? { progress.stopReason ?? progress.fault }
}

extension NotificationService {
    /// The receivers, in the order of the settings.
    package var views: [ReceiverView] {
        routing.receivers.compactMap { receiver in
            workers[receiver.name].map {
                ReceiverView(receiver: receiver, progress: $0.progress, queued: $0.queue.entries)
            }
        }
    }

    /// True if no attempt is in progress and no timer is armed, so that receivers do not wake the process before the
    /// next event. Not true with an Alertmanager while this daemon may notify, because firing alerts are then sent
    /// again periodically.
    var isAtRest: Bool { !reminders.isArmed && workers.values.allSatisfy(\.isAtRest) }

    /// Returns the numbers of the events that are being sent to a receiver, or were being sent and will be sent
    /// again.
    package func openEvents(of name: String) -> [Int64] { workers[name]?.queue.openEvents ?? [] }

    /// Tries to deliver waiting events without waiting for the next attempt. Nil means all receivers.
    package func retry(_ name: String?) {
        for (key, worker) in workers where name == nil || key == name {
            worker.replace(worker.receiver, triesNow: true)
        }
    }

    /// Drops the events that wait for a receiver. An event that is being sent may still arrive.
    ///
    /// - Returns: The number of dropped events.
    package func drop(_ name: String, by user: UserIdentity) -> Int {
        workers[name]?.drop("dropped by \(user)") ?? 0
    }

    /// Waits for the outcome of an attempt to deliver an event. Returns nil if there is no such receiver.
    package func outcome(of number: Int64, at name: String, within limit: Duration) async -> AttemptOutcome? {
        await workers[name]?.outcome(of: number, within: limit)
    }
}

extension Event {
    /// True if receivers are notified that the rule of a firing alert was changed or removed.
    fileprivate var endsRule: Bool {
        occurrence.notified && (occurrence.reason == .ruleRemoved || occurrence.reason == .ruleChanged)
    }
}
