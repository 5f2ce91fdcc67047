internal import Control
internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Text
internal import Time

/// The format of Standard Webhooks 1.0.0, signed by ``WebhookSigner``. The value of `Idempotency-Key` is a string in
/// quotes, as in draft-ietf-httpapi-idempotency-key-header-07.
struct WebhookFormat: ReceiverFormat {
    private let target: ReceiverTarget
    private let signer: WebhookSigner

    init(_ target: ReceiverTarget) throws(ReceiverFault) {
        self.target = target
        signer = try WebhookSigner(target.credential ?? "")
    }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        let body = Self.body(of: notification)
        var headers = target.receiver.request.ownHeaders(for: notification, target.receiver)
        headers["Content-Type"] = "application/json"
        headers["Idempotency-Key"] = "\"\(notification.id)\""
        headers.merge(signer.headers(for: notification, body)) { $1 }
        return [.request(HTTPRequest(.post, target.urls.first ?? "", headers: headers, body: body))]
    }

    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        target.receiver.request.decision(on: response, at: now, for: target)
    }

    private static func body(of notification: Notification) -> [UInt8] {
        var writer = JSONWriter(capacity: 2_048)
        writer.beginObject()
        writer.member("type", type(of: notification))
        writer.member("timestamp", notification.time.description)
        writer.key("data")
        writer.beginObject()
        writer.member("instance", notification.instance)
        if let source = notification.commonSource { writer.member("source", "\(source)") }
        writer.member("title", notification.title)
        writer.member("text", notification.body)
        writer.member("late_ms", Int(max(0, notification.now.since(notification.time).count)))
        writer.key("events")
        writer.beginArray()
        for event in notification.events { EventRecord(event).write(to: &writer) }
        writer.endArray()
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    /// Returns the type: `alert.fired`, `feed.stale`, `test`, or `events` for a group.
    private static func type(of notification: Notification) -> String {
        guard notification.events.count == 1, let kind = notification.events.first?.occurrence.kind else {
            return "events"
        }
        switch kind {
        case .fired, .resolved, .repeated, .touched: return "alert.\(kind.rawValue)"
        default: return kind.rawValue.split(around: "_").map { "\($0.before).\($0.after)" } ?? kind.rawValue
        }
    }
}
