package import Time

/// A request with its complete body.
package struct HTTPServerRequest: Equatable, Sendable {
    /// The method: `GET`, `HEAD`, `POST` or any other word.
    package var method: String
    /// The decoded path without the query. It starts with a slash, and bytes that are not UTF-8 are replaced.
    package var path: String
    /// The decoded arguments of the query, in the order of the query. An argument without `=` has an empty value.
    package var query: [Field] = []
    /// The header fields in the order received, with lower-case names.
    package var headers: [Field] = []
    /// The body, at most ``HTTPServerLimits/bodyBytes`` long.
    package var body: [UInt8] = []

    /// A name with a value.
    package struct Field: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    package init(method: String, path: String) {
        (self.method, self.path) = (method, path)
    }

    /// Returns the value of a header field; nil if there is none, or more than one.
    package func header(_ name: String) -> String? { Self.only(name, in: headers) }

    /// Returns the value of a query argument; nil if there is none, or more than one.
    package func argument(_ name: String) -> String? { Self.only(name, in: query) }

    private static func only(_ name: String, in fields: [Field]) -> String? {
        let values = fields.lazy.filter { $0.name == name }
        return values.count == 1 ? values.first?.value : nil
    }
}

/// A response with a complete body.
package struct HTTPServerResponse: Equatable, Sendable {
    package typealias Field = HTTPServerRequest.Field

    /// The status, from 200 to 599.
    package var status: Int
    /// The header fields. Names and values are one line of ASCII each. The server adds `Date`, `Content-Length` and
    /// the fields that concern the connection.
    package var headers: [Field]
    package var body: [UInt8]

    package init(status: Int = 200, type: String, body: [UInt8], headers: [Field] = []) {
        self.status = status
        self.headers = [Field("Content-Type", type)] + headers
        self.body = body
    }

    /// Creates a response with a short text that explains the status to people.
    package static func text(_ status: Int, _ text: String, headers: [Field] = []) -> Self {
        Self(status: status, type: "text/plain; charset=utf-8", body: Array("\(text)\n".utf8), headers: headers)
    }
}

/// The limits on clients of a server. The memory of a server is at most about `connections` times the sum of
/// `connectionBytes` and `bodyBytes`, plus `streams` times `streamBytes`: 6 MiB with these values.
package struct HTTPServerLimits: Equatable, Sendable {
    /// The maximum number of concurrent connections. One more makes the server close the oldest connection without an
    /// accepted request or, if there is none, the one that has been idle for longest.
    package var connections = 64
    /// The maximum number of concurrent connections of one user of this machine. One more makes the server close one
    /// of the user's own connections.
    package var connectionsPerUser = 32
    /// The maximum number of concurrent streams; further ones get status 503.
    package var streams = 16
    /// Memory for the request line, the header and the buffers of a connection. A longer header gets status 431, a
    /// longer request line 414.
    package var connectionBytes = 32 << 10
    /// The longest body of a request. A longer one gets status 413. By default, no body is accepted.
    package var bodyBytes = 0
    /// The maximum number of bytes that a stream queues for a client that does not read. Beyond that, the connection
    /// is closed.
    package var streamBytes = 256 << 10
    /// The longest wait of a connection for the first line of a request.
    package var idle = Milliseconds.seconds(60)
    /// The longest time from the first line of a request to the end of its body.
    package var request = Milliseconds.seconds(10)
    /// The time within which a client must read a response that is not a stream.
    package var response = Milliseconds.seconds(30)

    package init() {}
}
