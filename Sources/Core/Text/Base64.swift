/// The base64 encoding with padding (RFC 4648, section 4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The six bits of each character; 64 for characters outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Encodes bytes with padding and without line breaks.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var pending = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            pending += 1
            if pending == 3 {
                append(bits, characters: 4, to: &text)
                (bits, pending) = (0, 0)
            }
        }
        if pending > 0 {
            append(bits << UInt32(8 * (3 - pending)), characters: pending + 1, to: &text)
            text.append(contentsOf: repeatElement(padding, count: 3 - pending))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text. Returns nil if its length is not a multiple of four, if it has invalid characters, or if any
    /// unused bits after the last byte are not 0.
    package static func bytes(of text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        let padded = characters.suffix(2).reversed().prefix { $0 == padding }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for character in characters.dropLast(padded) {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
                bits = 0
            }
        }
        return isComplete(bits, padded: padded, appendingTo: &bytes) ? bytes : nil
    }

    private static func append(_ bits: UInt32, characters: Int, to text: inout [UInt8]) {
        for index in 0..<characters { text.append(alphabet[Int(bits >> UInt32(18 - 6 * index) & 0x3F)]) }
    }

    /// Appends the last one or two bytes. `bits` has two or four unused bits; returns false if they are not 0.
    private static func isComplete(_ bits: UInt32, padded: Int, appendingTo bytes: inout [UInt8]) -> Bool {
        guard padded > 0 else { return true }
        guard bits & (1 << UInt32(2 * padded) - 1) == 0 else { return false }
        let whole = bits >> UInt32(2 * padded)
        if padded == 1 { bytes.append(UInt8(truncatingIfNeeded: whole >> 8)) }
        bytes.append(UInt8(truncatingIfNeeded: whole))
        return true
    }
}
