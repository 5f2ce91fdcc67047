internal import HTTPServer

/// The access control of the server: it refuses requests that do not come from the page itself, in a browser with a
/// session.
///
/// Another site in the same browser can send requests to this server, but it cannot read the responses, does not know
/// the key, and cannot use the cookie. Its name can resolve to this machine (DNS rebinding), but `Host` then has that
/// name. A server of another user on another port receives the cookie from the browser, but not the key.
struct WebGate {
    /// The header with the key of the session. A page of another origin cannot send it without a CORS preflight, which
    /// is refused.
    static let header = "x-alertctl"
    /// The path of the stream of changes. Its key is in the query, because an `EventSource` cannot send headers.
    static let streamPath = "/api/changes"
    /// The address where a reverse proxy publishes the page; nil without a proxy.
    var base: WebBase?

    /// Returns the response that refuses a request; nil if the request is allowed.
    func refusal(_ request: HTTPServerRequest, _ sessions: WebSessions) -> HTTPServerResponse? {
        guard let host = request.header("host"), Self.isLocal(host) || host.lowercased() == base?.host else {
            return .text(403, hostText)
        }
        if request.has("origin"), !isOwn(request.header("origin"), host) {
            return .text(403, "Requests from other sites are refused.")
        }
        if request.has("sec-fetch-site"),
            !["same-origin", "none"].contains(request.header("sec-fetch-site") ?? "")
        {
            return .text(403, "Requests from other sites are refused.")
        }
        if request.method == "POST", let refusal = Self.refusal(ofChange: request) { return refusal }
        if request.path == "/", request.has(argument: "token"), request.method != "POST" {
            return sessions.hasToken(request.argument("token")) ? nil : Self.usedToken
        }
        guard let session = sessions.session(cookies: request.header("cookie")) else { return Self.noSession }
        guard request.path.hasPrefix("/api/") else { return nil }
        let isStream = request.path == Self.streamPath
        let key = isStream ? request.argument("key") : request.header(Self.header)
        return session.has(key: key) ? nil : Self.noSession
    }

    /// True if an origin is that of the page. A name that always means this machine cannot belong to another site.
    private func isOwn(_ origin: String?, _ host: String) -> Bool {
        guard let origin else { return false }
        return origin == base?.origin || (Self.isLocal(host) && origin == "http://\(host)")
    }

    private var hostText: String {
        guard let base else {
            return "This page is only served to this machine: open it at 127.0.0.1 or localhost. Behind a reverse "
                + "proxy, start 'alertctl web' with --base-url."
        }
        return "This page is served at \(base.origin)\(base.path): the proxy has to pass that host, or none, on."
    }

    static let usedToken = HTTPServerResponse.text(
        403, "This address has been used already. Press Enter in the terminal of 'alertctl web' for a new one.")

    private static let noSession = HTTPServerResponse.text(
        401, "Open the address that 'alertctl web' printed. Press Enter in its terminal for another one.")

    private static func refusal(ofChange request: HTTPServerRequest) -> HTTPServerResponse? {
        guard request.has(header) else { return .text(403, "The header \(header) is missing.") }
        guard request.header("content-type") == "application/json" else {
            return .text(415, "The content type must be application/json.")
        }
        return nil
    }

    /// True for a name that always means this machine. Any port is accepted, because ssh may forward another port.
    static func isLocal(_ host: String) -> Bool {
        var name = host[...]
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            let port = host[host.index(after: colon)...]
            guard UInt16(port) != nil, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
            name = host[..<colon]
        }
        return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
    }

    /// The security headers of every response: the page loads nothing from other origins, and is not cached, framed or
    /// sniffed for its type.
    static let headers: [HTTPServerResponse.Field] = [
        .init(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        .init("Cache-Control", "no-store"),
        .init("Cross-Origin-Opener-Policy", "same-origin"),
        .init("Cross-Origin-Resource-Policy", "same-origin"),
        .init("Referrer-Policy", "no-referrer"),
        .init("X-Content-Type-Options", "nosniff"),
        .init("X-Frame-Options", "DENY"),
    ]
}

extension HTTPServerRequest {
    fileprivate func has(_ name: String) -> Bool { headers.contains { $0.name == name } }
    fileprivate func has(argument name: String) -> Bool { query.contains { $0.name == name } }
}

extension HTTPServerResponse {
    /// The response with the security headers.
    var secured: HTTPServerResponse {
        var response = self
        response.headers += WebGate.headers
        return response
    }
}
