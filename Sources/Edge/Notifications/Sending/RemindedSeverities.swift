internal import Events

/// The severities under which an Alertmanager shows the alerts of rules, as far as it is known. A reload may change
/// that of a rule while its alerts fire, without any event.
struct RemindedSeverities {
    /// More are forgotten; a reminder has at most 1,000 alerts.
    private static let limit = 10_000

    private var severities: [AlertIdentity: Set<Severity>] = [:]

    /// Whether nothing is known of an alert that fires already.
    func lacks(_ event: Event) -> Bool {
        event.occurrence.kind == .repeated && Self.isFiringOrEnd(event.occurrence)
            && severities[AlertIdentity(event.occurrence)] == nil
    }

    /// Takes what was found out about an alert of which nothing was known.
    mutating func recall(_ found: [Severity], of event: Event) {
        insert(event.occurrence.severity, of: event.occurrence)
        for severity in found { insert(severity, of: event.occurrence) }
    }

    /// Takes alerts that are going to be sent.
    mutating func note(_ events: some Sequence<Event>) {
        for what in events.lazy.map(\.occurrence) where Self.isFiringOrEnd(what) && !what.kind.isEnd {
            insert(what.severity, of: what)
        }
    }

    /// Takes alerts that were delivered: they have the present severity only, and those that ended have none.
    mutating func settle(_ events: some Sequence<Event>) {
        for what in events.lazy.map(\.occurrence) where Self.isFiringOrEnd(what) {
            severities[AlertIdentity(what)] = nil
            if !what.kind.isEnd { insert(what.severity, of: what) }
        }
    }

    /// What happens at a moment is over by itself, and the labels of reports have no severity of their own.
    private static func isFiringOrEnd(_ what: Occurrence) -> Bool {
        what.rule != nil && [.fired, .repeated, .resolved].contains(what.kind) && what.bound?.isMomentary == false
    }

    private mutating func insert(_ severity: Severity, of alert: Occurrence) {
        if severities.count >= Self.limit { severities.removeAll() }
        severities[AlertIdentity(alert), default: []].insert(severity)
    }

    /// The severities of an alert; none for what is an alert of its own.
    func severities(of event: Event) -> Set<Severity> {
        Self.isFiringOrEnd(event.occurrence) ? severities[AlertIdentity(event.occurrence)] ?? [] : []
    }
}
