/// A token of an interface description.
struct InterfaceToken: Equatable {
    enum Kind: Equatable {
        /// A word or sign, such as `type`, `org.alertd.Control`, `(`, `->`, `?` or `[]`.
        case word(String)
        /// The text after the `#` of a comment.
        case comment(String)
        case end
    }

    var kind: Kind
    /// Counted from 1.
    var line: Int
}

enum InterfaceScanner {
    static func tokens(of lines: [String]) throws(InterfaceSyntaxError) -> [InterfaceToken] {
        var tokens: [InterfaceToken] = []
        for (index, text) in lines.enumerated() {
            try scan(text[...], line: index + 1, into: &tokens)
        }
        tokens.append(InterfaceToken(kind: .end, line: lines.count))
        return tokens
    }

    private static func scan(
        _ text: Substring, line: Int, into tokens: inout [InterfaceToken]
    ) throws(InterfaceSyntaxError) {
        var rest = text
        while let first = rest.first {
            if first == " " || first == "\t" {
                rest = rest.dropFirst()
            } else if first == "#" {
                tokens.append(InterfaceToken(kind: .comment(String(rest.dropFirst())), line: line))
                return
            } else if let word = scanWord(&rest) ?? scanSign(&rest) {
                tokens.append(InterfaceToken(kind: .word(word), line: line))
            } else {
                throw InterfaceSyntaxError(line: line, message: "unexpected “\(first)”")
            }
        }
    }

    private static func scanWord(_ rest: inout Substring) -> String? {
        let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-") }
        // An arrow is a sign, not a word that begins with a hyphen.
        guard let first = word.first, first != "-", first != "." else { return nil }
        rest = rest.dropFirst(word.count)
        return String(word)
    }

    private static func scanSign(_ rest: inout Substring) -> String? {
        for sign in ["->", "[]", "(", ")", ":", ",", "?"] where rest.hasPrefix(sign) {
            rest = rest.dropFirst(sign.count)
            return sign
        }
        return nil
    }
}
