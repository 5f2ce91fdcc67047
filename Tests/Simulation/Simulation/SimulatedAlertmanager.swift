internal import Events
internal import Market
internal import Time

/// What an Alertmanager knows of what it was sent: alerts by their labels, each until its end.
struct SimulatedAlertmanager {
    /// One rule on one market and bound.
    struct AlertKey: Hashable {
        var source: String
        var rule: String
        var symbol: String
        var bound: String
    }

    /// What was last said of an alert: by any event, and by one that was notified.
    struct AlertNews {
        var any: EventKind
        var notified: EventKind?
        /// Whether the end of a firing was held back by a silence: it may never be notified.
        var wasHeldBack = false
    }

    /// What a reminder has and no notification.
    static let reminder = "AlertdAlive"

    /// When each alert of a rule ends, by its labels.
    private var ends: [String: (key: AlertKey, end: WallTime)] = [:]
    /// Whether ends may have been dropped: too old, or removed with the receiver.
    var mayLackEnds = false

    /// The alerts that it shows as firing.
    func firing(at now: WallTime) -> Set<AlertKey> { Set(ends.values.filter { $0.end > now }.map(\.key)) }

    /// Takes the body of a request that it accepts.
    mutating func take(_ body: String) {
        for part in body.split(separator: #"{"labels":{"#).dropFirst() {
            let labels = String(part.prefix { $0 != "}" })
            let value = { (name: String, text: String) -> String? in
                text.place(after: "\"\(name)\":\"").map { String(text[$0...].prefix { $0 != "\"" }) }
            }
            // What was reached in a gap is an alert of its own, and over soon.
            guard value("event", labels) == nil, let rule = value("rule", labels), let bound = value("bound", labels),
                let end = value("endsAt", String(part)).flatMap({ WallTime(rfc3339: $0) })
            else { continue }
            let key = AlertKey(
                source: value("source", labels) ?? "", rule: rule, symbol: value("symbol", labels) ?? "", bound: bound)
            ends[labels] = (key, end)
        }
    }
}

// What the Alertmanagers know, against what fires.
extension Simulation {
    /// Notes what an event says of an alert.
    func noteAlert(_ event: Event) {
        let what = event.occurrence
        guard let key = alertKey(of: event) else { return }
        let before = alertNews[key]
        alertNews[key] = SimulatedAlertmanager.AlertNews(
            any: what.kind, notified: what.notified ? what.kind : before?.notified,
            // The end of a rule in a silence ends the debt, too.
            wasHeldBack: before?.wasHeldBack ?? false
                || what.kind == .resolved && !what.notified && what.reason != .firedSuppressed)
    }

    /// The alert that an event says something of; nil for crossings and for what is not of an alert.
    func alertKey(of event: Event) -> SimulatedAlertmanager.AlertKey? {
        let what = event.occurrence
        guard let rule = what.rule, let symbol = what.symbol, let bound = what.bound, !bound.isMomentary,
            [.fired, .resolved, .repeated].contains(what.kind)
        else { return nil }
        return SimulatedAlertmanager.AlertKey(
            source: "\(what.source ?? settings.sources[0].name)", rule: rule, symbol: "\(symbol)",
            bound: bound.rawValue)
    }

    /// After the last fault, each Alertmanager shows what fires, and nothing that has ended.
    func checkAlertmanagers() throws(Broken) {
        guard plan.size <= 50, !hasLostEvents else { return }
        let now = clock.now().wall
        for receiver in settings.receivers where receiver.kind == .alertmanager {
            // It may be collecting a group.
            guard let manager = receivers.managers[receiver.name],
                receivers.books.pending(receiver.name, isUrgentOnly: false).isEmpty
            else { continue }
            let shown = manager.firing(at: now)
            if let missing = alertNews.first(where: { key, news in
                news.any != .resolved && news.notified == news.any && !shown.contains(key)
            }) {
                throw broken("\(receiver.name) does not show \(missing.key), which fires")
            }
            // After the clock was set back, ends that were reported earlier are in the future.
            guard !manager.mayLackEnds, !wasClockStepped else { continue }
            let over = shown.first { key in
                let hasEnded = alertNews[key].map { $0.notified == .resolved && !$0.wasHeldBack } ?? true
                return hasEnded && Bound(rawValue: key.bound)?.isMomentary == false
            }
            if let over { throw broken("\(receiver.name) shows \(over), which has ended") }
        }
    }
}
