internal import NATS
internal import Notifications
internal import Receivers
internal import Time

extension FuzzEntry {
    /// What a NATS server sends: the first byte chooses how the connection is set up and how many bytes come at a time.
    static let nats = FuzzEntry(
        name: "nats",
        seeds: {
            let info = "INFO {\"headers\":true,\"max_payload\":1048576}\r\n"
            let lease = #"{"holder":"a","name":"one","released":false,"polled":{"wazirx":17},"oldest":{}}"#
            let header = "NATS/1.0 503\r\n\r\n"
            let conversations = [
                info + "PING\r\n+OK\r\nMSG _INBOX.x.0 1 2\r\n{}\r\nHMSG _INBOX.x.1 1 16 18\r\n\(header){}\r\n",
                info + "MSG _INBOX.x.1 1 \(lease.utf8.count)\r\n\(lease)\r\nMSG _INBOX.x.0 1 0\r\n\r\n",
                info + "-ERR 'Authorization Violation'\r\n", "INFO {\"headers\":true,\"tls_required\":true}\r\n" + info,
                "INFO {}\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n",
            ]
            return conversations.flatMap { text in [0, 1, 2, 7, 0x84].map { [$0] + Array(text.utf8) } }
        }, longest: 512, run: converse)

    @Sendable
    private static func converse(_ bytes: [UInt8]) -> Bool {
        guard let choice = bytes.first else { return false }
        let requests = [NATSRequest("a"), NATSRequest("b", headers: [("Nats-Msg-Id", "1")], payload: [0x31])]
        var conversation = NATSConversation(
            requests, NATSLogin("user:pass", version: "0"), nonce: "x", requiresTLS: choice & 1 != 0,
            allowsPlain: choice & 2 == 0)
        let length = Int(choice >> 2) + 1
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            guard let steps = try? conversation.ingest(Array(rest.prefix(length))) else { return false }
            rest = rest.dropFirst(length)
            for step in steps {
                switch step {
                case .send: break
                case .secure: _ = conversation.begin(isSecure: true)
                case .finished(let replies):
                    precondition(replies.count == requests.count, "not all replies")
                    for record in replies.compactMap({ LeaseRecord($0.payload) }) {
                        precondition(record.name.utf8.count <= 64, "a long name")
                        _ = record.covers(WallTime(milliseconds: 1_669_012_550_000), of: "wazirx", at: "phone")
                    }
                    return true
                }
            }
        }
        return false
    }
}
