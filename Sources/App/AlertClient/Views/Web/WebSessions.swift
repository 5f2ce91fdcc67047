/// The sessions of browsers that may use the page. A browser that opens the address with a token gets a cookie and a
/// key.
///
/// The cookie alone gives access to the files of the page only: a browser sends it to every port of this machine, and
/// so to servers of other users. Requests that read prices or change something need the key as well. The script of the
/// page stores it where only this host and port can read it.
///
/// Tokens, cookies and keys have 256 random bits each, so that guessing them is hopeless even without a limit on
/// attempts.
struct WebSessions {
    /// Maximum number of sessions; one more ends the oldest session.
    static let limit = 8
    static let cookieName = "alertctl_session"

    private let random: () -> String
    private var token: String?
    private var sessions: [Session] = []

    struct Session: Equatable {
        let cookie: String
        let key: String
    }

    /// - Parameter random: returns an unpredictable text of letters and digits; tests supply their own.
    init(random: @escaping () -> String = randomText) {
        self.random = random
    }

    /// Returns a token that can be used once. The previous token is no longer valid.
    mutating func newToken() -> String {
        let new = random()
        token = new
        return new
    }

    /// True if the text is the current, unused token.
    func hasToken(_ text: String?) -> Bool {
        guard let token, let text else { return false }
        return isEqual(token, text)
    }

    /// Consumes the token and begins a session; nil if the text is not the current token.
    mutating func begin(with text: String) -> Session? {
        guard let token, isEqual(token, text) else { return nil }
        self.token = nil
        let session = Session(cookie: random(), key: random())
        sessions.append(session)
        sessions.removeFirst(max(0, sessions.count - Self.limit))
        return session
    }

    /// Returns the session whose cookie is in the header `Cookie`.
    func session(cookies header: String?) -> Session? {
        let cookies = (header ?? "").split(separator: ";").compactMap { part in
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return pair.count == 2 && pair[0] == Self.cookieName ? String(pair[1]) : nil
        }
        return sessions.first { session in cookies.contains { isEqual(session.cookie, $0) } }
    }
}

/// Returns 256 random bits from the kernel as hexadecimal digits.
private func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
        let digits = String(generator.next() as UInt64, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
}

extension WebSessions.Session {
    /// True if this is the key of the session.
    func has(key text: String?) -> Bool { text.map { isEqual(key, $0) } ?? false }
}

/// Compares two texts in constant time, so that the duration does not reveal where they differ.
private func isEqual(_ secret: String, _ text: String) -> Bool {
    let (one, other) = (Array(secret.utf8), Array(text.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
}
