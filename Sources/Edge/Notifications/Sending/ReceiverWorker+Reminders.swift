internal import EventLoop
internal import Events
internal import Receivers
internal import Time

// Alertmanagers forget alerts when they restart, and one of several may have missed some. So they are sent again
// from time to time, between the notifications of the queue: an attempt is never in progress at the same time, so that
// nothing that has just resolved is reported as firing.
extension ReceiverWorker {
    /// Sends firing alerts again, unless something else is being sent or the receiver is failing.
    func remind() {
        guard receiver.kind.profile.needsReminders, task == nil, !service.isStopping,
            service.mayNotify(), canContinue()
        else { return }
        task = Loop.shared.start { [self, service] in
            let decision = await sendReminders()
            task = nil
            guard !service.isStopping, !Task.isCancelled else { return }
            take(reminders: decision)
            wake()
        }
    }

    private func sendReminders() async -> DeliveryDecision {
        let (format, client): (any ReceiverFormat, any NotificationSending)
        do throws(ReceiverFault) {
            (format, client) = try ready()
        } catch {
            return .stopped(error.text)
        }
        guard let host = service.host else { return .delivered() }
        beginReminder(of: AlertmanagerFormat.firingLength)
        let suppressed = Set(host.suppressedEnds().map(\.number))
        sentEnds.formIntersection(suppressed)
        let events = reminders(from: host)
        let limit = receiver.kind.profile.eventsPerRequest ?? events.count
        var decision = DeliveryDecision.delivered()
        var rest = events[...]
        repeat {
            let now = clock.now().wall
            var notification =
                host.composer.notification(of: Array(rest.prefix(limit)), for: receiver, at: now)
                ?? Notification(
                    id: "", instance: "", events: [], title: "", body: "", now: now, source: host.composer.source)
            notification.isReminder = true
            await addFormerSeverities(to: &notification)
            reminded.note(notification.events)
            decision = await deliver(format.messages(for: notification), by: client, format)
            rest = rest.dropFirst(limit)
        } while !rest.isEmpty && decision.isDelivered && !service.isStopping
        guard decision.isDelivered, rest.isEmpty else { return decision }
        endReminder()
        if outages.isEmpty {
            reminded.settle(events)
            sentEnds.formUnion(suppressed.intersection(events.map(\.number)))
        }
        return decision
    }

    /// An Alertmanager tells alerts apart by their severity: what ends has to end with each that it was reported with,
    /// and what a reload gave another one ends with the former one. What it was reported with before a restart is
    /// looked up once. Each look at the events of an alert takes some milliseconds, and a poll does not wait for more
    /// than one.
    func addFormerSeverities(to notification: inout Notification) async {
        guard receiver.kind.profile.needsReminders, let host = service.host else { return }
        for (place, event) in notification.events.enumerated() {
            if reminded.lacks(event) {
                reminded.recall(host.formerSeverities(of: event), of: event)
                await Task.yield()
            }
            var severities = reminded.severities(of: event)
            if event.occurrence.kind == .resolved {
                severities.formUnion(host.formerSeverities(of: event))
                await Task.yield()
            }
            severities.remove(event.occurrence.severity)
            notification.formerSeverities[place] = severities.isEmpty ? nil : severities.sorted { $0.rank < $1.rank }
        }
    }

    /// What fires, what has ended without an event that says so, and what has ended since a server may have missed it.
    /// Alerts of which something waits in the queue follow with that.
    private func reminders(from host: any NotificationHost) -> [Event] {
        let waiting = Set(host.events(numbered: queue.entries.map(\.number)).map { AlertIdentity($0.occurrence) })
        let firing = host.firingEvents().filter { isMine($0) && !waiting.contains(AlertIdentity($0.occurrence)) }
        let open = waiting.union(firing.map { AlertIdentity($0.occurrence) })
        var ends = host.suppressedEnds().filter { !sentEnds.contains($0.number) }
        if let outage = outages.values.min() { ends += host.ends(since: outage) }
        // Of several ends of an alert, the last one is enough.
        var ended: Set<AlertIdentity> = []
        let last = ends.reversed().filter { ended.insert(AlertIdentity($0.occurrence)).inserted }.reversed()
        return firing + last.filter { isMine($0) && !open.contains(AlertIdentity($0.occurrence)) }
    }

    private func isMine(_ event: Event) -> Bool {
        service.routing.names(for: event.occurrence) { $0 == receiver.name && isFailing }.contains(receiver.name)
    }
}

extension DeliveryDecision {
    var isDelivered: Bool {
        if case .delivered = self { true } else { false }
    }
}
