internal import Events
internal import HTTP
internal import JSON
internal import Market
internal import Receivers
internal import Time

/// The format of Alertmanager's API v2 (prometheus/alertmanager, api/v2/openapi.yaml): alerts with labels, which
/// identify them, and annotations for people. Labels have no price, time or host, so that two daemons with the same
/// rules report the same alert. Every configured server gets every message, because Alertmanagers do not forward
/// alerts to each other.
struct AlertmanagerFormat: ReceiverFormat {
    private let target: ReceiverTarget

    /// The time after which a firing alert ends without a further report. It is long, so that a daemon that is down
    /// for a night resolves nothing.
    static let firingLength = Milliseconds.seconds(86_400)
    /// The time after which the alert of a momentary event, such as a crossing, ends.
    static let momentLength = Milliseconds.seconds(300)

    init(_ target: ReceiverTarget) { self.target = target }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        var writer = JSONWriter(capacity: 4_096)
        writer.beginArray()
        if notification.isReminder { Self.writeAlive(at: notification.now, to: &writer) }
        for (index, event) in notification.events.enumerated() {
            let title = index < notification.eventTitles.count ? notification.eventTitles[index] : notification.title
            Self.write(event.occurrence, title: title, notification, to: &writer)
            // Ends the alerts with the severities that were reported before a reload.
            for severity in notification.formerSeverities[index] ?? [] {
                var occurrence = event.occurrence
                occurrence.severity = severity
                Self.write(occurrence, isOver: true, title: title, notification, to: &writer)
            }
        }
        writer.endArray()
        var headers = ["Content-Type": "application/json"]
        headers["Authorization"] = target.authorization
        return target.urls.map { url in
            let base = String(url.reversed().drop { $0 == "/" }.reversed())
            return .request(HTTPRequest(.post, "\(base)/api/v2/alerts", headers: headers, body: writer.bytes))
        }
    }

    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        response.generalDecision(at: now, for: target)
    }

    private static func write(
        _ event: Occurrence, isOver: Bool = false, title: String, _ notification: Notification,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key("labels")
        writer.beginObject()
        writer.member("alertname", event.rule ?? subject(of: event.kind))
        writer.member("source", "\(event.source ?? notification.source)")
        let labels: [(StaticString, String?)] = [
            ("rule", event.rule), ("symbol", event.symbol?.description), ("bound", event.bound?.rawValue),
            // An end has the same severity as its report, so that their labels are the same.
            ("severity", event.rule == nil ? Severity.warning.rawValue : event.severity.rawValue),
            ("currency", event.currency?.description), ("receiver", event.details.receiver),
            ("check", event.details.divergence?.check),
            // A `touched` event has a label of its own, so that it does not end a firing that has begun since.
            ("event", event.kind == .touched ? event.kind.rawValue : nil),
        ]
        for (name, value) in labels { if let value { writer.member(name, value) } }
        writer.endObject()
        writer.key("annotations")
        writer.beginObject()
        writer.member("summary", title)
        writer.member("description", event.text)
        let amounts = event.amounts
        if let price = amounts.price { writer.member("price", price) }
        if !amounts.limits.isEmpty { writer.member("limit", amounts.limits.joined(separator: " to ")) }
        writer.endObject()
        writer.member("startsAt", start(of: event).description)
        writer.member("endsAt", (isOver ? event.time : end(of: event, now: notification.now)).description)
        writer.endObject()
    }

    /// Writes an alert that always fires. If it ends, alertd or its connection is down.
    private static func writeAlive(at now: WallTime, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("labels")
        writer.beginObject()
        writer.member("alertname", "AlertdAlive")
        writer.member("severity", "none")
        writer.endObject()
        writer.key("annotations")
        writer.beginObject()
        writer.member("summary", "alertd is running")
        writer.member("description", "This alert always fires. When it resolves, no alertd reports alerts.")
        writer.endObject()
        writer.member("startsAt", now.description)
        writer.member("endsAt", WallTime(milliseconds: now.milliseconds + momentLength.count).description)
        writer.endObject()
    }

    private static func start(of event: Occurrence) -> WallTime {
        min(event.details.firingSince ?? event.time, event.time)
    }

    private static func end(of event: Occurrence, now: WallTime) -> WallTime {
        if event.kind.isEnd { return event.time }
        let isMoment = event.bound?.isMomentary ?? false || [.test, .rulesChanged, .touched].contains(event.kind)
        let length = isMoment ? momentLength : firingLength
        return WallTime(milliseconds: max(event.time, now).milliseconds + length.count)
    }

    /// Returns the name of an alert that does not belong to a rule. A report and its end have the same name.
    private static func subject(of kind: EventKind) -> String {
        switch kind.subject {
        case .feed: "AlertdFeedStale"
        case .symbol: "AlertdSymbolUnusable"
        case .store: "AlertdStoreFailed"
        case .receiver: "AlertdReceiverFailed"
        case .check: "AlertdPricesDiverged"
        case .rules: "AlertdRulesChanged"
        case .drill, nil: "AlertdTest"
        }
    }
}
