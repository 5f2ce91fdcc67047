package import EventLoop
package import Events
package import Receivers
internal import Time

/// All receivers: decides which of them get an event, keeps their queues, and delivers.
///
/// Events are appended before they are committed, so that the queue is stored with them, and sent after that
/// (``wake()``).
@LoopActor
package final class NotificationService {
    package private(set) var routing: ReceiverRouting
    /// The routing before a reload, until its events are sent: alerts that it ends are reported where their firing was.
    private var formerRouting: ReceiverRouting?
    package internal(set) var environment: NotificationEnvironment
    /// Set before the first event.
    package weak var host: (any NotificationHost)?
    package weak var recorder: (any NotificationRecorder)?
    /// Whether this daemon is the one that notifies.
    var mayNotify: () -> Bool = { true }
    private(set) var workers: [String: ReceiverWorker] = [:]
    private var changes = QueueChanges()
    private(set) var isStopping = false
    private lazy var reminders = LoopTimer(accuracy: .seconds(1)) { [weak self] in self?.sendReminders() }

    /// Makes a service with empty queues.
    package init(_ routing: ReceiverRouting, _ environment: NotificationEnvironment) {
        self.routing = routing
        self.environment = environment
        for receiver in routing.receivers {
            workers[receiver.name] = ReceiverWorker(receiver, NotificationQueue(), service: self)
        }
    }

    /// Continues with the queues that were stored; those of receivers that are gone are dropped.
    package func restore(_ stored: StoredQueues) {
        for (name, entries) in stored.queued.sorted(by: { $0.key < $1.key }) {
            guard let receiver = routing.receivers.first(where: { $0.name == name }) else {
                if let last = entries.last?.number { dropRemoved(name, through: last) }
                continue
            }
            let own = workers[name]?.queue.entries ?? []
            // What it was sending is sent again, as part of the whole queue.
            workers[name]?.cancel()
            let queue = NotificationQueue(entries + own, batch: stored.batches[name])
            workers[name] = ReceiverWorker(receiver, queue, service: self)
        }
    }

    /// Applies other settings. Receivers that had stopped try again; queues of receivers that are gone are dropped.
    package func replace(_ new: ReceiverRouting) {
        formerRouting = routing
        routing = new
        // What fires may have another severity now, so it is sent again at once.
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
        settle(name, through: last, isUrgentOnly: false, .dropped, Self.removal)
        noteBatch(nil, of: name)
    }

    /// Appends events to the queues of their receivers.
    ///
    /// - Returns: what is to be stored with the events: these and all other changes of the queues.
    package func append(_ events: [Event]) -> QueueChanges {
        let ends = workers.isEmpty ? [:] : receivers(ofEnds: events.filter(\.endsRule))
        for event in events {
            let names =
                ends[event.number] ?? routing.names(for: event.occurrence) { workers[$0]?.isFailing ?? false }
            for name in names { workers[name]?.append(event) }
        }
        return takeChanges()
    }

    /// Where the ends of rules go, by number: to the receivers of the firings. The settings may no longer name these: a
    /// reload knows the settings before it, a start what was stored. What is missing goes by the settings.
    private func receivers(ofEnds ends: [Event]) -> [Int64: [String]] {
        guard !ends.isEmpty else { return [:] }
        if let formerRouting {
            return Dictionary(uniqueKeysWithValues: ends.map { ($0.number, formerRouting.names(for: $0.occurrence)) })
        }
        let notified = host?.receiversOfFirings(endedBy: ends) ?? [:]
        return Dictionary(
            uniqueKeysWithValues: ends.compactMap { end in
                guard let names = notified[end.number] else { return nil }
                // Reminders go by the settings, so their receivers may know of the firing without an event.
                let named = Set(routing.names(for: end.occurrence))
                let receivers = routing.receivers.filter {
                    names.contains($0.name) || $0.kind.profile.needsReminders && named.contains($0.name)
                }
                return (end.number, receivers.map(\.name))
            })
    }

    /// Sends what is due.
    package func wake() {
        formerRouting = nil
        for receiver in routing.receivers { workers[receiver.name]?.wake() }
        if !reminders.isArmed, needsReminders { sendReminders() }
    }

    private var needsReminders: Bool { routing.receivers.contains(where: \.kind.profile.needsReminders) }

    /// Sends firing alerts again to the receivers that may have forgotten them: at the start, and periodically.
    func sendReminders() {
        guard !isStopping, needsReminders, mayNotify() else { return }
        reminders.arm(after: environment.reminderPeriod)
        for receiver in routing.receivers { workers[receiver.name]?.remind() }
    }

    /// Sends new prices to the receivers that get them: to be called after each poll, and when a source is stale.
    package func sendPrices() {
        guard mayNotify() else { return }
        for worker in workers.values { worker.sendPrices() }
    }

    /// Sends nothing until a lease allows it.
    package func hold() { mayNotify = { false } }

    /// Ends the attempts in progress; what they were to deliver stays queued.
    func pause() {
        reminders.disarm()
        for worker in workers.values { worker.cancel() }
    }

    /// Drops the oldest events of a queue.
    func drop(_ name: String, through last: Int64, _ reason: String) {
        workers[name]?.drop(through: last, reason)
    }

    /// Gives events other numbers: those that turned out to be taken.
    package func renumber(_ number: (Int64) -> Int64) {
        for worker in workers.values { worker.renumber(number) }
    }

    /// Lets attempts in progress end, for a moment; what was not delivered stays queued.
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

// MARK: What is stored

extension NotificationService {
    func noteAdded(_ entry: QueuedNotification, to name: String) {
        changes.added[name, default: []].append(entry)
    }

    func noteBatch(_ batch: NotificationBatch?, of name: String) {
        changes.batches[name] = .some(batch)
    }

    func settle(
        _ name: String, through last: Int64, isUrgentOnly: Bool, _ state: DeliveryState, _ detail: String?
    ) {
        changes.settled.append(
            NotificationSettlement(
                receiver: name, through: last, isUrgentOnly: isUrgentOnly, state: state,
                time: environment.clock.now().wall, detail: detail))
    }

    func save() { recorder?.save(takeChanges()) }

    private func takeChanges() -> QueueChanges {
        guard !changes.isEmpty else { return changes }
        defer { changes = QueueChanges() }
        return changes
    }

    /// The queues as a whole, for a file that may lack earlier changes than the last ones.
    package func everything(after last: QueueChanges) -> QueueChanges {
        var everything = QueueChanges(replacesAll: true, settled: last.settled)
        for (name, worker) in workers {
            everything.added[name] = worker.queue.entries
            everything.batches[name] = .some(worker.queue.batch)
        }
        return everything
    }
}

// MARK: What users ask for

/// A receiver as it is now.
package struct ReceiverView: Sendable {
    package var receiver: Receiver
    package var progress: ReceiverProgress
    /// What waits, oldest first.
    package var queued: [QueuedNotification]

    /// Why it sends nothing until its settings or credential change; nil while it may send.
    package var blocker: String? { progress.stopReason ?? progress.fault }
}

extension NotificationService {
    /// In the order of the settings.
    package var views: [ReceiverView] {
        routing.receivers.compactMap { receiver in
            workers[receiver.name].map {
                ReceiverView(receiver: receiver, progress: $0.progress, queued: $0.queue.entries)
            }
        }
    }

    /// Whether nothing is under way and no timer is armed: nothing of the receivers wakes the process before the next
    /// event. With an Alertmanager, which is sent periodically what fires, that is never so.
    var isAtRest: Bool { !reminders.isArmed && workers.values.allSatisfy(\.isAtRest) }

    /// The numbers of the events that are being sent to a receiver, or were and will be again.
    package func openEvents(of name: String) -> [Int64] { workers[name]?.queue.openEvents ?? [] }

    /// Tries to deliver what waits, without waiting for the next attempt; nil for all receivers.
    package func retry(_ name: String?) {
        for (key, worker) in workers where name == nil || key == name {
            worker.replace(worker.receiver, triesNow: true)
        }
    }

    /// Drops what waits for a receiver; what is being sent may still arrive.
    ///
    /// - Returns: how many events.
    package func drop(_ name: String, by user: UserIdentity) -> Int {
        workers[name]?.drop("dropped by \(user)") ?? 0
    }

    /// What an attempt to deliver an event leads to; nil when there is no such receiver.
    package func outcome(of number: Int64, at name: String, within limit: Duration) async -> AttemptOutcome? {
        await workers[name]?.outcome(of: number, within: limit)
    }
}

extension Event {
    /// Whether somebody is to be notified that the rule of a firing alert was changed or removed.
    fileprivate var endsRule: Bool {
        occurrence.notified && (occurrence.reason == .ruleRemoved || occurrence.reason == .ruleChanged)
    }
}
