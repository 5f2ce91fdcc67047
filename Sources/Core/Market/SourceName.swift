/// The name of a source of prices, such as `wazirx`: 1 to 32 characters `a–z`, `0–9`, `-` and `_`, beginning with a
/// letter or digit.
package struct SourceName: Hashable, Sendable {
    private let text: String

    /// The maximum length of a name, in characters.
    package static let longest = 32

    /// Makes a name from a text that is known to be valid.
    package init(unchecked text: String) {
        self.text = text
    }

    /// Makes a name from a text, or nil if it is not valid.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard let first = bytes.first, isLowercaseOrDigit(first), bytes.count <= Self.longest else { return nil }
        guard bytes.allSatisfy({ isLowercaseOrDigit($0) || $0 == 0x2D || $0 == 0x5F }) else { return nil }
        self.text = text
    }
}

/// A symbol or pattern as it was written, with an optional source before it: `kraken:btcusd`.
package struct SourcedText: Equatable, Sendable {
    /// The source before the colon; nil if there is no colon or no valid source name before it.
    package var source: String?
    package var symbol: String

    /// Splits a text. If there is no valid source name before a colon, the whole text is the ``symbol``.
    package init(_ text: String) {
        guard text.utf8.contains(0x3A) else {
            symbol = text
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, SourceName(String(parts[0])) != nil else {
            symbol = text
            return
        }
        source = String(parts[0])
        symbol = String(parts[1])
    }
}

extension SourceName: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension SourceName: CustomStringConvertible {
    package var description: String { text }
}
