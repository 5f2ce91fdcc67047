/// The header of a response. Its text is searched for each field, because very few fields are ever read.
package struct ResponseHeader: Sendable {
    private static let lineFeed: UInt8 = 0x0A
    /// The lines, each with a line feed at its end.
    private var text: [UInt8] = []

    init() {}

    /// Creates a header with these fields, by name.
    init(_ fields: [String: String]) {
        text = Array(fields.map { "\($0.key):\($0.value)\n" }.joined().utf8)
    }

    /// Appends a line, with or without its line end.
    mutating func append(line: UnsafeRawBufferPointer) {
        unsafe text.append(contentsOf: line)
        if text.last != Self.lineFeed { text.append(Self.lineFeed) }
    }

    /// The value of a field without surrounding white space; the last value if several fields have the same name.
    ///
    /// - Parameter name: in lower case.
    package subscript(name: String) -> String? {
        let name = Array(name.utf8)
        var found: Range<Int>?
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: Self.lineFeed) ?? text.count
            let colon = start + name.count
            if colon < end, text[colon] == 0x3A, isName(name, at: start) { found = colon + 1..<end }
            start = end + 1
        }
        return found.map { String(decoding: trimmed(text[$0]), as: UTF8.self) }
    }

    private func isName(_ name: [UInt8], at start: Int) -> Bool {
        name.indices.allSatisfy { index in
            let byte = text[start + index]
            return ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == name[index]
        }
    }

    private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var rest = bytes.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}
