import Events
import HTTP
import JSON
import Market
import Receivers
import TestSupport
import Time

@testable import Notifications

let instance = "0123456789abcdef0123456789abcdef"

/// A receiver of a type, with what it needs.
func receiver(_ kind: ReceiverKind, _ change: (inout Receiver) -> Void = { _ in }) -> Receiver {
    let urls: [ReceiverKind: String] = [
        .ntfy: "https://ntfy.example.org/alerts", .email: "smtp://mail.example.org:587",
        .telegram: "https://api.telegram.org", .matrix: "https://matrix.example.org",
        .pushover: "https://api.pushover.net",
    ]
    var receiver = Receiver(name: "phone", kind: kind, urls: [urls[kind] ?? "https://example.org/hook"])
    receiver.values = [
        .from: ["alertd@example.org"], .to: ["me@example.org", "you@example.org"], .user: ["u1"], .chat: ["-100"],
        .room: ["!abc:example.org"],
    ]
    change(&receiver)
    return receiver
}

/// Its format, with a credential that its type accepts.
func format(_ kind: ReceiverKind, credential: String? = nil, urls: [String]? = nil) throws -> any ReceiverFormat {
    let receiver = receiver(kind)
    let standard: [ReceiverKind: String] = [
        .telegram: "123456:ABC-DEF", .matrix: "syt_token", .pushover: "apptoken", .email: "password",
    ]
    return try ReceiverTarget(receiver, urls: urls ?? receiver.urls, credential: credential ?? standard[kind])
        .format()
}

/// A notification of the sample event, with other texts where they are given.
func sample(
    _ events: [Event]? = nil, title: String? = nil, body: String? = nil, now: WallTime = sampleTime
) throws -> Notification {
    let composer = NotificationComposer(instance: instance, source: SourceName(unchecked: "wazirx"))
    let events = try events ?? [fullEvent()]
    var notification = try required(composer.notification(of: events, for: receiver(.webhook), at: now))
    notification.title = title ?? notification.title
    notification.body = body ?? notification.body
    return notification
}

extension Event {
    /// The same of another source.
    func of(_ source: String) -> Event {
        var occurrence = occurrence
        occurrence.source = SourceName(unchecked: source)
        return Event(number: number, occurrence: occurrence)
    }
}

/// The only request for a notification.
func request(_ format: any ReceiverFormat, _ notification: Notification) throws -> HTTPRequest {
    guard case .request(let request) = try required(format.messages(for: notification).first) else {
        throw NothingCame()
    }
    return request
}

extension HTTPRequest {
    /// The body as a document.
    func json() throws -> JSONDocument { try JSONDocument(body, limit: 1 << 20) }
}

/// A response with a text.
func response(_ status: Int, _ text: String = "", headers: [String: String] = [:]) -> HTTPResponse {
    let padding = [UInt8](repeating: 0, count: HTTPResponse.paddingCount)
    return HTTPResponse(status: status, headers: headers, paddedBody: Array(text.utf8) + padding)
}

/// An event of an alert.
func alertEvent(
    _ number: Int64, _ kind: EventKind = .fired, symbol: String = "btcinr", bound: Bound = .max,
    severity: Severity = .warning, price: String = "101", limit: String = "100", rule: String = "rule",
    details: DecisionDetails = DecisionDetails(), time: WallTime = sampleTime
) throws -> Event {
    Event(
        number: number,
        occurrence: Occurrence(
            time: time, kind: kind, rule: rule, symbol: Symbol(symbol), bound: bound, severity: severity,
            price: try Price(price), limit: .price(try Price(limit)), currency: Currency("INR"), details: details,
            text: "\(symbol) is at \(price)"))
}
