// The search functions of the standard library would link its regular expressions, a tenth of the size of each
// program.

extension StringProtocol {
    /// Returns true if this text contains another one, comparing bytes.
    package func includes(_ part: String) -> Bool {
        firstOccurrence(of: Array(part.utf8)) != nil
    }

    /// Splits this text around the first occurrence of another one, comparing bytes. Returns nil if there is none.
    package func split(around part: String) -> (before: String, after: String)? {
        let part = Array(part.utf8)
        guard let start = firstOccurrence(of: part) else { return nil }
        let end = utf8.index(start, offsetBy: part.count)
        return (String(decoding: utf8[..<start], as: UTF8.self), String(decoding: utf8[end...], as: UTF8.self))
    }

    /// Returns the text with all occurrences of a part replaced, comparing bytes. An empty part never occurs.
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

    private func firstOccurrence(of part: [UInt8]) -> String.Index? {
        var rest = utf8[...]
        while rest.count >= part.count {
            if rest.starts(with: part) { return rest.startIndex }
            guard rest.popFirst() != nil else { return nil }
        }
        return nil
    }
}
