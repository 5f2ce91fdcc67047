package import Time

/// How requests are made, and what bounds them.
package struct HTTPConfiguration: Equatable, Sendable {
    package var userAgent: String
    /// A PEM file with certificates of authorities, in place of the system's.
    package var authorityFile: String?
    /// Whether plain http is good enough for a host that is not a loopback address.
    package var allowsPlainHTTP = false
    /// A proxy for everything that is not on this machine; libcurl's environment variables are not asked then.
    package var proxy: ProxyAddress?
    /// From the start of a request until the connection stands, TLS included.
    package var connectLimit = Milliseconds.seconds(10)
    /// For the whole request, redirects included.
    package var totalLimit = Milliseconds.seconds(20)
    /// The most bytes of a body, after decompression.
    package var bodyLimitBytes = 8 << 20
    /// The most redirects that are followed; only to https on the same host.
    package var redirectLimit = 3

    package init(userAgent: String) {
        self.userAgent = userAgent
    }
}

/// A complete answer of a server, whatever its status.
package struct HTTPResponse: Sendable {
    package var status: Int
    /// Names in lowercase; of several with one name the last counts.
    package var headers: [String: String]
    /// The body after decompression, followed by ``paddingCount`` bytes that are 0 and no part of it.
    package var paddedBody: [UInt8]

    /// How many bytes follow the body, so that a parser may read in steps wider than a byte.
    package static let paddingCount = 64

    package init(status: Int, headers: [String: String] = [:], paddedBody: [UInt8]) {
        self.status = status
        self.headers = headers
        self.paddedBody = paddedBody
    }

    /// The length of the body without its padding.
    package var bodyCount: Int { paddedBody.count - Self.paddingCount }
}

/// Why there is no complete answer.
///
/// All texts in it are at most 200 characters of printable ASCII.
package enum HTTPError: Error, Equatable, Sendable {
    /// The text is no absolute http or https address, or has a password in it.
    case badAddress(String)
    /// Plain http to a host that is not this machine.
    case plainHTTPRefused(host: String)
    case resolutionFailed(host: String)
    case connectionRefused
    /// The host or its network cannot be reached, in libcurl's words.
    case unreachable(String)
    case connectTimeout
    case timeout
    /// The certificate is not trusted or the handshake failed, in libcurl's words.
    case tls(String)
    /// The file of authorities, or the system's store, cannot be read; in libcurl's words.
    case authorityFile(String)
    /// A redirect that is not to https on the same host, or one too many; where to.
    case redirectRefused(String)
    case bodyTooLarge(limitBytes: Int)
    /// The connection ended before the body was complete.
    case truncated
    case cancelled
    /// Anything else, in libcurl's words.
    case other(String)
}
