internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Time

/// The format of Slack's incoming webhooks (docs.slack.dev, "Sending messages using incoming webhooks"): a header of
/// at most 150 characters and a section of at most 3,000, both as plain text, in which only `&`, `<` and `>` are
/// escaped. Responses are plain text; 403, 404 and 410 mean that the webhook or its channel is gone.
struct SlackFormat: ReceiverFormat {
    private let target: ReceiverTarget

    private static let headerLimit = 150
    private static let sectionLimit = 3_000

    init(_ target: ReceiverTarget) { self.target = target }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("text", Self.escaped(notification.title, limit: Self.headerLimit))
        writer.key("blocks")
        writer.beginArray()
        for (type, text, limit) in [
            ("header", notification.title, Self.headerLimit), ("section", notification.body, Self.sectionLimit),
        ] {
            writer.beginObject()
            writer.member("type", type)
            writer.key("text")
            writer.beginObject()
            writer.member("type", "plain_text")
            writer.member("emoji", false)
            writer.member("text", Self.escaped(text, limit: limit))
            writer.endObject()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        let headers = ["Content-Type": "application/json"]
        return [.request(HTTPRequest(.post, target.url, headers: headers, body: writer.bytes))]
    }

    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        switch response.status {
        case 403, 404, 410: .stopped("the webhook or its channel is gone" + response.reason(for: target))
        default: response.generalDecision(at: now, for: target)
        }
    }

    /// Escapes a text, and cuts it so that the escaped text is within the limit.
    private static func escaped(_ text: String, limit: Int) -> String {
        var room = limit
        while true {
            let escaped = escape(TextLimit.utf16(room).cut(text), ["&": "&amp;", "<": "&lt;", ">": "&gt;"])
            guard escaped.utf16.count > limit, room > 1 else { return escaped }
            room = max(1, room - max(1, (escaped.utf16.count - limit) / 5))
        }
    }
}
