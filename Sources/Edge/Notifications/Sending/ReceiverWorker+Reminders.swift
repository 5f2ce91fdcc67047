internal import EventLoop
internal import Events
internal import Receivers
internal import Time

// An Alertmanager forgets alerts when it restarts, and with several servers, one may have missed messages. Firing
// alerts are therefore sent again periodically, between the notifications of the queue. No other attempt is in
// progress at the same time, so an alert that has just resolved is never reported as firing.
extension ReceiverWorker {
    /// Sends firing alerts again, unless something else is being sent or the receiver has stopped.
    func remind() {
        guard receiver.kind.profile.needsReminders, task == nil, !service.isStopping,
            service.mayNotify(), canContinue()
        else { return }
        task = Loop.shared.start { [self, service] in
            let decision = await sendReminders()
            task = nil
            guard !service.isStopping, !Task.isCancelled else { return }
            apply(reminders: decision)
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
        reminders.begin(
            of: AlertmanagerFormat.firingLength, at: clock.now().wall, serverCount: connection.target?.urls.count ?? 0)
        let suppressed = Set(host.suppressedEnds().map(\.number))
        reminders.sentEnds.formIntersection(suppressed)
        let events = reminders(from: host)
        let limit = receiver.eventsPerRequest ?? events.count
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
            reminders.severities.record(notification.events)
            decision = await deliver(format.messages(for: notification), by: client, format)
            rest = rest.dropFirst(limit)
        } while !rest.isEmpty && decision.isDelivered && !service.isStopping
        guard decision.isDelivered, rest.isEmpty else { return decision }
        reminders.end()
        if reminders.recordDelivered(events) {
            reminders.sentEnds.formUnion(suppressed.intersection(events.map(\.number)))
        }
        return decision
    }

    /// Adds the earlier severities of alerts. An Alertmanager distinguishes alerts by severity: an alert must end
    /// with each severity that it was reported with, and an alert whose severity a reload has changed must end with
    /// the former one. Severities from before a restart are looked up once. Looking through the events of an alert
    /// takes a few milliseconds, and a poll waits for one such lookup at most.
    func addFormerSeverities(to notification: inout Notification) async {
        guard receiver.kind.profile.needsReminders, let host = service.host else { return }
        for (place, event) in notification.events.enumerated() {
            if reminders.severities.lacks(event) {
                reminders.severities.recall(host.formerSeverities(of: event), of: event)
                await Task.yield()
            }
            var severities = reminders.severities.severities(of: event)
            if event.occurrence.kind == .resolved {
                severities.formUnion(host.formerSeverities(of: event))
                await Task.yield()
            }
            severities.remove(event.occurrence.severity)
            notification.formerSeverities[place] = severities.isEmpty ? nil : severities.sorted { $0.rank < $1.rank }
        }
    }

    /// Returns alerts that are firing, alerts whose end was suppressed by a silence, and alerts that have ended since
    /// the oldest outage of a server began. Leaves out alerts with events in the queue, because these events follow.
    private func reminders(from host: any NotificationHost) -> [Event] {
        let waiting = Set(host.events(numbered: queue.entries.map(\.number)).map { AlertIdentity($0.occurrence) })
        let firing = host.firingEvents().filter { isMine($0) && !waiting.contains(AlertIdentity($0.occurrence)) }
        let open = waiting.union(firing.map { AlertIdentity($0.occurrence) })
        var ends = host.suppressedEnds().filter { !reminders.sentEnds.contains($0.number) }
        if let outage = reminders.outageStart { ends += host.ends(since: outage) }
        // If an alert has ended several times, the last end is enough.
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

/// A record of the reminders that servers have accepted, and of the messages that servers may lack.
struct ReminderBook {
    /// The start of each server's outage, by server index. Messages sent since then may be missing on the server. An
    /// outage ends when the server accepts a complete reminder.
    private var outages: [Int: WallTime] = [:]
    /// True if ``outages`` includes messages that earlier processes may have failed to send.
    private var knowsFormerOutages = false
    /// The indexes of the servers that did not accept a message since ``begin(of:at:serverCount:)``.
    private var failedServers: Set<Int> = []
    var severities = RemindedSeverities()
    /// The numbers of the ends that a silence suppressed and that a reminder has delivered since.
    var sentEnds: Set<Int64> = []

    /// The start of the oldest outage, or nil if no server has one.
    var outageStart: WallTime? { outages.values.min() }

    mutating func recordFailure(ofServer place: Int, at now: WallTime) {
        failedServers.insert(place)
        if outages[place] == nil { outages[place] = now }
    }

    /// Begins a reminder of the messages of the last `length`. The first reminder of a process assumes that every
    /// server missed all of them, because failures of earlier processes are not stored.
    mutating func begin(of length: Milliseconds, at now: WallTime, serverCount: Int) {
        failedServers = []
        let start = WallTime(milliseconds: now.milliseconds - length.count)
        outages = outages.mapValues { max($0, start) }
        guard !knowsFormerOutages else { return }
        knowsFormerOutages = true
        for place in 0..<serverCount { outages[place] = start }
    }

    /// Ends a reminder whose parts were all sent. The outage of each server that accepted all of them is over.
    mutating func end() { outages = outages.filter { failedServers.contains($0.key) } }

    /// Records that alerts were delivered. Does nothing while a server has an outage, because that server gets the
    /// ends later.
    ///
    /// - Returns: True if no server has an outage.
    @discardableResult
    mutating func recordDelivered(_ events: [Event]) -> Bool {
        if outages.isEmpty { severities.recordDelivered(events) }
        return outages.isEmpty
    }
}
