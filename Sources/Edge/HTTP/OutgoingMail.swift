/// A message for a mail server.
package struct OutgoingMail: Equatable, Sendable {
    package var server: MailServer
    /// The sender of the envelope, without angle brackets; empty for mail that must not bounce.
    package var sender: String
    /// The recipients of the envelope, without angle brackets; at least one. The server may refuse some of them and
    /// accept the message for the others.
    package var recipients: [String]
    /// The user name for the login; nil to send without one.
    package var user: String?
    /// A secret.
    package var password: String?
    /// Header and body with CRLF line ends. libcurl doubles dots at the start of a line.
    package var content: [UInt8]

    package init(
        server: MailServer, sender: String, recipients: [String], user: String? = nil, password: String? = nil,
        content: [UInt8]
    ) {
        self.server = server
        self.sender = sender
        self.recipients = recipients
        self.user = user
        self.password = password
        self.content = content
    }
}

/// The reply of a mail server to a message.
package struct MailReply: Equatable, Sendable {
    /// The code of the reply that decided: 250 if the message was accepted for at least one recipient.
    package var status: Int
    /// The printable text of that reply: its code, then its lines joined into one.
    package var text: String
    /// The recipients that the server refused, each with the reply.
    package var refused: [RefusedRecipient]

    package init(status: Int, text: String = "", refused: [RefusedRecipient] = []) {
        self.status = status
        self.text = text
        self.refused = refused
    }
}

/// A recipient that a mail server refused.
package struct RefusedRecipient: Equatable, Sendable {
    package var address: String
    /// From 400 to 499 if it may be accepted later.
    package var status: Int
    /// The printable text of the reply: its code, then its lines joined into one.
    package var text: String

    package init(address: String, status: Int, text: String) {
        self.address = address
        self.status = status
        self.text = text
    }
}

/// A mail server, read from an address such as `smtp://mail.example.org:587`.
package struct MailServer: Equatable, Sendable, CustomStringConvertible {
    /// `smtp` upgrades the connection with STARTTLS, `smtps` begins with TLS.
    package var scheme: String
    /// The host in lower case.
    package var host: String
    /// The port, above 0; if the address has none, 587 for `smtp` and 465 for `smtps`.
    package var port: UInt16
    /// The name by which this machine introduces itself; the local host name if nil.
    package var greeting: String?

    /// True if the host is this machine. TLS is optional then, because nothing leaves the machine.
    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// Reads `smtp://host[:port][/NAME]` or `smtps://…`. Returns nil for any other text.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}?#@".utf8.contains($0) }) else {
            return nil
        }
        let lower = text.lowercased()
        guard let scheme = ["smtps", "smtp"].first(where: { lower.hasPrefix($0 + "://") }) else { return nil }
        let rest = text.dropFirst(scheme.count + 3)
        let authority = rest.prefix { $0 != "/" }
        let greeting = rest.dropFirst(authority.count + 1)
        guard Self.isName(greeting) || greeting.isEmpty else { return nil }
        self.scheme = scheme
        self.greeting = greeting.isEmpty ? nil : String(greeting)
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = String(authority[authority.index(after: authority.startIndex)..<end]).lowercased()
            guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
            guard let port = Self.port(authority[authority.index(after: end)...], scheme) else { return nil }
            self.port = port
        } else {
            let name = authority.prefix { $0 != ":" }
            guard Self.isName(name), let port = Self.port(authority.dropFirst(name.count), scheme) else { return nil }
            (host, self.port) = (name.lowercased(), port)
        }
    }

    /// The address for libcurl.
    var address: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name):\(port)" + (greeting.map { "/\($0)" } ?? "")
    }

    /// `smtp://mail.example.org:587`
    package var description: String { address }

    private static func isName(_ text: Substring) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || $0 == 0x2D || $0 == 0x2E }
    }

    private static func port(_ text: Substring, _ scheme: String) -> UInt16? {
        guard !text.isEmpty else { return scheme == "smtps" ? 465 : 587 }
        guard text.hasPrefix(":"), let port = UInt16(text.dropFirst()), port > 0 else { return nil }
        return port
    }
}
