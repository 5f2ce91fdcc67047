internal import CSimdJSON.Documents

/// A type that can be read from a JSON value.
package protocol JSONReadable {
    /// - Throws: ``JSONError`` with the path from `json` to the fault.
    init(json: JSONValue) throws(JSONError)
}

/// A value in a ``JSONDocument``.
package struct JSONValue: Sendable {
    let document: JSONDocument
    /// The position of the value's node.
    let position: Int

    package var isNull: Bool { kind == CSIMDJSON_NODE_NULL }

    /// The JSON text of the value.
    package var text: [UInt8] {
        kind == CSIMDJSON_NODE_STRING
            ? Array(document.text[(range.lowerBound - 1)..<(range.upperBound + 1)]) : Array(document.text[range])
    }

    /// Returns the text of a string.
    package func string() throws(JSONError) -> String {
        guard kind == CSIMDJSON_NODE_STRING else { throw JSONError(.mismatch(expected: "a string")) }
        return decodedString
    }

    /// - Throws: ``JSONError`` for anything but `true` and `false`.
    package func bool() throws(JSONError) -> Bool {
        switch kind {
        case CSIMDJSON_NODE_TRUE: return true
        case CSIMDJSON_NODE_FALSE: return false
        default: throw JSONError(.mismatch(expected: "true or false"))
        }
    }

    /// Returns the value of a number that has neither a fraction nor an exponent and fits into 64 bits.
    package func integer() throws(JSONError) -> Int {
        guard let number = Int(try numberText()) else { throw JSONError(.mismatch(expected: "a 64-bit integer")) }
        return number
    }

    /// Returns the text of a number, exactly as it is written.
    package func numberText() throws(JSONError) -> String {
        guard kind == CSIMDJSON_NODE_NUMBER else { throw JSONError(.mismatch(expected: "a number")) }
        return textInRange
    }

    /// Returns the elements of an array.
    package func array<Element: JSONReadable>(
        of type: Element.Type = Element.self
    ) throws(JSONError) -> [Element] {
        guard kind == CSIMDJSON_NODE_ARRAY else { throw JSONError(.mismatch(expected: "an array")) }
        var elements: [Element] = []
        elements.reserveCapacity(elementCount)
        var place = position + 1
        while place < end {
            let value = JSONValue(document: document, position: place)
            do throws(JSONError) {
                elements.append(try Element(json: value))
            } catch {
                throw error.inside(element: elements.count)
            }
            place = value.end
        }
        return elements
    }

    /// The number of elements of an array.
    private var elementCount: Int {
        var count = 0
        var place = position + 1
        while place < end {
            count += 1
            place = Int(document.nodes[place].end)
        }
        return count
    }

    /// Returns an object, whose members are read by name.
    package func object() throws(JSONError) -> JSONObject {
        guard kind == CSIMDJSON_NODE_OBJECT else { throw JSONError(.mismatch(expected: "an object")) }
        return JSONObject(self)
    }

    var kind: Int { Int(node.kind) }

    /// The position of the first node that is not inside this value.
    var end: Int { Int(node.end) }

    /// The text of a string node, with its escapes decoded; meaningless for other nodes.
    var decodedString: String { node.has_escapes == 0 ? textInRange : unescaped(document.text[range]) }

    private var node: csimdjson_node { document.nodes[position] }

    private var range: Range<Int> {
        let node = node
        return Int(node.offset)..<(Int(node.offset) + Int(node.length))
    }

    private var textInRange: String {
        let range = range
        return unsafe document.text.withUnsafeBufferPointer { bytes in
            unsafe String(decoding: bytes[range], as: UTF8.self)
        }
    }
}

/// Decodes the escapes of a string, which were checked when the document was read.
private func unescaped(_ text: ArraySlice<UInt8>) -> String {
    var units: [UInt8] = []
    units.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "\\"), let sign = rest.popFirst() else {
            units.append(byte)
            continue
        }
        switch sign {
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"): units.append(contentsOf: String(consumeScalar(&rest)).utf8)
        default: units.append(sign)
        }
    }
    return String(decoding: units, as: UTF8.self)
}

/// Consumes the digits of one code unit, or of a pair of them: `d83d\ude00`.
private func consumeScalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
    let high = consumeUnit(&rest)
    if let scalar = Unicode.Scalar(high) { return scalar }
    rest = rest.dropFirst(2)
    let low = consumeUnit(&rest)
    return Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF) ?? "\u{FFFD}"
}

private func consumeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
    defer { rest = rest.dropFirst(4) }
    return UInt32(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD
}
