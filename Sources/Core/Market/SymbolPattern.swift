/// A pattern for symbols: either one exact symbol, or a text in which `*` matches any number of characters, including
/// none.
package struct SymbolPattern: Hashable, Sendable {
    /// The pattern as it was written.
    package let text: String

    /// The texts before, between and after each `*`; empty for an exact symbol.
    private let parts: [[UInt8]]
    /// The exact symbol; nil if the pattern contains a `*`.
    package let exactSymbol: Symbol?

    /// Makes a pattern from 1 to 64 characters `a–z`, `0–9` and `*`, or nil for any other text. Without a `*`, it
    /// must be a valid symbol.
    package init?(_ text: String) {
        self.text = text
        if let symbol = Symbol(text) {
            (exactSymbol, parts) = (symbol, [])
            return
        }
        let bytes = Array(text.utf8)
        guard bytes.count <= 64, bytes.contains(0x2A), bytes.allSatisfy({ $0 == 0x2A || isLowercaseOrDigit($0) })
        else { return nil }
        exactSymbol = nil
        parts = bytes.split(separator: 0x2A, omittingEmptySubsequences: false).map(Array.init)
    }

    /// Returns true if the pattern matches the whole name of the symbol.
    package func matches(_ symbol: Symbol) -> Bool {
        if let exactSymbol { return symbol == exactSymbol }
        let name = symbol.description.utf8
        guard let first = parts.first, let last = parts.last else { return false }
        guard name.count >= first.count + last.count, name.starts(with: first),
            name.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = Array(name.dropFirst(first.count).dropLast(last.count))[...]
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let end = Self.end(of: part, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    /// Returns the end of the first occurrence of the part, or nil if there is none. Choosing the first one leaves the
    /// longest rest for the parts that follow.
    private static func end(of part: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        guard text.count >= part.count else { return nil }
        return (text.startIndex...text.endIndex - part.count)
            .first { text[$0..<$0 + part.count].elementsEqual(part) }
            .map { $0 + part.count }
    }
}
