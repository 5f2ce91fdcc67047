internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Time

/// The format of Discord's webhooks (discord/discord-api-docs, developers/resources/webhook.mdx,
/// topics/rate-limits.mdx): an embed with a title of at most 256 characters and a description of at most 4,096.
/// Without `wait=true`, a message that is not saved returns no error. No one is mentioned, whatever the text
/// contains. The end of an alert replaces the message about its firing.
struct DiscordFormat: ReceiverFormat {
    private let target: ReceiverTarget

    private static let titleLimit = TextLimit.utf16(256)
    private static let textLimit = TextLimit.utf16(4_096)
    /// The escapes of characters that have a meaning in Markdown.
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
        // Only the end of an alert edits the earlier message. A repeat notification is a new message, so that people
        // notice it.
        let edited = notification.isEnd ? notification.repliesTo : nil
        let request = HTTPRequest(
            edited == nil ? .post : .patch, address(editing: edited), headers: ["Content-Type": "application/json"],
            body: writer.bytes)
        return [.request(request)]
    }

    /// Returns the address of the webhook, or of one of its messages. The path of the message is inserted before the
    /// query.
    private func address(editing message: String?) -> String {
        let path = target.url.prefix { $0 != "?" }
        let query = target.url.dropFirst(path.count).dropFirst()
        let place = message.map { "\(path)/messages/\($0)" } ?? String(path)
        return "\(place)?\(query.isEmpty ? "" : "\(query)&")wait=true"
    }

    /// Classifies a response. Too many refused requests lead to a ban of this machine's address, so a webhook that is
    /// gone is not tried again.
    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        switch response.status {
        case 200..<300:
            let message = (try? response.json?.value("id")?.string()).flatMap { Self.isIdentity($0) ? $0 : nil }
            guard response.headers["x-ratelimit-remaining"] == "0",
                let seconds = response.headers["x-ratelimit-reset-after"].flatMap(Double.init), (0..<3_600) ~= seconds
            else { return .delivered(message: message) }
            return .delivered(pause: Milliseconds(Int64((seconds * 1_000).rounded(.up))), message: message)
        case 404 where Self.isUnknownMessage(response):
            return .refused("the message is gone" + response.reason(for: target))
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

    /// Returns true if the text has the form of Discord's ids, which are numbers. The id becomes a part of an
    /// address.
    private static func isIdentity(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Returns true if the message to edit does not exist (topics/opcodes-and-status-codes.md: 10008). Someone may
    /// have deleted it.
    private static func isUnknownMessage(_ response: HTTPResponse) -> Bool {
        (try? response.json?.value("code")?.integer()) == 10_008
    }

    /// Returns green for an end, and otherwise blue, orange or red by severity.
    private static func color(of notification: Notification) -> Int {
        if notification.isEnd { return 0x2E_A0_43 }
        return switch notification.severity {
        case .info: 0x38_8B_FD
        case .warning: 0xD2_99_22
        case .critical: 0xDA_36_33
        }
    }
}
