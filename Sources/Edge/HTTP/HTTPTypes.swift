package import Time

/// How requests are made, and their limits.
package struct HTTPConfiguration: Equatable, Sendable {
    /// The header `User-Agent` of each request.
    package var userAgent: String
    /// A PEM file with the certificates to trust instead of the system's.
    package var authorityFile: String?
    /// Whether unencrypted http is allowed to a host that is not a loopback address.
    package var allowsPlainHTTP = false
    /// A proxy for every host but this machine; libcurl's environment variables are ignored then.
    package var proxy: ProxyAddress?
    /// From the start of a request until the connection is established, including TLS.
    package var connectLimit = Milliseconds.seconds(10)
    /// For the whole request, including redirects.
    package var totalLimit = Milliseconds.seconds(20)
    /// The longest body after decompression.
    package var bodyLimitBytes = 8 << 20
    /// How many redirects are followed; only those to https on the same host and port are.
    package var redirectLimit = 3

    /// Names the program in each request: `alertd/0.1.0`. Everything else has its default.
    package init(userAgent: String) {
        self.userAgent = userAgent
    }
}

/// A request with a body.
package struct HTTPRequest: Equatable, Sendable {
    package enum Method: String, Sendable {
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
    }

    package var method: Method
    /// Absolute, https; http only to a loopback host or when the configuration allows it. It may be a secret, so no
    /// error contains it.
    package var address: String
    /// By name; names and values are one line each.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(_ method: Method = .post, _ address: String, headers: [String: String] = [:], body: [UInt8]) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }
}

/// A complete response of a server, whatever its status.
package struct HTTPResponse: Sendable {
    /// The status code, from 100 to 599.
    package var status: Int
    package var headers: ResponseHeader
    /// The body after decompression, followed by ``paddingCount`` zero bytes that are not part of it.
    package var paddedBody: [UInt8]

    /// How many bytes follow the body, so that a parser may read in steps wider than a byte.
    package static let paddingCount = 64

    /// The body is followed by ``paddingCount`` zero bytes, which are not part of it.
    package init(status: Int, headers: [String: String] = [:], paddedBody: [UInt8]) {
        self.init(status: status, header: ResponseHeader(headers), paddedBody: paddedBody)
    }

    init(status: Int, header: ResponseHeader, paddedBody: [UInt8]) {
        self.status = status
        headers = header
        self.paddedBody = paddedBody
    }

    /// The length of the body without its padding.
    package var bodyCount: Int { paddedBody.count - Self.paddingCount }

    /// The body without its padding.
    package var body: [UInt8] { Array(paddedBody.prefix(max(0, bodyCount))) }
}

/// Why there is no complete response.
///
/// Texts are at most 200 characters of printable ASCII.
package enum HTTPError: Error, Equatable, Sendable {
    /// The text is not an absolute http or https address, or contains a user name or password.
    case badAddress(String)
    /// Unencrypted http to a host that is not this machine.
    case plainHTTPRefused(host: String)
    case resolutionFailed(host: String)
    case connectionRefused
    /// The host or its network cannot be reached; the reason as libcurl gives it.
    case unreachable(String)
    /// There was no connection within the limit.
    case connectTimeout(after: Milliseconds)
    /// The response was not complete within the limit.
    case timeout(after: Milliseconds)
    /// The certificate is not trusted or the handshake failed; the reason as libcurl gives it.
    case tls(String)
    /// The file with trusted certificates, or the system's store, cannot be read; the reason as libcurl gives it.
    case authorityFile(String)
    /// A redirect to anything but https on the same host and port, or one too many; the
    /// scheme, host and port that it leads to.
    case redirectRefused(String)
    case bodyTooLarge(limitBytes: Int)
    /// The connection was closed before the response was complete.
    case truncated
    case cancelled
    /// Anything else, as libcurl describes it.
    case other(String)
}
