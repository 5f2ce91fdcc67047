extension [UInt8] {
    /// Appends the text as UTF-8, with everything escaped that could act on a terminal or begin a new line: C0 and C1
    /// control characters, DEL, and U+2028 and U+2029. The result is always one line.
    package mutating func append(escaping text: String) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20..<0x7F: append(UInt8(ascii: scalar))
            case 0x09: append(contentsOf: "\\t".utf8)
            case 0x0A: append(contentsOf: "\\n".utf8)
            case 0x0D: append(contentsOf: "\\r".utf8)
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: appendEscape(UInt16(truncatingIfNeeded: scalar.value))
            default: append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// Appends an escape such as `\u001b`.
    private mutating func appendEscape(_ unit: UInt16) {
        append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] as [UInt16] {
            let digit = UInt8(truncatingIfNeeded: unit &>> shift & 0xF)
            append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
        }
    }
}
