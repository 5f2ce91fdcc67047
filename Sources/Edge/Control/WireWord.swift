package import JSON

/// A value of an enumeration in the interface. A value that this version does not know is preserved, so that messages
/// of a later version can still be read and shown.
package protocol WireWord: RawRepresentable, Hashable, Sendable, JSONReadable, JSONWritable, CustomStringConvertible
where RawValue == String {
    init(rawValue: String)
}

extension WireWord {
    /// The value as it is sent.
    package var description: String { rawValue }

    /// Accepts unknown values; fails only if the JSON value is not a string.
    package init(json: JSONValue) throws(JSONError) {
        self.init(rawValue: try json.string())
    }

    package func write(to writer: inout JSONWriter) {
        writer.string(rawValue)
    }
}
