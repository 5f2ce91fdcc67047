internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Text
internal import Time

/// The format of Pushover's Message API (pushover.net/api): a title of at most 250 characters and a message of at
/// most 1,024. A critical notification is repeated every minute until the user acknowledges it in the app or its
/// alert ends, for at most an hour.
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
        let priority = Self.priority(of: notification.severity)
        writer.member("priority", priority)
        if priority == Self.emergency {
            writer.member("retry", Self.retrySeconds)
            writer.member("expire", Self.expirySeconds)
        }
        writer.member("timestamp", Int(notification.time.milliseconds / 1_000))
        writer.endObject()
        return [
            .request(
                HTTPRequest(
                    .post, "\(target.url)/1/messages.json", headers: ["Content-Type": "application/json"],
                    body: writer.bytes))
        ]
    }

    /// Classifies a response. Status 400 names what is invalid; 429 means that the monthly quota of messages is used
    /// up.
    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        let reason = response.reason(for: target)
        switch response.status {
        case 200..<300:
            let receipt = (try? response.json?.value("receipt")?.string()).flatMap { Self.isReceipt($0) ? $0 : nil }
            return .delivered(message: receipt)
        case 400:
            let isInvalid = { (value: JSONValue?) in (try? value?.string()) == "invalid" }
            let isAboutTarget = isInvalid(response.json?.value("token")) || isInvalid(response.json?.value("user"))
            return isAboutTarget
                ? .stopped("the token or the user is not valid" + reason) : .refused("it was refused" + reason)
        case 429:
            let reset = response.headers["x-limit-app-reset"].flatMap { Int64($0) }
            let wait = reset.map { WallTime(milliseconds: Milliseconds.seconds($0).count).since(now) }
            return .retry("the messages of the month are used up" + reason, after: wait.map { max($0, .zero) })
        default: return response.generalDecision(at: now, for: target)
        }
    }

    /// Returns requests that cancel the repetition of earlier messages. If a request fails, the repetition ends by
    /// itself within an hour.
    func cancellations(after notification: Notification) -> [OutgoingMessage]? {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("token", token)
        writer.endObject()
        return notification.endedMessages.map { receipt in
            .request(
                HTTPRequest(
                    .post, "\(target.url)/1/receipts/\(receipt)/cancel.json",
                    headers: ["Content-Type": "application/json"], body: writer.bytes))
        }
    }

    /// Returns true if the text is a valid receipt, which becomes a part of an address.
    private static func isReceipt(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }
    }

    private static let emergency = 2
    private static let retrySeconds = 60
    private static let expirySeconds = 3_600

    /// Returns low, normal or emergency priority. Emergency repeats the message until it is acknowledged.
    private static func priority(of severity: Severity) -> Int {
        switch severity {
        case .info: -1
        case .warning: 0
        case .critical: emergency
        }
    }
}
