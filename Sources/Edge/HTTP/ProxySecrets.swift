internal import CCurl
internal import Glibc
internal import Text

/// The user name and password of a proxy, to be recognized in input from outside: a proxy may repeat what it was
/// sent.
struct ProxySecrets: Equatable {
    /// The shortest password that is recognized. Shorter ones occur in other texts by chance.
    private static let shortest = 6
    /// The shortest user name without a password that is recognized. A shorter one is not a secret.
    private static let shortestToken = 16

    private let forms: [String]

    /// - Parameter addresses: addresses of proxies as libcurl accepts them; the scheme may be missing.
    init(_ addresses: [String]) {
        forms = addresses.flatMap(Self.forms)
    }

    /// The secrets of the proxies in the environment variables that libcurl reads.
    static let ofEnvironment = ProxySecrets(
        ["HTTPS_PROXY", "https_proxy", "http_proxy", "ALL_PROXY", "all_proxy"].compactMap { (name: String) in
            unsafe getenv(name).map { unsafe String(cString: $0) }
        })

    /// Returns true if the text contains one of the secrets.
    func occur(in text: String) -> Bool { forms.contains { text.includes($0) } }

    /// Returns true if the bytes contain one of the secrets. Fast enough for responses of megabytes.
    func occur(in bytes: [UInt8]) -> Bool {
        forms.contains { form in
            let form = Array(form.utf8)
            return unsafe bytes.withUnsafeBytes { unsafe Self.find(form, in: $0) }
        }
    }

    private static func find(_ form: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, let first = form.first else { return false }
        let end = bytes.count - form.count + 1
        var start = 0
        while start < end, let found = unsafe memchr(base + start, Int32(first), end - start) {
            if unsafe memcmp(found, form, form.count) == 0 { return true }
            start = unsafe base.distance(to: found) + 1
        }
        return false
    }

    /// Returns the user with the password and the password alone, both as typed and without percent encoding, and
    /// also the user with the password in the base64 of `Proxy-Authorization`.
    private static func forms(of address: String) -> [String] {
        guard let end = address.lastIndex(of: "@") else { return [] }
        let typed = String(address[..<end].split(separator: "/").last ?? "")
        let users = [typed, unescaped(typed)].filter {
            $0.utf8.count >= ($0.contains(":") ? shortest : shortestToken)
        }
        let passwords = users.compactMap { text in
            text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) }
        }
        let encoded = users.map { Base64.text(of: $0.utf8).filter { $0 != "=" } }
        return users + encoded + passwords.filter { $0.utf8.count >= shortest }
    }

    private static func unescaped(_ text: String) -> String {
        var length: Int32 = 0
        guard let bytes = unsafe curl_easy_unescape(nil, text, 0, &length) else { return text }
        defer { unsafe curl_free(bytes) }
        return unsafe String(cString: bytes)
    }
}
