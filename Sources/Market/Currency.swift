/// What a price or a limit is counted in, as people write it: `INR`, `USDT`, `SEK`; 1 to 32 characters `A–Z` and `0–9`.
package struct Currency: Hashable, Sendable {
    private let text: ShortText

    /// Makes the currency of the given text in either case, or nil when it is not a valid name.
    package init?(_ text: String) {
        let upper = text.utf8.map { isLowercase($0) ? $0 - 0x20 : $0 }
        guard let name = ShortText(upper.span, accepts: { $0 &- 0x41 < 26 || $0 &- 0x30 < 10 }) else { return nil }
        self.text = name
    }

    init(uppercasing text: ShortText) {
        let upper = text.bytes.map { isLowercase($0) ? $0 - 0x20 : $0 }
        self.text = ShortText(upper.span, accepts: { _ in true }) ?? text
    }
}

extension Currency: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension Currency: CustomStringConvertible {
    package var description: String { text.description }
}

private func isLowercase(_ byte: UInt8) -> Bool {
    byte &- 0x61 < 26
}
