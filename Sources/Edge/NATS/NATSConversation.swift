internal import JSON
internal import Text

/// The conversation on one connection: requests in order, and their replies. It does no input or output.
///
/// All requests are sent together, each with its own reply subject. The connection ends after the replies, so there
/// is nothing to keep alive between requests.
package struct NATSConversation {
    /// The next action of the caller with the connection.
    package enum Step: Equatable {
        case send([UInt8])
        /// Encrypt everything from here on, then call ``begin(isSecure:)``.
        case secure
        /// All replies have arrived.
        case finished([NATSReply])
    }

    private let requests: [NATSRequest]
    private let login: NATSLogin
    private let inbox: String
    private let requiresTLS: Bool
    private let allowsPlain: Bool
    private var parser = NATSParser()
    private var replies: [NATSReply?]
    private var hasBegun = false
    /// True if the server has sent a nonce to sign, which it does if users log in with NKeys.
    private var knowsKeys = false

    /// Creates a conversation, in which the server speaks first. `nonce` consists of letters and digits, and no other
    /// connection uses it. `allowsPlain` is true if a server without TLS may get the login and the requests.
    package init(_ requests: [NATSRequest], _ login: NATSLogin, nonce: String, requiresTLS: Bool, allowsPlain: Bool) {
        self.requests = requests
        self.login = login
        self.requiresTLS = requiresTLS
        self.allowsPlain = allowsPlain
        inbox = "_INBOX.\(nonce)"
        replies = Array(repeating: nil, count: requests.count)
    }

    /// Processes bytes that the server sent, and returns the next actions.
    package mutating func ingest(_ bytes: [UInt8]) throws(NATSError) -> [Step] {
        parser.append(bytes)
        var steps: [Step] = []
        while let operation = try nextOperation() {
            // One answer is enough for any number of pings in a row.
            guard let step = try apply(operation), step != steps.last else { continue }
            steps.append(step)
            // The following bytes are encrypted.
            if step == .secure { break }
        }
        return steps
    }

    private mutating func nextOperation() throws(NATSError) -> NATSOperation? {
        do throws(NATSParser.Fault) {
            return try parser.next()
        } catch {
            throw .failed("not a NATS server: \(error.text)")
        }
    }

    private mutating func apply(_ operation: NATSOperation) throws(NATSError) -> Step? {
        switch operation {
        case .info(let text):
            guard !hasBegun else { return nil }
            return try greet(text)
        case .ping: return .send(Array("PONG\r\n".utf8))
        case .pong, .ok: return nil
        case .error(let text): throw error(text)
        case .message(let subject, let reply):
            guard subject.hasPrefix(inbox + "."), let place = Int(subject.dropFirst(inbox.utf8.count + 1)),
                replies.indices.contains(place)
            else { return nil }
            replies[place] = reply
            let all = replies.compactMap(\.self)
            return all.count == requests.count ? .finished(all) : nil
        }
    }

    /// Processes the first message of the server, which decides about TLS before anything else is sent.
    private mutating func greet(_ text: [UInt8]) throws(NATSError) -> Step {
        guard let info = try? JSONDocument(text, limit: NATSParser.lineLimit).root.object() else {
            throw .failed("not a NATS server")
        }
        let flag = { (name: StaticString) in
            var object = info
            return (try? object.member(name)?.bool()) == true
        }
        var object = info
        knowsKeys = (try? object.member("nonce")?.string()) != nil
        guard flag("headers") else { throw .failed("the server is older than NATS 2.2, which alertd needs") }
        if requiresTLS || flag("tls_required") {
            guard flag("tls_required") || flag("tls_available") else { throw .failed("the server does not offer TLS") }
            return .secure
        }
        guard allowsPlain else {
            throw .failed("the server does not use TLS, and unencrypted connections are not allowed")
        }
        return .send(begin(isSecure: false))
    }

    /// Returns the bytes of the login and of all requests.
    package mutating func begin(isSecure: Bool) -> [UInt8] {
        hasBegun = true
        // Discard unencrypted input, which may come from anyone.
        if isSecure { parser = NATSParser() }
        var bytes = login.line(isSecure: isSecure)
        bytes += Array("SUB \(inbox).* 1\r\n".utf8)
        for (place, request) in requests.enumerated() { bytes += request.bytes(replyTo: "\(inbox).\(place)") }
        return bytes
    }

    private func error(_ text: String) -> NATSError {
        if knowsKeys, ["Authorization", "Authentication"].contains(where: text.includes) {
            let advice = "which alertd does not support; use a token, or a user with a password"
            return .refused("\(text); the server has users with NKeys, \(advice)")
        }
        let isRefusal = ["Authorization", "Authentication", "Permissions Violation"].contains(where: text.includes)
        return isRefusal ? .refused(text) : .failed("the server answers: \(text)")
    }
}

extension NATSRequest {
    /// Encodes the request as `HPUB SUBJECT REPLY-TO HEADER-BYTES BYTES`, or as `PUB` if it has no headers.
    func bytes(replyTo inbox: String) -> [UInt8] {
        guard !headers.isEmpty else {
            return Array("PUB \(subject) \(inbox) \(payload.count)\r\n".utf8) + payload + [0x0D, 0x0A]
        }
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        let header = Array("NATS/1.0\r\n\(lines)\r\n".utf8)
        let first = "HPUB \(subject) \(inbox) \(header.count) \(header.count + payload.count)\r\n"
        return Array(first.utf8) + header + payload + [0x0D, 0x0A]
    }
}
