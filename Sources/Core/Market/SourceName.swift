/// The name of a source of prices, such as `wazirx`: 1 to 32 characters `a–z`, `0–9`, `-` and `_`, the first one a
/// letter or digit.
package struct SourceName: Hashable, Sendable {
    private let text: String

    /// The most characters of a name.
    package static let longest = 32

    /// Makes the name of a text that is known to be a valid name.
    package init(unchecked text: String) {
        self.text = text
    }

    /// Makes the name of the given text, or nil when it is not a valid name.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard let first = bytes.first, isLowercaseOrDigit(first), bytes.count <= Self.longest else { return nil }
        guard bytes.allSatisfy({ isLowercaseOrDigit($0) || $0 == 0x2D || $0 == 0x5F }) else { return nil }
        self.text = text
    }
}

/// A symbol or pattern as it was written, with the source that may be before it: `kraken:btcusd`.
package struct SourcedText: Equatable, Sendable {
    /// What is before the colon; nil without one, or when it is not the name of a source.
    package var source: String?
    package var symbol: String

    /// Never fails: without a valid name of a source before a colon, all of the text is ``symbol``.
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
