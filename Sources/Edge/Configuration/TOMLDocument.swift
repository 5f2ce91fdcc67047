internal import CTOML

/// A position in a text. Line and column count from 1, the column in Unicode scalars. Both are 0 for the whole text.
struct TextPosition: Hashable, Sendable {
    var line: Int
    var column: Int
    /// The index of the text, if several texts are read as one.
    var file = 0

    static let whole = TextPosition(line: 0, column: 0)
}

extension TextPosition: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// A value in a TOML text, and its position.
struct TOMLNode: Sendable {
    var value: TOMLValue
    var position: TextPosition
    /// The last line of the value, or of the header for a table that has one.
    var lastLine: Int
}

/// A TOML value. Floats and dates have no payload: numbers and dates are read from the text.
enum TOMLValue: Sendable {
    case table([TOMLEntry])
    case array([TOMLNode])
    case string(String)
    case integer(Int64)
    case float
    case boolean(Bool)
    case dateTime
}

/// A key of a table, its position, and its value.
struct TOMLEntry: Sendable {
    var key: String
    var keyPosition: TextPosition
    var node: TOMLNode
}

/// The result of parsing a TOML text: the entries of its root table in the order of the text, or the first fault.
enum TOMLDocument {
    case table([TOMLEntry])
    case malformed(String, TextPosition)

    /// Parses a text, which may be arbitrary bytes.
    init(parsing text: [UInt8]) {
        let parsed = unsafe text.withUnsafeBytes { bytes in
            unsafe ctoml_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard let document = unsafe parsed else {
            self = .malformed("not enough memory to read it", .whole)
            return
        }
        defer { unsafe ctoml_free(document) }
        var count = 0
        let nodes = unsafe UnsafeBufferPointer(start: ctoml_nodes(document, &count), count: count)
        var reader = unsafe NodeReader(nodes: nodes)
        guard let root = reader.next(), case .table(let entries) = root.node.value else {
            var position = ctoml_position()
            let message = unsafe ctoml_error(document, &position)
            self = unsafe .malformed(String(copying: message), TextPosition(position))
            return
        }
        self = .table(entries)
    }
}

/// A reader that turns the flat list of nodes into a tree. It recurses as deep as the document, whose depth
/// ``ctoml_parse`` limits.
@safe private struct NodeReader {
    private let nodes: UnsafeBufferPointer<ctoml_node>
    private var index = 0

    init(nodes: UnsafeBufferPointer<ctoml_node>) {
        unsafe self.nodes = nodes
    }

    /// Returns the next node with all its descendants, or nil at the end. The key is empty if the node has none.
    mutating func next() -> TOMLEntry? {
        guard unsafe index < nodes.count else { return nil }
        let node = unsafe nodes[index]
        index += 1
        let value = unsafe value(of: node)
        return unsafe TOMLEntry(
            key: String(copying: node.key), keyPosition: TextPosition(node.key_position),
            node: TOMLNode(value: value, position: TextPosition(node.position), lastLine: Int(node.end.line)))
    }

    private mutating func value(of node: ctoml_node) -> TOMLValue {
        switch unsafe node.kind {
        case CTOML_TABLE:
            var entries = unsafe children(node.child_count)
            entries.sort { $0.keyPosition < $1.keyPosition }
            return .table(entries)
        case CTOML_ARRAY: return unsafe .array(children(node.child_count).map(\.node))
        case CTOML_STRING: return unsafe .string(String(copying: node.string))
        case CTOML_INTEGER: return unsafe .integer(node.integer)
        case CTOML_FLOAT: return .float
        case CTOML_BOOLEAN: return unsafe .boolean(node.boolean)
        default: return .dateTime
        }
    }

    private mutating func children(_ count: Int) -> [TOMLEntry] {
        var children: [TOMLEntry] = []
        children.reserveCapacity(count)
        while children.count < count, let child = next() { children.append(child) }
        return children
    }
}

extension String {
    fileprivate init(copying text: ctoml_text) {
        let bytes = unsafe UnsafeRawBufferPointer(start: text.bytes, count: text.count)
        self = unsafe String(decoding: bytes, as: UTF8.self)
    }
}

extension TextPosition {
    fileprivate init(_ position: ctoml_position) {
        self.init(line: Int(position.line), column: Int(position.column))
    }
}

extension SettingsLoader {
    /// Returns the memory that reading needed to the system, for a process that keeps running. With 10,000 rules,
    /// this is a quarter of the memory of the process.
    package static func releaseMemory() {
        ctoml_trim_heap()
    }
}
