internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Text
internal import Time

/// The format of Gotify (gotify/server, api/message.go): JSON to `/message`, with the token of an application in a
/// header. An error is `{"error": "Unauthorized", "errorCode": 401, "errorDescription": "…"}`.
struct GotifyFormat: ReceiverFormat {
    private let target: ReceiverTarget
    private let token: String

    /// The maximum length of a title. The server has no limits; this one and ``messageLimit`` keep a notification
    /// readable on a phone.
    private static let titleLimit = TextLimit.bytes(250)
    private static let messageLimit = TextLimit.bytes(4_096)

    init(_ target: ReceiverTarget) throws(ReceiverFault) {
        token = try target.requiredCredential()
        self.target = target
    }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("title", Self.titleLimit.cut(notification.title))
        // The server rejects a message without text.
        let text = notification.body.isEmpty ? notification.title : notification.body
        writer.member("message", Self.messageLimit.cut(text))
        writer.member("priority", Self.priority(of: notification))
        writer.endObject()
        let headers = ["Content-Type": "application/json", "X-Gotify-Key": token]
        return [.request(HTTPRequest(.post, "\(target.url)/message", headers: headers, body: writer.bytes))]
    }

    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        response.generalDecision(at: now, for: target)
    }

    /// Returns the priority. The app shows 1 to 3 without a sound, 4 to 7 with a sound, and 8 to 10 also on top of
    /// the screen.
    private static func priority(of notification: Notification) -> Int {
        switch notification.severity {
        case .info: 2
        case .warning: 5
        case .critical: 8
        }
    }
}
