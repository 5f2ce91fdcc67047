internal import Text

/// A detector of texts that repeat part of a secret: all of it, or a piece between colons or slashes, in any letter
/// case. It also recognizes Base64 at any offset, hexadecimal digits, and the escapes of addresses, JSON and HTML, even
/// if a text was escaped several times.
package struct SecretFragments: Sendable {
    /// The text to show in place of one that repeats a secret.
    package static let note = "(not shown: it repeats a secret)"

    /// The minimum length of a part in bytes. Shorter parts occur in other texts by chance.
    private static let shortestPart = 5
    /// The minimum length of Base64 in characters. Shorter Base64 occurs in other texts by chance, too.
    private static let shortestEncoding = 6
    /// The maximum number of times that a text may have been escaped.
    private static let escapeLimit = 4
    private static let separators = ":/?&=@."

    /// The parts, as ``folded(_:)`` returns them.
    private let parts: Set<String>
    private let encodings: Set<String>

    /// - Parameters:
    ///   - secrets: Tokens and passwords, and `USER:PASSWORD`.
    ///   - addresses: Web addresses. Users, paths and queries count as secret. Schemes and hosts do not, because
    ///     errors name them.
    ///   - queries: Web addresses where only users and queries count as secret. Names in a query do not, because
    ///     errors name them: `limit is too high`.
    package init(secrets: [String], addresses: [String] = [], queries: [String] = []) {
        let ofAddresses = addresses.flatMap(Self.secretParts)
        let pieces = (secrets + ofAddresses).flatMap { whole in
            whole.split { Self.separators.contains($0) }.map(String.init)
        }
        let ofQueries = queries.flatMap(Self.queryParts)
        let long = Self.withPlainForms(ofAddresses + pieces + ofQueries).filter {
            $0.utf8.count >= Self.shortestPart
        }
        let all = Self.withPlainForms(secrets) + long
        parts = Set((all + long.map(Self.hexadecimal)).map(Self.folded).filter { !$0.isEmpty })
        encodings = Set(all.filter { $0.utf8.count >= Self.shortestPart }.flatMap(Self.encodings))
    }

    /// Returns the text, or a note that it is not shown because it repeats part of a secret.
    package func redacted(_ text: String) -> String { occur(in: text) ? Self.note : text }

    /// Returns true if a text repeats part of a secret. If the text contains an ellipsis, it may have been cut within
    /// that part.
    package func occur(in text: String) -> Bool {
        guard !parts.isEmpty else { return false }
        return Self.forms(of: text).contains { form in
            let folded = Self.folded(form)
            let standard = String(form.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
            return parts.contains { folded.includes($0) }
                || encodings.contains { form.includes($0) || standard.includes($0) }
                || folded.split(around: "…").map { isCut(inPart: $0.before) } ?? false
        }
    }

    /// Returns true if the text ends with the beginning of a part.
    private func isCut(inPart text: String) -> Bool {
        parts.contains { part in
            let count = part.utf8.count
            return count > Self.shortestPart
                && (Self.shortestPart..<count).contains { text.utf8.suffix($0).elementsEqual(part.utf8.prefix($0)) }
        }
    }

    /// Returns the user before the host, and the path and query after it.
    private static func secretParts(of address: String) -> [String] {
        let rest = address.drop { $0 != "/" }.drop { $0 == "/" }
        let authority = rest.prefix { !"/?#".contains($0) }
        let path = String(rest.dropFirst(authority.count))
        return [user(of: authority), path, String(path.dropFirst())].filter { $0.utf8.count > 1 }
    }

    /// Returns the user before the host, the query, and the values in the query.
    private static func queryParts(of address: String) -> [String] {
        let authority = address.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        let query = address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        let values = query.split(separator: "&").map { member in
            member.firstIndex(of: "=").map { String(member[member.index(after: $0)...]) } ?? String(member)
        }
        let user = user(of: authority)
        return [user, String(query)] + values + user.split(separator: ":").map(String.init)
    }

    private static func user(of authority: Substring) -> String {
        authority.contains("@") ? String(authority.prefix { $0 != "@" }) : ""
    }

    /// Returns the texts, followed by the decoded form of each text that contains a percent sign.
    private static func withPlainForms(_ texts: [String]) -> [String] {
        texts + texts.filter { $0.contains("%") }.map { decoded($0, by: percentEscape) }
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

    private static func hexadecimal(of text: String) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the text in lower case and without characters that cannot be seen.
    private static func folded(_ text: String) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format: continue
            default: visible.append(scalar)
            }
        }
        return String(visible).lowercased()
    }
}

// MARK: Escapes

extension SecretFragments {
    /// The bytes that an escape represents, and its length after the first byte.
    private typealias Escape = (bytes: [UInt8], length: Int)

    /// Returns the text and its decoded forms. Escapes are decoded repeatedly, up to ``escapeLimit`` times.
    private static func forms(of text: String) -> [String] {
        var forms = [text]
        var last = text
        for _ in 0..<escapeLimit {
            let next = decoded(last, by: escape)
            guard next != last else { break }
            forms.append(next)
            last = next
        }
        return forms
    }

    private static func decoded(_ text: String, by escape: (UInt8, ArraySlice<UInt8>) -> Escape?) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if let found = escape(byte, rest) {
                bytes += found.bytes
                rest = rest.dropFirst(found.length)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escape(_ first: UInt8, _ rest: ArraySlice<UInt8>) -> Escape? {
        switch first {
        case UInt8(ascii: "%"): percentEscape(first, rest)
        case UInt8(ascii: "\\"): backslashEscape(rest)
        case UInt8(ascii: "&"): entity(rest)
        default: nil
        }
    }

    private static func percentEscape(_ first: UInt8, _ rest: ArraySlice<UInt8>) -> Escape? {
        guard first == UInt8(ascii: "%"), let value = number(rest, digits: 2) else { return nil }
        return ([UInt8(truncatingIfNeeded: value)], 2)
    }

    /// Decodes `\u0045` and `\x45`. Any other backslash only marks the next character.
    private static func backslashEscape(_ rest: ArraySlice<UInt8>) -> Escape? {
        let digits = rest.first == UInt8(ascii: "u") ? 4 : rest.first == UInt8(ascii: "x") ? 2 : 0
        if digits > 0, let value = number(rest.dropFirst(), digits: digits), let scalar = Unicode.Scalar(value) {
            return (Array(String(Character(scalar)).utf8), digits + 1)
        }
        guard let next = rest.first else { return ([], 0) }
        return ([next], 1)
    }

    /// Decodes `&amp;`, `&#69;` and `&#x45;`.
    private static func entity(_ rest: ArraySlice<UInt8>) -> Escape? {
        guard let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: rest[..<end], as: UTF8.self).lowercased()
        let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        let length = end - rest.startIndex + 1
        if let character = named[name] { return (Array(character.utf8), length) }
        let value =
            name.hasPrefix("#x")
            ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        guard let scalar = value.flatMap({ Unicode.Scalar($0) }) else { return nil }
        return (Array(String(Character(scalar)).utf8), length)
    }

    /// Reads hexadecimal digits.
    private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> UInt32? {
        let text = text.prefix(digits)
        guard text.count == digits, text.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt32(String(decoding: text, as: UTF8.self), radix: 16)
    }
}
