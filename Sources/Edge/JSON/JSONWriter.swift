/// A type that can be written as JSON.
package protocol JSONWritable {
    func write(to writer: inout JSONWriter)
}

/// A writer of JSON, on one line without spaces, with members in the order of the calls.
///
/// Control characters are escaped, even those that JSON would allow, so that the text is safe on a terminal.
package struct JSONWriter: Sendable {
    /// The text written so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: the number of bytes to reserve.
    package init(capacity: Int = 1_024) {
        bytes.reserveCapacity(capacity)
    }

    /// Returns the JSON text of a value.
    package static func text(of value: some JSONWritable) -> [UInt8] {
        var writer = JSONWriter()
        value.write(to: &writer)
        return writer.bytes
    }

    /// Begins an object; members follow, then ``endObject()``.
    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
    }

    /// Begins an array; values follow, then ``endArray()``.
    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
    }

    /// Begins a member of an object; its value must follow.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Begins a member of an object; its value must follow. The name needs no escapes.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        if name.hasPointerRepresentation {
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a member of an object; null if there is no value.
    package mutating func member(_ name: StaticString, _ value: (some JSONWritable)?) {
        key(name)
        if let value { value.write(to: &self) } else { null() }
    }

    /// Writes a string member. Most members are strings, so they have a function that is not generic: generic code
    /// would look up the type each time.
    package mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a number member.
    package mutating func member(_ name: StaticString, _ value: Int?) {
        key(name)
        if let value { integer(Int64(value)) } else { null() }
    }

    /// Writes a string. Control characters, and other characters that could change how a terminal shows the text, are
    /// escaped.
    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        // Nearly all texts are ASCII without anything to escape, and a list has thousands of them.
        if text.utf8.allSatisfy({ $0 &- 0x20 < 0x5F && $0 != 0x22 && $0 != 0x5C }) {
            bytes.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars { append(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func integer(_ number: Int64) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
    }

    package mutating func bool(_ flag: Bool) {
        separate()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a value that is already JSON.
    package mutating func raw(_ text: [UInt8]) {
        separate()
        bytes.append(contentsOf: text)
    }

    /// Writes the comma between two members or elements, unless the last byte begins a container or follows a key.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x22, 0x5C: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: scalar)])
        case 0x20..<0x7F: bytes.append(UInt8(ascii: scalar))
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case _ where Self.canSteerTerminal(scalar): for unit in scalar.utf16 { appendEscape(unit) }
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// True for control and format characters, such as those that change the writing direction, and for line and
    /// paragraph separators. It also returns true for printable ASCII, which the caller must handle first.
    private static func canSteerTerminal(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0xA0 else { return true }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Appends an escape such as `\u001b`.
    private mutating func appendEscape(_ unit: UInt16) {
        bytes.append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] as [UInt16] {
            let digit = UInt8(truncatingIfNeeded: unit &>> shift & 0xF)
            bytes.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
        }
    }
}
