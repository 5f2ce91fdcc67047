/// A key or a mouse action of a user at a terminal.
package enum Key: Equatable, Sendable {
    case character(Character)
    case enter
    case escape
    case tab
    case backTab
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    /// Up or down with the shift key.
    case shiftUp
    case shiftDown
    /// A letter with the control key.
    case control(Character)
    /// The left button was pressed at this position; row and column count from 0.
    case click(row: Int, column: Int)
    case wheelUp
    case wheelDown
}

/// A parser that finds keys in the bytes from a terminal. Unknown sequences are skipped as a whole.
package struct KeyParser: Sendable {
    /// The length beyond which an incomplete sequence is discarded. No sequence with a meaning is longer.
    private static let longest = 64

    private var bytes: [UInt8] = []
    /// The background in the last answer of the terminal.
    private(set) var background: BackgroundColor?

    package init() {}

    /// True if the last bytes may be the beginning of a key, or the escape key alone. If nothing follows soon, call
    /// ``finish()``.
    package var isWaiting: Bool { !bytes.isEmpty && !isInAnswer }

    /// True if the last bytes are the beginning of an answer such as `ESC ] 11 ;`. The rest may arrive slowly, and
    /// must not be mistaken for keys.
    private var isInAnswer: Bool {
        bytes.count > 2 && bytes.starts(with: [0x1B, UInt8(ascii: "]")]) && bytes[2] &- 0x30 < 10
    }

    /// Returns the keys that are complete.
    package mutating func keys(_ input: some Sequence<UInt8>) -> [Key] {
        bytes += input
        var keys: [Key] = []
        while let (key, count) = next() {
            if bytes.starts(with: [0x1B, 0x5D]) {
                background = BackgroundColor(answer: bytes[2..<count].prefix { $0 >= 0x20 }) ?? background
            }
            bytes.removeFirst(count)
            if let key { keys.append(key) }
        }
        if bytes.count > Self.longest { bytes.removeAll() }
        return keys
    }

    /// Returns the keys that are left if no more bytes follow: an escape key, and the keys after it.
    package mutating func finish() -> [Key] {
        guard isWaiting else { return [] }
        let isEscape = bytes[0] == 0x1B
        bytes.removeFirst()
        return (isEscape ? [.escape] : []) + keys([])
    }

    /// Returns the first key and its length in bytes. The key is nil for a sequence to skip. Returns nil if the
    /// sequence is not complete.
    private func next() -> (key: Key?, count: Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x1B: return sequence()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 1...26: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
        case 0x20..<0x7F: return (.character(Character(Unicode.Scalar(first))), 1)
        case 0x80...: return text()
        default: return (nil, 1)
        }
    }

    /// Parses a character beyond ASCII.
    private func text() -> (key: Key?, count: Int)? {
        let length =
            switch bytes[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard bytes.count >= length else { return nil }
        let text = String(validating: bytes[..<length], as: UTF8.self)
        guard let character = text?.first, text?.count == 1 else { return (nil, 1) }
        return (.character(character), length)
    }

    private func sequence() -> (key: Key?, count: Int)? {
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        case UInt8(ascii: "["):
            let body = bytes.dropFirst(2)
            guard let end = body.firstIndex(where: { $0 >= 0x40 && $0 < 0x7F }) else { return nil }
            return (Self.key(Array(body[..<end]), final: bytes[end]), end + 1)
        case UInt8(ascii: "O"):
            guard bytes.count > 2 else { return nil }
            return (Self.key([], final: bytes[2]), 3)
        case 0x1B: return (.escape, 1)
        // An answer of the terminal, up to BEL or ESC \.
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"):
            guard let end = bytes.dropFirst(2).firstIndex(where: { $0 == 0x07 || $0 == 0x1B }) else { return nil }
            guard bytes[end] == 0x1B else { return (nil, end + 1) }
            guard bytes.count > end + 1 else { return nil }
            return (nil, bytes[end + 1] == UInt8(ascii: "\\") ? end + 2 : end)
        // A key with Alt.
        default: return (nil, 2)
        }
    }

    private static func key(_ parameters: [UInt8], final: UInt8) -> Key? {
        let text = String(decoding: parameters, as: UTF8.self)
        let isShifted = text.hasSuffix(";2")
        switch Character(Unicode.Scalar(final)) {
        case "A": return isShifted ? .shiftUp : .up
        case "B": return isShifted ? .shiftDown : .down
        case "C": return .right
        case "D": return .left
        case "H": return .home
        case "F": return .end
        case "Z": return .backTab
        case "M" where text.hasPrefix("<"): return mouse(text)
        case "~": return numbered[text]
        default: return nil
        }
    }

    /// The keys whose sequences end with `~`.
    private static let numbered: [String: Key] = [
        "1": .home, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
    ]

    /// Parses `<0;12;5`: the button, the column and the row.
    private static func mouse(_ text: String) -> Key? {
        let numbers = text.dropFirst().split(separator: ";").compactMap { Int($0) }
        let places = 1...10_000
        guard numbers.count == 3, places.contains(numbers[1]), places.contains(numbers[2]) else { return nil }
        switch numbers[0] {
        case 0: return .click(row: numbers[2] - 1, column: numbers[1] - 1)
        case 64: return .wheelUp
        case 65: return .wheelDown
        default: return nil
        }
    }
}
