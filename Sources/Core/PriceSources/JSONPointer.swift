/// A pointer to a value in a JSON text (RFC 6901): `/data/0/price`.
package struct JSONPointer: Hashable, Sendable {
    /// The pointer in the syntax of the response reader; empty for the whole text.
    package let text: String

    /// The whole text.
    package static let root = JSONPointer(checked: "")

    private init(checked text: String) {
        self.text = text
    }

    /// The maximum number of names in a pointer, and the maximum length of a name in bytes.
    private static let (mostNames, longestName) = (8, 48)

    /// Parses a pointer. Nil for any other text, and for names that JSON would escape.
    ///
    /// - Parameter text: names, each after a slash; `~1` is a slash and `~0` a tilde in a name. `/` alone is
    ///   ``root``.
    package init?(_ text: String) {
        guard text != "/" else {
            self = .root
            return
        }
        guard text.hasPrefix("/") else { return nil }
        let names = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard names.count <= Self.mostNames, names.allSatisfy(Self.isName) else { return nil }
        self.text = text
    }

    private static func isName(_ name: Substring) -> Bool {
        let parts = name.split(separator: "~", omittingEmptySubsequences: false)
        let areEscapesGood = parts.dropFirst().allSatisfy { $0.hasPrefix("0") || $0.hasPrefix("1") }
        return areEscapesGood && name.utf8.count <= longestName
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
