internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Text
internal import Time

/// The format of ntfy (binwiederhier/ntfy, docs/publish.md; server/errors.go): JSON to the server's root, with the
/// topic in the JSON. The address in the settings ends with the topic. A message of more than 4,096 bytes would
/// become an attachment.
struct NtfyFormat: ReceiverFormat {
    private let target: ReceiverTarget
    private let server: String
    private let topic: String

    private static let titleLimit = TextLimit.bytes(250)
    private static let messageLimit = TextLimit.bytes(4_096)

    init(_ target: ReceiverTarget) throws(ReceiverFault) {
        let url = target.url
        guard let slash = url.lastIndex(of: "/"), url[..<slash].includes("//"), !url[..<slash].hasSuffix("/") else {
            throw ReceiverFault(text: "the address does not end with a topic")
        }
        self.target = target
        server = String(url[...slash])
        topic = String(url[url.index(after: slash)...])
    }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("topic", topic)
        writer.member("title", Self.titleLimit.cut(notification.title))
        writer.member("message", Self.messageLimit.cut(notification.body))
        writer.member("priority", Self.priority(of: notification))
        writer.member("tags", [Self.tag(of: notification)])
        writer.endObject()
        var headers = ["Content-Type": "application/json"]
        headers["Authorization"] = target.authorization
        return [.request(HTTPRequest(.post, server, headers: headers, body: writer.bytes))]
    }

    /// Classifies a response. Errors have a code of five digits; the server sends no `Retry-After`.
    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        let general = response.generalDecision(at: now, for: target)
        guard response.status == 429, let code = try? response.json?.value("code")?.integer() else { return general }
        let reason = response.reason(for: target)
        switch code {
        // The daily quota, and the lock after too many failed logins.
        case 42908: return .retry("the daily quota is used up" + reason, after: .seconds(3_600))
        case 42909: return .stopped("too many failed logins" + reason)
        default: return .retry("it asks for fewer notifications" + reason, after: .seconds(5))
        }
    }

    private static func priority(of notification: Notification) -> Int {
        switch notification.severity {
        case .info: 2
        case .warning: 3
        case .critical: 5
        }
    }

    private static func tag(of notification: Notification) -> String {
        if notification.isEnd { return "white_check_mark" }
        return switch notification.severity {
        case .info: "information_source"
        case .warning: "warning"
        case .critical: "rotating_light"
        }
    }
}
