/// Who may use the page: browsers that opened the address with a token have a cookie.
///
/// Tokens and cookies are 256 random bits each, so guessing them is hopeless without any limit on attempts.
struct WebSessions {
    /// Browsers at the same time; one more ends the oldest session.
    static let limit = 8
    static let cookieName = "alertctl_session"

    private let random: () -> String
    private var token: String?
    private var cookies: [String] = []

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

    /// Takes a token, and gives the cookie of a new session for it; nil for a wrong one.
    mutating func begin(with text: String) -> String? {
        guard let token, isEqual(token, text) else { return nil }
        self.token = nil
        let cookie = random()
        cookies.append(cookie)
        cookies.removeFirst(max(0, cookies.count - Self.limit))
        return cookie
    }

    /// Whether the header field `Cookie` has the cookie of a session.
    func has(cookies header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ";").contains { part in
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return pair.count == 2 && pair[0] == Self.cookieName
                && cookies.contains { isEqual($0, String(pair[1])) }
        }
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

/// Compares without a difference in time that would show where two texts differ.
private func isEqual(_ secret: String, _ text: String) -> Bool {
    let (one, other) = (Array(secret.utf8), Array(text.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
}
