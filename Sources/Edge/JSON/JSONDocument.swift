internal import CSimdJSON.Documents
internal import Glibc

/// A JSON text that was checked as a whole: strict JSON in valid UTF-8, with limits on its size and nesting.
///
/// Values are decoded from the text when they are read. If an object has equal keys, it is not defined which value is
/// read.
package final class JSONDocument: Sendable {
    /// The deepest nesting of arrays and objects. The messages of alertd have five levels.
    package static let maximumDepth = 32

    /// The original text.
    package let text: [UInt8]
    let nodes: [csimdjson_node]

    /// Parses a text and checks all of it.
    ///
    /// - Parameters:
    ///   - text: one JSON value; white space around it is allowed.
    ///   - limit: the longest text that is accepted, in bytes.
    /// - Throws: ``JSONError`` if it is longer, nested too deeply, not UTF-8 or not JSON.
    package init(_ text: [UInt8], limit: Int) throws(JSONError) {
        guard text.count <= limit else { throw JSONError(.tooLong(limit: limit)) }
        self.text = text
        nodes = try Self.read(text)
    }

    /// The document `{}`.
    package static let emptyObject = JSONDocument(
        text: Array("{}".utf8),
        node: csimdjson_node(offset: 0, length: 2, end: 1, kind: UInt8(CSIMDJSON_NODE_OBJECT), has_escapes: 0))

    private init(text: [UInt8], node: csimdjson_node) {
        self.text = text
        nodes = [node]
    }

    /// The value of the whole text.
    package var root: JSONValue { JSONValue(document: self, position: 0) }

    /// Returns true if the node is a string with exactly this text.
    func hasString(_ key: StaticString, at position: Int) -> Bool {
        let node = nodes[position]
        guard node.has_escapes == 0 else {
            return JSONValue(document: self, position: position).decodedString == "\(key)"
        }
        let count = Int(node.length)
        guard count == key.utf8CodeUnitCount, key.hasPointerRepresentation else { return false }
        let start = Int(node.offset)
        return unsafe text.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return false }
            return unsafe memcmp(first + start, key.utf8Start, count) == 0
        }
    }

    private static func read(_ text: [UInt8]) throws(JSONError) -> [csimdjson_node] {
        var result = CSIMDJSON_DOCUMENT_MEMORY
        let nodes = unsafe text.withUnsafeBufferPointer { buffer -> [csimdjson_node] in
            guard let base = buffer.baseAddress, let reader = unsafe csimdjson_document_new() else { return [] }
            defer { unsafe csimdjson_document_free(reader) }
            var most = 0
            result = Int(unsafe csimdjson_document_index(reader, base, buffer.count, &most))
            guard result == CSIMDJSON_DOCUMENT_GOOD else { return [] }
            return unsafe [csimdjson_node](unsafeUninitializedCapacity: most) { nodes, count in
                guard let first = nodes.baseAddress else { return }
                result = Int(unsafe csimdjson_document_read(reader, UInt32(maximumDepth), first, &count))
            }
        }
        switch result {
        case CSIMDJSON_DOCUMENT_GOOD: return nodes
        case CSIMDJSON_DOCUMENT_INVALID_TEXT: throw JSONError(.invalidText)
        case CSIMDJSON_DOCUMENT_TOO_DEEP: throw JSONError(.tooDeep)
        case CSIMDJSON_DOCUMENT_MEMORY where !text.isEmpty: throw JSONError(.outOfMemory)
        default: throw JSONError(.malformed)
        }
    }
}
