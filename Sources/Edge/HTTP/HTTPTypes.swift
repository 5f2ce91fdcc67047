package import Time

/// The options and limits of requests.
package struct HTTPConfiguration: Equatable, Sendable {
    /// The value of the header `User-Agent`.
    package var userAgent: String
    /// A PEM file with the certificates to trust instead of the system's.
    package var authorityFile: String?
    /// True if unencrypted http is allowed to a host that is not a loopback address.
    package var allowsPlainHTTP = false
    /// The proxy for every host except this machine; if it is set, libcurl's environment variables are ignored.
    package var proxy: ProxyAddress?
    /// The limit from the start of a request until the connection is established, including TLS.
    package var connectLimit = Milliseconds.seconds(10)
    /// The limit on the whole request, including redirects.
    package var totalLimit = Milliseconds.seconds(20)
    /// The maximum size of a body after decompression, in bytes.
    package var bodyLimitBytes = 8 << 20
    /// The maximum number of redirects to follow. Only redirects to https on the same host and port are followed.
    package var redirectLimit = 3

    /// Creates a configuration with a user agent such as `alertd/0.1.0`, and the default for everything else.
    package init(userAgent: String) {
        self.userAgent = userAgent
    }
}

/// A request that delivers something.
package struct HTTPRequest: Equatable, Sendable {
    package enum Method: String, Sendable {
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        /// Without a body.
        case get = "GET"
    }

    package var method: Method
    /// An absolute https address; http only to a loopback host or if the configuration allows it. It may be a secret,
    /// so no error contains it.
    package var address: String
    /// The headers by name; names and values are one line each.
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

    /// The number of zero bytes after the body, which let a parser read in steps wider than a byte.
    package static let paddingCount = 64

    /// Creates a response. The body must be followed by ``paddingCount`` zero bytes, which are not part of it.
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

/// The reason why there is no complete response.
///
/// Texts are at most 200 characters of printable ASCII.
package enum HTTPError: Error, Equatable, Sendable {
    /// The text is not an absolute http or https address, or contains a user name or password.
    case badAddress(String)
    /// The request was for unencrypted http to a host that is not this machine.
    case plainHTTPRefused(host: String)
    case resolutionFailed(host: String)
    case connectionRefused
    /// The host or its network cannot be reached, with libcurl's reason.
    case unreachable(String)
    /// There was no connection within the limit.
    case connectTimeout(after: Milliseconds)
    /// The response was not complete within the limit.
    case timeout(after: Milliseconds)
    /// The certificate is not trusted or the handshake failed, with libcurl's reason.
    case tls(String)
    /// The file with trusted certificates, or the system's store, cannot be read, with libcurl's reason.
    case authorityFile(String)
    /// A redirect to anything but https on the same host and port, or one redirect too many, with the scheme, host
    /// and port of its target.
    case redirectRefused(String)
    case bodyTooLarge(limitBytes: Int)
    /// The connection was closed before the response was complete.
    case truncated
    case cancelled
    /// Any other failure, with libcurl's description.
    case other(String)
}
