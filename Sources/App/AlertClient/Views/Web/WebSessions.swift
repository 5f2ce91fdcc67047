/// Who may use the page: browsers that opened the address with a token have a cookie and a key.
///
/// The cookie alone gets the files of the page. A browser sends it to every port of this machine, so also to a server
/// of another user. What reads prices or changes something needs the key as well, which the script of the page keeps
/// where only this host and port can read it.
///
/// Tokens, cookies and keys are 256 random bits each, so guessing them is hopeless without any limit on attempts.
struct WebSessions {
    /// Browsers at the same time; one more ends the oldest session.
    static let limit = 8
    static let cookieName = "alertctl_session"

    private let random: () -> String
    private var token: String?
    private var sessions: [Session] = []

    struct Session: Equatable {
        let cookie: String
        let key: String
    }

    /// - Parameter random: makes an unpredictable text of letters and digits; a test may have its own.
    init(random: @escaping () -> String = randomText) {
        self.random = random
    }

    /// A token that can be used once; the one before is no longer valid.
    mutating func newToken() -> String {
        let new = random()
        token = new
        return new
    }

    /// Whether the text is the token that can be used now.
    func hasToken(_ text: String?) -> Bool {
        guard let token, let text else { return false }
        return isEqual(token, text)
    }

    /// Takes a token, and begins a session for it; nil for a wrong one.
    mutating func begin(with text: String) -> Session? {
        guard let token, isEqual(token, text) else { return nil }
        self.token = nil
        let session = Session(cookie: random(), key: random())
        sessions.append(session)
        sessions.removeFirst(max(0, sessions.count - Self.limit))
        return session
    }

    /// The session whose cookie is in the header field `Cookie`.
    func session(cookies header: String?) -> Session? {
        let cookies = (header ?? "").split(separator: ";").compactMap { part in
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return pair.count == 2 && pair[0] == Self.cookieName ? String(pair[1]) : nil
        }
        return sessions.first { session in cookies.contains { isEqual(session.cookie, $0) } }
    }
}

/// 256 random bits of the kernel as text.
private func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
        let digits = String(generator.next() as UInt64, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
}

extension WebSessions.Session {
    /// Whether this is the key of the session.
    func has(key text: String?) -> Bool { text.map { isEqual(key, $0) } ?? false }
}

/// Compares without a difference in time that would show where two texts differ.
private func isEqual(_ secret: String, _ text: String) -> Bool {
    let (one, other) = (Array(secret.utf8), Array(text.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
}
