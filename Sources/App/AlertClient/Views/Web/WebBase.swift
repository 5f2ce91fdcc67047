internal import Diagnostics
internal import Text

/// The address where a reverse proxy publishes the page, such as `https://host/prices/`.
struct WebBase: Equatable {
    private static let limit = 200

    let isSecure: Bool
    /// The host and port in lower case, without the scheme's default port. This is the form that a browser sends in
    /// `Host`.
    let host: String
    /// The path, with a leading and a trailing slash.
    let path: String

    /// - Throws: ``ClientError/usage(_:)`` for a text that is not such an address.
    init(_ text: String) throws(ClientError) {
        let fault = ClientError.usage(
            "--base-url takes the address of the page at the proxy, such as https://example.org/prices/, "
                + "not '\(visible(text))'")
        guard let scheme = ["https", "http"].first(where: { text.lowercased().hasPrefix("\($0)://") }),
            text.utf8.count <= Self.limit
        else { throw fault }
        let rest = text.dropFirst(scheme.count + 3)
        var host = rest.prefix { $0 != "/" }.lowercased()
        let usualPort = scheme == "https" ? ":443" : ":80"
        if host.hasSuffix(usualPort) { host = String(host.dropLast(usualPort.count)) }
        let path = String(rest.drop { $0 != "/" })
        guard Self.isHost(host), Self.isPath(path) else { throw fault }
        isSecure = scheme == "https"
        self.host = host
        self.path = path.hasSuffix("/") ? path : path + "/"
    }

    var origin: String { "\(isSecure ? "https" : "http")://\(host)" }

    /// Returns the path of a request below the base path. The proxy may already have removed the base path.
    func local(_ requested: String) -> String {
        requested.hasPrefix(path) ? "/" + requested.dropFirst(path.count) : requested
    }

    private static func isHost(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty, parts.count <= 2 else { return text.isAddress6 }
        return name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
            && (parts.count == 1 || UInt16(parts[1]) != nil)
    }

    /// True if the path needs no escapes, so that it is the same in the address, the cookie and the request.
    private static func isPath(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isLetterOrDigit || "/-._~".utf8.contains($0) } && !text.includes("//")
            && !text.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }
}

extension String {
    /// True for an IPv6 address in brackets, with or without a port.
    fileprivate var isAddress6: Bool {
        guard hasPrefix("["), let end = firstIndex(of: "]") else { return false }
        let rest = self[index(after: end)...]
        return utf8.allSatisfy { $0.isLetterOrDigit || "[]:.".utf8.contains($0) }
            && (rest.isEmpty || (rest.hasPrefix(":") && UInt16(rest.dropFirst()) != nil))
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
