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
        reminders.begin(
            of: AlertmanagerFormat.firingLength, at: clock.now().wall, serverCount: connection.target?.urls.count ?? 0)
        let suppressed = Set(host.suppressedEnds().map(\.number))
        reminders.sentEnds.formIntersection(suppressed)
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
            reminders.severities.note(notification.events)
            decision = await deliver(format.messages(for: notification), by: client, format)
            rest = rest.dropFirst(limit)
        } while !rest.isEmpty && decision.isDelivered && !service.isStopping
        guard decision.isDelivered, rest.isEmpty else { return decision }
        reminders.end()
        if reminders.settle(events) { reminders.sentEnds.formUnion(suppressed.intersection(events.map(\.number))) }
        return decision
    }

    /// An Alertmanager tells alerts apart by their severity: what ends has to end with each that it was reported with,
    /// and what a reload gave another one ends with the former one. What it was reported with before a restart is
    /// looked up once. Each look at the events of an alert takes some milliseconds, and a poll does not wait for more
    /// than one.
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

    /// What fires, what has ended without an event that says so, and what has ended since a server may have missed it.
    /// Alerts of which something waits in the queue follow with that.
    private func reminders(from host: any NotificationHost) -> [Event] {
        let waiting = Set(host.events(numbered: queue.entries.map(\.number)).map { AlertIdentity($0.occurrence) })
        let firing = host.firingEvents().filter { isMine($0) && !waiting.contains(AlertIdentity($0.occurrence)) }
        let open = waiting.union(firing.map { AlertIdentity($0.occurrence) })
        var ends = host.suppressedEnds().filter { !reminders.sentEnds.contains($0.number) }
        if let outage = reminders.outageStart { ends += host.ends(since: outage) }
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

/// What servers were reminded of, and what they may lack.
struct ReminderBook {
    /// Which servers may lack messages, by their place, and since when; a complete reminder ends it.
    private var outages: [Int: WallTime] = [:]
    /// Whether what earlier processes may have failed to send is among ``outages``.
    private var knowsFormerOutages = false
    /// The servers that did not accept a message since ``begin(of:at:serverCount:)``.
    private var failedServers: Set<Int> = []
    var severities = RemindedSeverities()
    /// The numbers of the ends that no event reports and that were accepted.
    var sentEnds: Set<Int64> = []

    /// Since when a server may lack messages; nil if none does.
    var outageStart: WallTime? { outages.values.min() }

    mutating func noteFailure(ofServer place: Int, at now: WallTime) {
        failedServers.insert(place)
        if outages[place] == nil { outages[place] = now }
    }

    /// Begins a reminder of what was sent in the last `length`. The first one of a process counts every server as one
    /// that missed all of it: what earlier processes failed to send is not stored.
    mutating func begin(of length: Milliseconds, at now: WallTime, serverCount: Int) {
        failedServers = []
        let start = WallTime(milliseconds: now.milliseconds - length.count)
        outages = outages.mapValues { max($0, start) }
        guard !knowsFormerOutages else { return }
        knowsFormerOutages = true
        for place in 0..<serverCount { outages[place] = start }
    }

    /// Ends a reminder of which every part was sent: a server that accepted all of them lacks nothing.
    mutating func end() { outages = outages.filter { failedServers.contains($0.key) } }

    /// Notes that alerts were delivered, unless a server was down, which gets the ends later.
    ///
    /// - Returns: whether none was.
    @discardableResult
    mutating func settle(_ events: [Event]) -> Bool {
        if outages.isEmpty { severities.settle(events) }
        return outages.isEmpty
    }
}
