internal import Events

/// The severities under which an Alertmanager was reminded of alerts. A reload may change that of a rule while its alerts
/// fire, without any event.
struct RemindedSeverities {
    /// More are forgotten, except those of the latest reminder, which has 1,000 alerts at most.
    private static let limit = 10_000

    private var severities: [AlertIdentity: Set<Severity>] = [:]

    /// Takes the alerts of a reminder.
    mutating func note(_ events: some Sequence<Event>) {
        if severities.count > Self.limit { severities.removeAll() }
        for event in events where !event.occurrence.kind.isEnd {
            severities[AlertIdentity(event.occurrence), default: []].insert(event.occurrence.severity)
        }
    }

    /// Forgets the alerts whose end was delivered.
    mutating func forget(_ events: some Sequence<Event>) {
        for event in events where event.occurrence.kind.isEnd {
            severities[AlertIdentity(event.occurrence)] = nil
        }
    }

    /// The severities of an alert.
    func severities(of event: Event) -> Set<Severity> { severities[AlertIdentity(event.occurrence)] ?? [] }
}
