internal import CCurl

/// An absolute http or https address, parsed by libcurl, so that the checked address is the requested one.
struct WebAddress: Equatable {
    /// The whole address, normalized.
    let text: String
    let scheme: String
    /// The host in lower case; an IPv6 address is in brackets, with its zone after them.
    let host: String
    /// The port, or the default port of the scheme if the address contains none.
    let port: String
    /// True if the host is this machine: 127.0.0.0/8, ::1 or localhost.
    let isLoopback: Bool

    /// Reads an absolute address.
    ///
    /// - Throws: `badAddress` for any other text, and for an address with a user name or password, because those
    ///   would appear in messages.
    init(_ text: String) throws(HTTPError) {
        guard let address = Self.parse(text, relativeTo: nil) else { throw .badAddress(printable(text)) }
        self = address
    }

    private init(text: String, scheme: String, host: String, port: String) {
        (self.text, self.scheme, self.host, self.port) = (text, scheme, host, port)
        isLoopback = Self.isLoopback(host)
    }

    /// Returns the target of a redirect from this address.
    ///
    /// - Throws: `redirectRefused` unless the target is https on the same host and port. From http to https, the port
    ///   may also change from 80 to 443.
    func redirected(to location: String) throws(HTTPError) -> WebAddress {
        guard let target = Self.parse(location, relativeTo: text), target.scheme == "https", target.host == host,
            target.port == port || (scheme == "http" && port == "80" && target.port == "443")
        else { throw .redirectRefused(Self.origin(of: location, relativeTo: text)) }
        return target
    }

    /// Returns scheme, host and port, made printable. Nothing else of an address from a server may be shown, because
    /// its path and query may repeat a secret of the request.
    private static func origin(of location: String, relativeTo base: String) -> String {
        let unreadable = "an address that cannot be read"
        guard let handle = unsafe curl_url() else { return unreadable }
        defer { unsafe curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
        guard unsafe curl_url_set(handle, CURLUPART_URL, base, flags) == CURLUE_OK,
            unsafe curl_url_set(handle, CURLUPART_URL, location, flags) == CURLUE_OK,
            let scheme = unsafe urlPart(CURLUPART_SCHEME, of: handle),
            let host = unsafe urlPart(CURLUPART_HOST, of: handle)
        else { return unreadable }
        let port = unsafe urlPart(CURLUPART_PORT, of: handle).map { ":\($0)" } ?? ""
        return printable("\(scheme)://\(host)\(port)")
    }

    /// Scheme, host and port, for messages.
    var origin: String { Self.origin(of: text, relativeTo: text) }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func parse(_ text: String, relativeTo base: String?) -> WebAddress? {
        // A C string ends at NUL, and addresses contain neither spaces nor control characters.
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        guard let handle = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(handle) }
        for part in [base, text] {
            guard let part else { continue }
            guard unsafe curl_url_set(handle, CURLUPART_URL, part, 0) == CURLUE_OK else { return nil }
        }
        let get = { unsafe urlPart($0, of: handle) }
        guard let whole = get(CURLUPART_URL), let scheme = get(CURLUPART_SCHEME)?.lowercased(),
            let host = get(CURLUPART_HOST)?.lowercased(), !host.isEmpty, scheme == "http" || scheme == "https",
            let port = unsafe urlPart(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT)),
            get(CURLUPART_USER) == nil, get(CURLUPART_PASSWORD) == nil
        else { return nil }
        let zone = get(CURLUPART_ZONEID).map { "%\($0)" } ?? ""
        return WebAddress(text: whole, scheme: scheme, host: host + zone, port: port)
    }
}

/// Returns a part of an address, or nil if the address lacks it.
@unsafe
func urlPart(_ part: CURLUPart, of handle: OpaquePointer, flags: UInt32 = 0) -> String? {
    var bytes: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &bytes, flags) == CURLUE_OK, let bytes = unsafe bytes else {
        return nil
    }
    defer { unsafe curl_free(bytes) }
    return unsafe String(cString: bytes)
}

/// Returns the first `limit` characters of a text, for use in a message, with `?` in place of everything but printable
/// ASCII.
func printable(_ text: String, limit: Int = 200) -> String {
    String(text.unicodeScalars.prefix(limit).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
}
