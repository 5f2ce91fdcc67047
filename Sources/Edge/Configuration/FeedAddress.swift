internal import Text

/// The parts of a `url` that the settings check.
struct FeedAddress: Equatable {
    var isEncrypted: Bool
    /// The host in lower case, without brackets or a trailing dot.
    var host: String
    /// The address as given, without trailing slashes unless a query is allowed.
    var text: String

    /// A fault in an address.
    enum Fault: Error {
        case scheme
        case host
        case port
        case userOrPassword
        case queryOrFragment
        case character
    }

    /// Parses `http[s]://host[:port][/path]`, with a `?query` if that is allowed.
    init(_ text: String, allowsQuery: Bool = false) throws(Fault) {
        guard let separator = text.utf8Range(of: "://") else { throw .scheme }
        switch text[..<separator.lowerBound].lowercased() {
        case "https": isEncrypted = true
        case "http": isEncrypted = false
        default: throw .scheme
        }
        let rest = text[separator.upperBound...]
        guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }) else {
            throw .character
        }
        guard !rest.contains(where: { $0 == "?" && !allowsQuery || $0 == "#" }) else { throw .queryOrFragment }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .userOrPassword }
        host = try Self.host(of: authority)
        self.text = allowsQuery ? text : String(text.reversed().drop { $0 == "/" }.reversed())
    }

    /// True if the host is this machine, so that requests never leave it.
    var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func host(of authority: Substring) throws(Fault) -> String {
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw .host }
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[authority.index(after: end)...]
            guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { throw .host }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority.dropFirst(host.count)
            guard host.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }) else { throw .host }
        }
        if !rest.isEmpty {
            guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { throw .port }
        }
        let name = host.hasSuffix(".") ? host.dropLast() : host
        guard !name.isEmpty, name.utf8.count <= 253, !name.hasPrefix("."), !name.includes("..") else { throw .host }
        return name.lowercased()
    }
}

extension FeedAddress.Fault {
    var message: String {
        switch self {
        case .scheme: "does not start with https://"
        case .host: "has no valid host name"
        case .port: "has a port outside 1 to 65535"
        case .userOrPassword: "contains a user name or password"
        case .queryOrFragment: "contains a `?` or a `#`"
        case .character: "contains a character that is not allowed in an address"
        }
    }
}

extension String {
    fileprivate func utf8Range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) {
                return start..<index(start, offsetBy: part.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
