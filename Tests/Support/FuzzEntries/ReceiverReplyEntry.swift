internal import HTTP
internal import Notifications
internal import Receivers
internal import Time

extension FuzzEntry {
    /// Responses of receivers: the first byte chooses the type, the second one the status, the first line is the value
    /// of each header that matters, and the rest is the body.
    static let receiverReplies = FuzzEntry(
        name: "receiver-replies",
        seeds: {
            let replies = [
                "30\n", "Sun, 06 Nov 1994 08:49:37 GMT\n", "1.5\n{\"id\":\"123\"}",
                "\n{\"retry_after\":1.25,\"code\":10008}", "-1\n{\"receipt\":\"abc\",\"status\":1}",
                "1669012560\n{\"user\":\"invalid\"}", "\n{\"parameters\":{\"migrate_to_chat_id\":-100}}",
                "\n{\"parameters\":{\"retry_after\":5}}", "\n{\"result\":{\"message_id\":7}}",
                "\n{\"retry_after_ms\":2000}", "\nno_service",
            ]
            return replies.enumerated().flatMap { place, reply in
                formats.indices.map { [UInt8($0), UInt8(place % statuses.count)] + Array(reply.utf8) }
            }
        }, longest: 512, run: decide)

    @Sendable
    private static func decide(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2 else { return false }
        let line = bytes[2...].prefix { $0 != 0x0A }
        let value = String(decoding: line, as: UTF8.self)
        let names = ["retry-after", "x-ratelimit-remaining", "x-ratelimit-reset-after", "x-limit-app-reset"]
        var headers = Dictionary(uniqueKeysWithValues: names.map { ($0, value) })
        if bytes[1] & 0x80 != 0 { headers["x-ratelimit-remaining"] = "0" }
        let body = Array(bytes[2...].dropFirst(line.count + 1))
        let response = HTTPResponse(
            status: statuses[Int(bytes[1] & 0x7F) % statuses.count], headers: headers,
            paddedBody: body + [UInt8](repeating: 0, count: HTTPResponse.paddingCount))
        return isGood(
            formats[Int(bytes[0]) % formats.count].decision(
                on: response, at: WallTime(milliseconds: 1_669_012_550_000)))
    }

    private static let statuses = [200, 429, 400, 404, 401, 503, 302, 410, 204, 599]

    private static let formats: [any ReceiverFormat] = ReceiverKind.allCases.compactMap { kind in
        var receiver = Receiver(name: "phone", kind: kind, urls: ["https://example.org/hook"])
        if kind == .email { receiver.urls = ["smtp://mail.example.org:587"] }
        receiver.values = [
            .from: ["alertd@example.org"], .to: ["me@example.org"], .user: ["u1"], .chat: ["-100"],
            .room: ["!abc:example.org"],
        ]
        return try? ReceiverTarget(receiver, urls: receiver.urls, credential: "123456:ABC-DEF").format()
    }

    /// Whether it was accepted; texts are short and plain, and no wait is negative.
    private static func isGood(_ decision: DeliveryDecision) -> Bool {
        switch decision {
        case .delivered(let pause, _, _):
            precondition(pause.map { $0 >= .zero } ?? true, "a negative pause")
            return true
        case .retry(let text, let wait, _):
            precondition(wait.map { $0 >= .zero } ?? true, "a negative wait")
            check(text)
        case .refused(let text), .stopped(let text): check(text)
        }
        return false
    }

    private static func check(_ text: String) {
        precondition(text.utf8.count < 400 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "no plain text")
        precondition(!text.contains("ABC-DEF"), "a secret")
    }
}
