internal import Events
internal import HTTP
internal import JSON
internal import Receivers
internal import Time

/// The format of Matrix (matrix-org/matrix-spec, data/api/client-server/room_send.yaml). The id of the notification
/// is the transaction id, so that a repeated request creates no second message. An event has at most 65,536 bytes and
/// contains the text twice. The text is limited to an eighth of that, because escaping makes it longer.
struct MatrixFormat: ReceiverFormat {
    private let target: ReceiverTarget
    private let token: String

    private static let textLimit = TextLimit.bytes(8_192)

    init(_ target: ReceiverTarget) throws(ReceiverFault) {
        self.target = target
        token = try target.requiredCredential()
    }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        let title = TextLimit.bytes(500).cut(notification.title)
        let body = Self.textLimit.cut(notification.body)
        let lines = escapeHTML(body).split(separator: "\n", omittingEmptySubsequences: false)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("msgtype", notification.severity == .info ? "m.notice" : "m.text")
        writer.member("body", "\(title)\n\(body)")
        writer.member("format", "org.matrix.custom.html")
        writer.member(
            "formatted_body", "<strong>\(escapeHTML(title))</strong><br>\(lines.joined(separator: "<br>"))")
        writer.endObject()
        let room = percentEncoded(target.receiver.value(.room) ?? "")
        return [
            .request(
                HTTPRequest(
                    .put, "\(target.url)/_matrix/client/v3/rooms/\(room)/send/m.room.message/\(notification.id)",
                    headers: ["Content-Type": "application/json", "Authorization": "Bearer \(token)"],
                    body: writer.bytes))
        ]
    }

    /// Classifies a response. `retry_after_ms` in the body is deprecated, but older servers send nothing else.
    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        let general = response.generalDecision(at: now, for: target)
        guard response.status == 429, case .retry(let reason, nil, _) = general,
            let wait = try? response.json?.value("retry_after_ms")?.integer()
        else { return general }
        return .retry(reason, after: Milliseconds(Int64(max(0, wait))))
    }
}

/// Encodes a text for a part of a path: every byte except those that RFC 3986 calls unreserved.
func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
        let isPlain = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._~".utf8.contains(byte)
        if isPlain { return String(UnicodeScalar(byte)) }
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.utf8.count < 2 ? "0" : "") + digits
    }.joined()
}
