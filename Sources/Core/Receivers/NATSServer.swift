/// The address of a NATS server: `nats://HOST[:PORT]`, or `tls://…` to require TLS.
package struct NATSServer: Equatable, Sendable {
    /// In lower case; an IPv6 address is without brackets.
    package var host: String
    package var port: UInt16
    /// True to reject a server that does not offer TLS. TLS is used in any case if the server requires it.
    package var requiresTLS: Bool

    package static let standardPort: UInt16 = 4222

    /// Parses an address; nil for any other text. User names and passwords are not allowed in it.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}?#@".utf8.contains($0) }) else {
            return nil
        }
        let lower = text.lowercased()
        guard let scheme = ["nats", "tls"].first(where: { lower.hasPrefix($0 + "://") }) else { return nil }
        requiresTLS = scheme == "tls"
        var rest = lower.dropFirst(scheme.count + 3)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let name: Substring
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            name = rest[rest.index(after: rest.startIndex)..<end]
            guard name.contains(":"), name.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
            rest = rest[rest.index(after: end)...]
        } else {
            name = rest.prefix { $0 != ":" }
            guard name.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 &- 0x61 < 26 || "-._".utf8.contains($0) }) else {
                return nil
            }
            rest = rest.dropFirst(name.count)
        }
        guard (1...253).contains(name.utf8.count) else { return nil }
        host = String(name)
        guard !rest.isEmpty else {
            port = Self.standardPort
            return
        }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        self.port = port
    }
}

extension NATSServer: CustomStringConvertible {
    package var description: String {
        "\(requiresTLS ? "tls" : "nats")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
