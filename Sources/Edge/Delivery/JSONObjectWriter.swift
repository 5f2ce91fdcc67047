internal import Journal

/// Writes one JSON object, key by key, in the order of the calls.
struct JSONObjectWriter {
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    init() {
        bytes.reserveCapacity(1_024)
        bytes.append(UInt8(ascii: "{"))
    }

    mutating func field(_ key: StaticString, _ text: String?) {
        begin(key)
        guard let text else { return null() }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(escaping: text, json: true)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func field(_ key: StaticString, _ number: Int64?) {
        begin(key)
        guard let number else { return null() }
        bytes.append(contentsOf: String(number).utf8)
    }

    mutating func field(_ key: StaticString, _ flag: Bool) {
        begin(key)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// A field whose value is an object in itself; null when there is none.
    mutating func field(_ key: StaticString, object: JSONObjectWriter?) {
        begin(key)
        guard var object else { return null() }
        object.close()
        bytes.append(contentsOf: object.bytes)
    }

    /// Ends the object and the line.
    consuming func line() -> [UInt8] {
        close()
        bytes.append(0x0A)
        return bytes
    }

    private mutating func close() {
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func begin(_ key: StaticString) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: "\(key)".utf8)
        bytes.append(contentsOf: "\":".utf8)
    }

    private mutating func null() {
        bytes.append(contentsOf: "null".utf8)
    }
}
