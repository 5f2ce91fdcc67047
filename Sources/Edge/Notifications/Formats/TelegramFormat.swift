internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Text
internal import Time

/// The format of Telegram's Bot API, `sendMessage` (core.telegram.org/bots/api): plain text of at most 4,096 UTF-16
/// units. An entity makes the title bold, so that nothing has to be escaped. The end of an alert is a reply to its
/// message.
struct TelegramFormat: ReceiverFormat {
    private let target: ReceiverTarget
    private let token: String

    private static let titleLimit = TextLimit.utf16(500)
    private static let textLimit = TextLimit.utf16(4_096)

    init(_ target: ReceiverTarget) throws(ReceiverFault) {
        let token = try target.requiredCredential()
        // The token is a part of the path.
        let isPlain = token.utf8.allSatisfy {
            $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || $0 == 0x3A || $0 == 0x5F || $0 == 0x2D
        }
        guard isPlain, token.contains(":") else {
            throw ReceiverFault(text: "the credential is not a bot token such as 123456:ABC-DEF")
        }
        self.target = target
        self.token = token
    }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        let title = Self.titleLimit.cut(notification.title)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("chat_id", target.receiver.value(.chat) ?? "")
        if let thread = target.receiver.value(.thread).flatMap({ Int($0) }) {
            writer.member("message_thread_id", thread)
        }
        writer.member("text", Self.textLimit.cut("\(title)\n\(notification.body)"))
        writer.key("entities")
        writer.beginArray()
        writer.beginObject()
        writer.member("type", "bold")
        writer.member("offset", 0)
        writer.member("length", title.utf16.count)
        writer.endObject()
        writer.endArray()
        writer.member("disable_notification", notification.severity == .info)
        if let message = notification.repliesTo.flatMap({ Int($0) }) {
            writer.key("reply_parameters")
            writer.beginObject()
            writer.member("message_id", message)
            // Someone may have deleted the message.
            writer.member("allow_sending_without_reply", true)
            writer.endObject()
        }
        writer.key("link_preview_options")
        writer.beginObject()
        writer.member("is_disabled", true)
        writer.endObject()
        writer.endObject()
        return [
            .request(
                HTTPRequest(
                    .post, "\(target.url)/bot\(token)/sendMessage", headers: ["Content-Type": "application/json"],
                    body: writer.bytes))
        ]
    }

    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        let reason = response.reason(for: target)
        switch response.status {
        case 200..<300:
            let message = try? response.json?.value("result", "message_id")?.integer()
            return .delivered(message: message.map { "\($0)" })
        case 404: return .stopped("the bot's token is not known" + reason)
        case 429:
            return .retry(
                "it asks for fewer notifications" + reason,
                after: response.json?.value("parameters", "retry_after")?.seconds)
        case 400:
            if let chat = try? response.json?.value("parameters", "migrate_to_chat_id")?.integer() {
                return .stopped("the group has a new id; set chat = \"\(chat)\"")
            }
            let fault = reason.lowercased()
            if fault.includes("chat not found") { return .stopped("there is no such chat" + reason) }
            if fault.includes("thread not found") { return .stopped("there is no such topic" + reason) }
            if fault.includes("topic_closed") { return .stopped("the topic is closed" + reason) }
            return .refused("the notification was refused" + reason)
        default: return response.generalDecision(at: now, for: target)
        }
    }
}
