/// A symbol, the name of one market of an exchange, such as `btcinr`: 1 to 32 characters `a–z` and `0–9`.
///
/// The base and quote assets cannot be derived from the name (`1inchinr`, `api3usdt`); a ``Ticker`` carries them.
@usableFromInline
package struct Symbol: Hashable, Sendable {
    @usableFromInline let text: ShortText

    /// Makes a symbol from a part of the given bytes, or nil if it is not a valid name.
    @inlinable
    package init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
        guard let text = ShortText(lowercaseOrDigits: bytes, in: range) else { return nil }
        self.text = text
    }

    /// Makes a symbol from a text that is known to be valid.
    @inlinable
    @inline(__always)
    package init(unchecked text: ShortText) {
        self.text = text
    }

    /// Makes a symbol from a text, or nil if it is not a valid name.
    package init?(_ text: String) {
        self.init(text.utf8.span, in: 0..<text.utf8.count)
    }
}

extension Symbol {
    /// The characters of the name, from first to last.
    package var utf8: [UInt8] { text.bytes }

    /// Appends the characters of the name without making a string.
    package func append(to bytes: inout [UInt8]) { text.append(to: &bytes) }
}

extension Symbol: Comparable {
    @inlinable
    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    @usableFromInline package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension Symbol: CustomStringConvertible {
    @usableFromInline package var description: String { text.description }
}

/// A base or quote asset in the spelling of the exchange, such as `btc`, `inr` or `1inch`. It is never empty.
@usableFromInline
package struct Asset: Hashable, Sendable {
    @usableFromInline let text: ShortText

    /// Makes an asset from a part of the given bytes, or nil if it is not 1 to 32 characters `a–z` and `0–9`.
    @inlinable
    package init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
        guard let text = ShortText(lowercaseOrDigits: bytes, in: range) else { return nil }
        self.text = text
    }

    /// Makes an asset from a text that is known to be valid.
    @inlinable
    @inline(__always)
    package init(unchecked text: ShortText) {
        self.text = text
    }

    /// Makes an asset from a text, or nil if it is not 1 to 32 characters `a–z` and `0–9`.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, in: bytes.indices)
    }

    /// The currency of the same name: `INR` for `inr`.
    package var currency: Currency {
        Currency(uppercasing: text)
    }

    /// Appends the characters of the name without making a string.
    package func append(to bytes: inout [UInt8]) { text.append(to: &bytes) }
}

extension Asset: Comparable {
    @inlinable
    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    @usableFromInline package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension Asset: CustomStringConvertible {
    @usableFromInline package var description: String { text.description }
}

/// Returns true if the byte is `a–z` or `0–9`, the characters of symbols and assets.
@inlinable
@inline(__always)
package func isLowercaseOrDigit(_ byte: UInt8) -> Bool {
    byte &- 0x61 < 26 || byte &- 0x30 < 10
}
