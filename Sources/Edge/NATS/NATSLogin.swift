internal import JSON

/// The login of a client at a server. It may contain secrets.
package struct NATSLogin: Sendable, CustomReflectable {
    private let token: String?
    private let user: (name: String, password: String)?
    private let version: String

    /// Creates a login with a token, with `USER:PASSWORD`, or without a credential.
    package init(_ credential: String?, version: String) {
        self.version = version
        guard let credential, let colon = credential.firstIndex(of: ":") else {
            token = credential
            user = nil
            return
        }
        token = nil
        user = (String(credential[..<colon]), String(credential[credential.index(after: colon)...]))
    }

    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Returns the first line that a client sends.
    func line(isSecure: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for name in ["verbose", "pedantic"] {
            writer.key(name)
            writer.bool(false)
        }
        for name in ["headers", "no_responders"] {
            writer.key(name)
            writer.bool(true)
        }
        writer.key("tls_required")
        writer.bool(isSecure)
        writer.member("name", "alertd")
        writer.member("lang", "swift")
        writer.member("version", version)
        writer.member("protocol", 1)
        if let token { writer.member("auth_token", token) }
        if let user {
            writer.member("user", user.name)
            writer.member("pass", user.password)
        }
        writer.endObject()
        return Array("CONNECT ".utf8) + writer.bytes + [0x0D, 0x0A]
    }
}
