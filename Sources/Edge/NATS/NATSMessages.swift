/// A message whose receiver answers.
package struct NATSRequest: Equatable, Sendable {
    /// Tokens of printable ASCII without spaces, separated by dots.
    package var subject: String
    /// Names and values are one line each.
    package var headers: [(name: String, value: String)]
    package var payload: [UInt8]

    package init(_ subject: String, headers: [(name: String, value: String)] = [], payload: [UInt8] = []) {
        self.subject = subject
        self.headers = headers
        self.payload = payload
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.subject == right.subject && left.payload == right.payload
            && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }
}

/// What the receiver of a message answers.
package struct NATSReply: Equatable, Sendable {
    /// The status in the header, such as 503 if nothing receives the subject; nil without one.
    package var status: Int?
    package var payload: [UInt8]

    /// `status` is that of the reply's header; nil for a reply without one.
    package init(status: Int? = nil, payload: [UInt8] = []) {
        self.status = status
        self.payload = payload
    }
}

/// What a server sends.
enum NATSOperation: Equatable {
    /// What the server is and demands, as JSON.
    case info([UInt8])
    case message(subject: String, reply: NATSReply)
    case ping
    case pong
    case ok
    case error(String)
}

/// Why there are no replies. Texts are printable ASCII, without secrets.
package enum NATSError: Error, Equatable, Sendable {
    /// The server does not accept the user.
    case refused(String)
    /// The connection cannot be used, or was refused for another reason.
    case failed(String)
}
