package import HTTP
internal import JSON
package import NATS
package import Receivers

/// Messages for a stream of NATS JetStream.
package struct NATSPublication: Equatable, Sendable {
    /// The servers of one cluster, in the order in which they are tried.
    package var servers: [NATSServer]
    /// The secret, or nil for none.
    package var credential: String?
    /// The messages to store, at least one.
    package var messages: [NATSRequest]
}

extension HTTPClient: NotificationSending {
    package func ask(_ publication: NATSPublication) async throws(NATSError) -> [NATSReply] {
        try await NATSClient.replies(
            to: publication.messages, from: publication.servers,
            as: NATSLogin(publication.credential, version: version), by: self)
    }
}

/// A stream's reply to a message: `{"stream":"ALERTD","seq":5}` or `{"error":{"code":400,"description":"…"}}`.
struct StreamReply: Equatable {
    /// The status, which is 200 if the message is stored.
    var status: Int
    /// The stream and the number of the message in it, or the error.
    var text: String
}

extension StreamReply {
    init(_ reply: NATSReply) {
        guard let document = try? JSONDocument(reply.payload, limit: 64 << 10) else {
            self.init(status: reply.status ?? 500, text: "")
            return
        }
        if let stream = try? document.value("stream")?.string(), let number = try? document.value("seq")?.integer() {
            self.init(status: 200, text: "\(number) of \(stream)")
        } else {
            let status = (try? document.value("error", "code")?.integer()) ?? 500
            let text = (try? document.value("error", "description")?.string()) ?? ""
            // The status must not look like that of a stored message or of a refused login.
            self.init(status: (400...599).contains(status) && status != 401 ? status : 500, text: text)
        }
    }

    var response: HTTPResponse {
        HTTPResponse(
            status: status, paddedBody: Array(text.utf8) + [UInt8](repeating: 0, count: HTTPResponse.paddingCount))
    }
}

extension [StreamReply] {
    /// The first reply that does not confirm storage, or else the last reply.
    var worst: StreamReply {
        first { $0.status != 200 } ?? last ?? StreamReply(status: 500, text: "there was no reply")
    }
}
