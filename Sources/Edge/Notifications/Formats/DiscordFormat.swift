internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Time

/// Discord's webhooks (discord/discord-api-docs, developers/resources/webhook.mdx, topics/rate-limits.mdx): an embed
/// with a title of at most 256 characters and a description of at most 4,096. Without `wait=true`, a message that is
/// not saved returns no error. Nobody is mentioned, whatever the text contains.
struct DiscordFormat: ReceiverFormat {
    private let target: ReceiverTarget

    private static let titleLimit = TextLimit.utf16(256)
    private static let textLimit = TextLimit.utf16(4_096)
    /// What Markdown gives a meaning to.
    private static let escapes = Dictionary(
        uniqueKeysWithValues: "\\*_~`|>#[]()-".map { ($0, "\\\($0)") })

    init(_ target: ReceiverTarget) { self.target = target }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("embeds")
        writer.beginArray()
        writer.beginObject()
        writer.member("title", Self.titleLimit.cut(escape(notification.title, Self.escapes)))
        writer.member("description", Self.textLimit.cut(escape(notification.body, Self.escapes)))
        writer.member("color", Self.color(of: notification))
        writer.member("timestamp", notification.time.description)
        writer.endObject()
        writer.endArray()
        writer.key("allowed_mentions")
        writer.beginObject()
        writer.member("parse", [String]())
        writer.endObject()
        writer.endObject()
        let address = target.url + (target.url.contains("?") ? "&" : "?") + "wait=true"
        let headers = ["Content-Type": "application/json"]
        return [.request(HTTPRequest(.post, address, headers: headers, body: writer.bytes))]
    }

    /// Too many refused requests lead to a ban of the address, so a webhook that is gone is not tried again.
    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        switch response.status {
        case 200..<300:
            guard response.headers["x-ratelimit-remaining"] == "0",
                let seconds = response.headers["x-ratelimit-reset-after"].flatMap(Double.init), (0..<3_600) ~= seconds
            else { return .delivered() }
            return .delivered(pause: Milliseconds(Int64((seconds * 1_000).rounded(.up))))
        case 404: return .stopped("the webhook is gone" + response.reason(for: target))
        case 429:
            let wait =
                response.json?.value("retry_after")?.seconds
                ?? retryAfter(
                    response.headers["retry-after"], now: now)
            return .retry("it asks for fewer notifications" + response.reason(for: target), after: wait)
        default: return response.generalDecision(at: now, for: target)
        }
    }

    /// Green, blue, orange or red.
    private static func color(of notification: Notification) -> Int {
        if notification.isEnd { return 0x2E_A0_43 }
        return switch notification.severity {
        case .info: 0x38_8B_FD
        case .warning: 0xD2_99_22
        case .critical: 0xDA_36_33
        }
    }
}
