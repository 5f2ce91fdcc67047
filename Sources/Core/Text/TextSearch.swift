// The searches of the standard library would link its regular expressions, which are a tenth of each program.

extension StringProtocol {
    /// Whether the text is somewhere in this one, byte by byte.
    package func includes(_ part: String) -> Bool {
        firstPlace(of: Array(part.utf8)) != nil
    }

    /// What is before and after the first place of a text, byte by byte; nil if it is nowhere.
    package func split(around part: String) -> (before: String, after: String)? {
        let part = Array(part.utf8)
        guard let start = firstPlace(of: part) else { return nil }
        let end = utf8.index(start, offsetBy: part.count)
        return (String(decoding: utf8[..<start], as: UTF8.self), String(decoding: utf8[end...], as: UTF8.self))
    }

    /// The text with a part of it replaced wherever it is, byte by byte; an empty part is nowhere.
    package func replacingAll(_ part: String, with replacement: String) -> String {
        guard !part.isEmpty else { return String(self) }
        var result = ""
        var rest = String(self)
        while let halves = rest.split(around: part) {
            result += halves.before
            result += replacement
            rest = halves.after
        }
        return result + rest
    }

    private func firstPlace(of part: [UInt8]) -> String.Index? {
        var rest = utf8[...]
        while rest.count >= part.count {
            if rest.starts(with: part) { return rest.startIndex }
            guard rest.popFirst() != nil else { return nil }
        }
        return nil
    }
}
