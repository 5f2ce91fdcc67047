internal import Events

/// The severities under which an Alertmanager shows the alerts of rules, as far as known. A reload may change the
/// severity of a rule while its alerts fire, without an event.
struct RemindedSeverities {
    /// The maximum number of alerts. If there are more, all are forgotten; a reminder has at most 1,000 alerts.
    private static let limit = 10_000

    private var severities: [AlertIdentity: Set<Severity>] = [:]

    /// Returns true if nothing is known about an alert that is already firing.
    func lacks(_ event: Event) -> Bool {
        event.occurrence.kind == .repeated && Self.isFiringOrEnd(event.occurrence)
            && severities[AlertIdentity(event.occurrence)] == nil
    }

    /// Records the severities that were found for an alert about which nothing was known.
    mutating func recall(_ found: [Severity], of event: Event) {
        insert(event.occurrence.severity, of: event.occurrence)
        for severity in found { insert(severity, of: event.occurrence) }
    }

    /// Records alerts that are about to be sent.
    mutating func record(_ events: some Sequence<Event>) {
        for what in events.lazy.map(\.occurrence) where Self.isFiringOrEnd(what) && !what.kind.isEnd {
            insert(what.severity, of: what)
        }
    }

    /// Records that alerts were delivered. From then on, a firing alert has only its current severity, and an ended
    /// alert has none.
    mutating func recordDelivered(_ events: some Sequence<Event>) {
        for what in events.lazy.map(\.occurrence) where Self.isFiringOrEnd(what) {
            severities[AlertIdentity(what)] = nil
            if !what.kind.isEnd { insert(what.severity, of: what) }
        }
    }

    /// Returns true for a firing that lasts, and for its end. A momentary alert ends by itself, and the severity in
    /// the labels of reports never changes.
    private static func isFiringOrEnd(_ what: Occurrence) -> Bool {
        what.rule != nil && [.fired, .repeated, .resolved].contains(what.kind) && what.bound?.isMomentary == false
    }

    private mutating func insert(_ severity: Severity, of alert: Occurrence) {
        if severities.count >= Self.limit { severities.removeAll() }
        severities[AlertIdentity(alert), default: []].insert(severity)
    }

    /// Returns the severities of an alert, or none for events that are alerts of their own.
    func severities(of event: Event) -> Set<Severity> {
        Self.isFiringOrEnd(event.occurrence) ? severities[AlertIdentity(event.occurrence)] ?? [] : []
    }
}
