package import EventLoop
package import HTTP
package import Receivers

/// A client that sends requests to a NATS server and waits for the replies. Each call uses a connection of its own,
/// which is closed after the replies.
@LoopActor
package enum NATSClient {
    /// Sends requests to the first server that can be reached.
    ///
    /// - Parameters:
    ///   - requests: at least one request; they are sent in order.
    ///   - servers: the servers of one cluster, in the order in which they are tried.
    ///   - login: the credentials of this client.
    ///   - client: makes the connection, with its limits, certificates and proxy.
    /// - Returns: a reply for each request, in the order of the requests.
    /// - Throws: ``NATSError``. Some requests may have taken effect nevertheless.
    package static func replies(
        to requests: [NATSRequest], from servers: [NATSServer], as login: NATSLogin, by client: HTTPClient
    ) async throws(NATSError) -> [NATSReply] {
        var failure = NATSError.failed("there is no server")
        for server in servers {
            do throws(NATSError) {
                return try await replies(to: requests, from: server, as: login, by: client)
            } catch {
                // Another server of the cluster would refuse the login, too.
                if case .refused = error { throw error }
                if Task.isCancelled { throw error }
                failure = error
            }
        }
        throw failure
    }

    private static func replies(
        to requests: [NATSRequest], from server: NATSServer, as login: NATSLogin, by client: HTTPClient
    ) async throws(NATSError) -> [NATSReply] {
        let stream = try await connected { () async throws(HTTPError) in
            try await client.connect(to: server.host, port: server.port)
        }
        defer { stream.close() }
        var conversation = NATSConversation(
            requests, login, nonce: String(UInt64.random(in: 0 ... .max), radix: 36), requiresTLS: server.requiresTLS,
            allowsPlain: stream.isLoopback || stream.allowsPlain)
        while true {
            let bytes = try await connected { () async throws(HTTPError) in try await stream.read() }
            for step in try conversation.ingest(bytes) {
                switch step {
                case .finished(let replies): return replies
                case .send(let bytes):
                    try await connected { () async throws(HTTPError) in try await stream.write(bytes) }
                case .secure:
                    let bytes = conversation.begin(isSecure: true)
                    try await connected { () async throws(HTTPError) in
                        try await stream.secure()
                        try await stream.write(bytes)
                    }
                }
            }
        }
    }

    private static func connected<Value>(
        _ body: () async throws(HTTPError) -> Value
    ) async throws(NATSError) -> Value {
        do throws(HTTPError) {
            return try await body()
        } catch {
            throw .failed(error.sentence)
        }
    }
}
