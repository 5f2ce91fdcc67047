internal import Control
internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Text
internal import Time

/// The format of Standard Webhooks 1.0.0 (standard-webhooks/standard-webhooks, spec/standard-webhooks.md):
/// `webhook-id`, `webhook-timestamp` and `webhook-signature`, an HMAC-SHA256 over `ID.TIMESTAMP.BODY`.
/// `Idempotency-Key` follows draft-ietf-httpapi-idempotency-key-header-07: a string in quotes.
struct WebhookFormat: ReceiverFormat {
    private let target: ReceiverTarget
    /// The signing keys. There are two while a secret is being replaced.
    private let keys: [[UInt8]]

    init(_ target: ReceiverTarget) throws(ReceiverFault) {
        self.target = target
        var keys: [[UInt8]] = []
        for secret in (target.credential ?? "").split(separator: " ") {
            let encoded = secret.hasPrefix(Self.prefix) ? secret.dropFirst(Self.prefix.count) : secret
            guard let key = Base64.bytes(of: String(encoded)), Self.keyBytes.contains(key.count) else {
                throw ReceiverFault(text: "the credential is not a signing secret: whsec_ and 24 to 64 bytes in base64")
            }
            keys.append(key)
        }
        self.keys = keys
    }

    private static let prefix = "whsec_"
    /// The length of a key in bytes that the specification requires.
    private static let keyBytes = 24...64

    func messages(for notification: Notification) -> [OutgoingMessage] {
        let body = Self.body(of: notification)
        let seconds = notification.now.milliseconds / 1_000
        var headers = [
            "Content-Type": "application/json", "webhook-id": notification.id, "webhook-timestamp": "\(seconds)",
            "Idempotency-Key": "\"\(notification.id)\"",
        ]
        let signed = Array("\(notification.id).\(seconds).".utf8) + body
        let signatures = keys.compactMap { hmacSHA256(signed, key: $0).map { "v1,\(Base64.text(of: $0))" } }
        if !signatures.isEmpty { headers["webhook-signature"] = signatures.joined(separator: " ") }
        return [.request(HTTPRequest(.post, target.urls.first ?? "", headers: headers, body: body))]
    }

    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        response.generalDecision(at: now, for: target)
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
