internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Text
internal import Time

/// Pushover's Message API (pushover.net/api): a title of at most 250 characters and a message of at most 1,024.
struct PushoverFormat: ReceiverFormat {
    private let target: ReceiverTarget
    private let token: String

    private static let titleLimit = TextLimit.scalars(250)
    private static let messageLimit = TextLimit.scalars(1_024)

    init(_ target: ReceiverTarget) throws(ReceiverFault) {
        self.target = target
        token = try target.requiredCredential()
    }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("token", token)
        writer.member("user", target.receiver.value(.user) ?? "")
        writer.member("title", Self.titleLimit.cut(notification.title))
        writer.member("message", Self.messageLimit.cut(notification.body))
        writer.member("priority", Self.priority(of: notification.severity))
        writer.member("timestamp", Int(notification.time.milliseconds / 1_000))
        writer.endObject()
        return [
            .request(
                HTTPRequest(
                    .post, "\(target.url)/1/messages.json", headers: ["Content-Type": "application/json"],
                    body: writer.bytes))
        ]
    }

    /// A status of 400 names what is invalid; 429 means that the messages of the month are used up.
    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        let reason = response.reason(for: target)
        switch response.status {
        case 400:
            let isAboutTarget = ["token", "user"].contains { reason.includes("\"\($0)\":\"invalid\"") }
            return isAboutTarget
                ? .stopped("the token or the user is not valid" + reason) : .refused("it was refused" + reason)
        case 429:
            let reset = response.headers["x-limit-app-reset"].flatMap { Int64($0) }
            let wait = reset.map { WallTime(milliseconds: Milliseconds.seconds($0).count).since(now) }
            return .retry("the messages of the month are used up" + reason, after: wait.map { max($0, .zero) })
        default: return response.generalDecision(at: now, for: target)
        }
    }

    /// Low, normal and high; the emergency priority would repeat the message until it is acknowledged.
    private static func priority(of severity: Severity) -> Int {
        switch severity {
        case .info: -1
        case .warning: 0
        case .critical: 1
        }
    }
}
