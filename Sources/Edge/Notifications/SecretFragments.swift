internal import Text

/// A detector of texts that repeat part of a secret: all of it, or a piece between separators such as colons and
/// slashes, also in Base64 at any offset or percent-encoded.
struct SecretFragments {
    /// The minimum length of a part in bytes. Shorter parts occur in other texts by chance.
    private static let shortestPart = 5
    /// The minimum length of Base64 in characters. Shorter Base64 occurs in other texts by chance, too.
    private static let shortestEncoding = 6

    private let parts: Set<String>
    private let encodings: Set<String>

    /// - Parameters:
    ///   - secrets: Tokens and passwords, and `USER:PASSWORD`.
    ///   - addresses: Web addresses. Users, paths and queries count as secret. Schemes and hosts do not, because
    ///     errors name them.
    init(secrets: [String], addresses: [String]) {
        let ofAddresses = addresses.flatMap(Self.secretParts)
        let whole = (secrets + ofAddresses).filter { !$0.isEmpty }
        let pieces = whole.flatMap { $0.split { ":/?&=@.".contains($0) }.map(String.init) }
        let long = (ofAddresses + pieces).filter { $0.utf8.count >= Self.shortestPart }
        parts = Set(secrets.filter { !$0.isEmpty } + long)
        encodings = Set((whole + pieces).filter { $0.utf8.count >= Self.shortestPart }.flatMap(Self.encodings))
    }

    /// Returns true if a text repeats part of a secret.
    func occur(in text: String) -> Bool {
        let unescaped = Self.percentDecoded(text.replacingAll("\\", with: ""))
        let alphabet = String(unescaped.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        return [text, unescaped].contains { form in parts.contains { form.includes($0) } }
            || [text, unescaped, alphabet].contains { form in encodings.contains { form.includes($0) } }
    }

    /// Returns the user before the host, and the path and query after it.
    private static func secretParts(of address: String) -> [String] {
        let rest = address.drop { $0 != "/" }.drop { $0 == "/" }
        let authority = rest.prefix { !"/?#".contains($0) }
        let user = authority.contains("@") ? String(authority.prefix { $0 != "@" }) : ""
        let path = String(rest.dropFirst(authority.count))
        return [user, path, String(path.dropFirst())].filter { $0.utf8.count > 1 }
    }

    /// Returns the middle of the text's Base64 at each of the three offsets that the text may have in a longer one.
    private static func encodings(of text: String) -> [String] {
        (0..<3).compactMap { offset in
            let bytes = [UInt8](repeating: 0, count: offset) + Array(text.utf8)
            let encoded = Base64.text(of: bytes).filter { $0 != "=" }
            // The first characters depend on the bytes before the text, the last one on the bytes after it.
            let middle = encoded.dropFirst(offset == 0 ? 0 : offset + 1).dropLast(bytes.count % 3 == 0 ? 0 : 1)
            return middle.utf8.count >= shortestEncoding ? String(middle) : nil
        }
    }

    private static func percentDecoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == 0x25, digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
