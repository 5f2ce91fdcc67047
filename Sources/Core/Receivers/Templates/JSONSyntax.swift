/// A reader that finds the first syntax error of a JSON text (RFC 8259). The error is only shown to people; requests
/// are sent anyway.
package struct JSONSyntax {
    /// The maximum nesting depth.
    private static let limitDepth = 32

    /// A syntax error, and its byte offset.
    package struct Fault: Error, Equatable, Sendable {
        package var text: String
        package var offset: Int
    }

    private let bytes: [UInt8]
    private var place = 0

    /// Returns the first syntax error of a text; nil if it is valid JSON.
    package static func fault(in bytes: [UInt8]) -> Fault? {
        var reader = JSONSyntax(bytes: bytes)
        do throws(Fault) {
            try reader.readValue(depth: 0)
            reader.skipSpace()
            if reader.place < bytes.count { try reader.fail("text after its end") }
            return nil
        } catch {
            return error
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func fail(_ text: String) throws(Fault) -> Never {
        throw Fault(text: place < bytes.count ? text : "it ends too early", offset: place)
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
    }

    private mutating func readValue(depth: Int) throws(Fault) {
        guard depth < Self.limitDepth else { try fail("too many objects and lists inside each other") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): try readObject(depth)
        case UInt8(ascii: "["): try readArray(depth)
        case UInt8(ascii: "\""): try readString()
        case UInt8(ascii: "t"): try readWord("true")
        case UInt8(ascii: "f"): try readWord("false")
        case UInt8(ascii: "n"): try readWord("null")
        case let byte? where byte == UInt8(ascii: "-") || byte &- 0x30 < 10: try readNumber()
        default: try fail("a value is missing")
        }
    }

    private mutating func readObject(_ depth: Int) throws(Fault) {
        place += 1
        skipSpace()
        if next == UInt8(ascii: "}") {
            place += 1
            return
        }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { try fail("a name in quotes is missing") }
            try readString()
            skipSpace()
            guard next == UInt8(ascii: ":") else { try fail("a colon is missing") }
            place += 1
            try readValue(depth: depth + 1)
            skipSpace()
            if next == UInt8(ascii: "}") { break }
            guard next == UInt8(ascii: ",") else { try fail("a comma or } is missing") }
            place += 1
        }
        place += 1
    }

    private mutating func readArray(_ depth: Int) throws(Fault) {
        place += 1
        skipSpace()
        if next == UInt8(ascii: "]") {
            place += 1
            return
        }
        while true {
            try readValue(depth: depth + 1)
            skipSpace()
            if next == UInt8(ascii: "]") { break }
            guard next == UInt8(ascii: ",") else { try fail("a comma or ] is missing") }
            place += 1
        }
        place += 1
    }

    private mutating func readString() throws(Fault) {
        place += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { try fail("a line end or control character in a string; write \\n") }
            guard byte == UInt8(ascii: "\\") else {
                place += 1
                continue
            }
            let escape = place + 1 < bytes.count ? bytes[place + 1] : 0
            guard "\"\\/bfnrtu".utf8.contains(escape) else { try fail("an unknown escape in a string") }
            let isHex = { (byte: UInt8) in byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }
            let hex = bytes.dropFirst(place + 2).prefix(4)
            guard escape != UInt8(ascii: "u") || hex.count == 4 && hex.allSatisfy(isHex) else {
                try fail("an unknown escape in a string")
            }
            place += escape == UInt8(ascii: "u") ? 6 : 2
        }
        guard next != nil else { try fail("") }
        place += 1
    }

    private mutating func readWord(_ word: StaticString) throws(Fault) {
        let text = Array("\(word)".utf8)
        guard bytes.dropFirst(place).starts(with: text) else { try fail("a value without quotes") }
        place += text.count
    }

    private mutating func readDigits() throws(Fault) {
        guard let byte = next, byte &- 0x30 < 10 else { try fail("a number without digits") }
        while let byte = next, byte &- 0x30 < 10 { place += 1 }
    }

    private mutating func readNumber() throws(Fault) {
        if next == UInt8(ascii: "-") { place += 1 }
        if next == UInt8(ascii: "0") { place += 1 } else { try readDigits() }
        if next == UInt8(ascii: ".") {
            place += 1
            try readDigits()
        }
        guard let byte = next, byte | 0x20 == UInt8(ascii: "e") else { return }
        place += 1
        if let sign = next, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { place += 1 }
        try readDigits()
    }
}
