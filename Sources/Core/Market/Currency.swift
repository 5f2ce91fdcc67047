/// The currency of a price or a limit, such as `INR`, `USDT` or `SEK`: 1 to 32 characters `A–Z` and `0–9`.
public struct Currency: Hashable, Sendable {
    private let text: ShortText

    /// `EUR`, the base of the reference rates of the European Central Bank.
    public static let euro = Currency(uppercasing: ShortText(words: (0x4555_5200_0000_0000, 0, 0, 0)))

    /// Makes a currency from its name in either case, or nil if the name is invalid.
    public init?(_ text: String) {
        let upper = text.utf8.map { isLowercase($0) ? $0 - 0x20 : $0 }
        guard let name = ShortText(upper.span, accepts: { $0 &- 0x41 < 26 || $0 &- 0x30 < 10 }) else { return nil }
        self.text = name
    }

    init(uppercasing text: ShortText) {
        let upper = text.bytes.map { isLowercase($0) ? $0 - 0x20 : $0 }
        self.text = ShortText(upper.span, accepts: { _ in true }) ?? text
    }

    /// Appends the name in capital letters without making a string.
    package func append(to bytes: inout [UInt8]) { text.append(to: &bytes) }
}

extension Currency: Comparable {
    /// Returns true if the left name sorts before the right one.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension Currency: CustomStringConvertible {
    /// The name in capital letters.
    public var description: String { text.description }
}

private func isLowercase(_ byte: UInt8) -> Bool {
    byte &- 0x61 < 26
}
