/// Looks at JSON text without building anything of it. What is no JSON gives an answer without meaning, never a trap.
enum JSONOutline {
    /// The deepest nesting that is read; our own messages have 5 levels.
    static let maximumDepth = 32

    /// Whether arrays and objects lie in each other deeper than ``maximumDepth``.
    static func isTooDeep(_ text: [UInt8]) -> Bool {
        var depth = 0
        var deepest = 0
        forEachOutsideStrings(text) { _, byte in
            if isOpening(byte) { depth += 1 }
            if isClosing(byte) { depth -= 1 }
            deepest = max(deepest, depth)
        }
        return deepest > maximumDepth
    }

    /// The text of a member's value in an object; nil when the object has no such member. The key is compared as it is
    /// written, so that one with an escape is not found.
    static func member(_ key: String, of object: [UInt8]) -> ArraySlice<UInt8>? {
        let quoted = Array("\"\(key)\"".utf8)
        var depth = 0
        var start = 0
        var value: Int?
        var found: ArraySlice<UInt8>?
        forEachOutsideStrings(object) { index, byte in
            if isOpening(byte) { depth += 1 }
            if isClosing(byte) { depth -= 1 }
            let ends = depth == 1 && byte == UInt8(ascii: ",") || depth == 0 && isClosing(byte)
            if depth == 1, byte == UInt8(ascii: ":"), value == nil {
                if trimmed(object[start..<index]).elementsEqual(quoted) { value = index + 1 }
            } else if ends, let from = value, found == nil {
                found = trimmed(object[from..<index])
            }
            if ends || depth == 1 && byte == UInt8(ascii: "{") { start = index + 1 }
        }
        return found
    }

    /// Whether a control character other than a line break or tab is in the UTF-8 text as such, not as an escape: it
    /// could steer a terminal.
    static func hasBareControlCharacter(_ text: [UInt8]) -> Bool {
        var previous: UInt8 = 0
        for byte in text {
            if byte < 0x20 && !isSpace(byte) || byte == 0x7F { return true }
            // U+0080 to U+009F.
            if previous == 0xC2, byte < 0xA0 { return true }
            previous = byte
        }
        return false
    }

    private static func forEachOutsideStrings(_ text: [UInt8], _ visit: (Int, UInt8) -> Void) {
        var isInString = false
        var isEscaped = false
        for index in text.indices {
            let byte = text[index]
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if isInString {
                isEscaped = byte == UInt8(ascii: "\\")
            } else {
                visit(index, byte)
            }
        }
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let front = text.drop(while: isSpace)
        return front.prefix((front.lastIndex { !isSpace($0) } ?? front.startIndex - 1) + 1 - front.startIndex)
    }

    private static func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    private static func isClosing(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
