/// A message that expects a reply.
package struct NATSRequest: Equatable, Sendable {
    /// The subject: tokens of printable ASCII without spaces, separated by dots.
    package var subject: String
    /// The headers; names and values are one line each.
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

/// The reply to a request.
package struct NATSReply: Equatable, Sendable {
    /// The status in the header, such as 503 if nothing receives the subject; nil without a status.
    package var status: Int?
    package var payload: [UInt8]

    package init(status: Int? = nil, payload: [UInt8] = []) {
        self.status = status
        self.payload = payload
    }
}

/// An operation that a server sends.
enum NATSOperation: Equatable {
    /// The description and the requirements of the server, as JSON.
    case info([UInt8])
    case message(subject: String, reply: NATSReply)
    case ping
    case pong
    case ok
    case error(String)
}

/// The reason why there are no replies. Texts are printable ASCII, without secrets.
package enum NATSError: Error, Equatable, Sendable {
    /// The server refused the login, or the user lacks a permission.
    case refused(String)
    /// The connection cannot be used, or was refused for another reason.
    case failed(String)
}
