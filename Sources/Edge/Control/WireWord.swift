package import JSON

/// A word of an enumeration of the interface. A word that this version does not know is kept as it is, so that what a
/// later version sends can still be read and shown.
package protocol WireWord: RawRepresentable, Hashable, Sendable, JSONReadable, JSONWritable, CustomStringConvertible
where RawValue == String {
    init(rawValue: String)
}

extension WireWord {
    /// The word as it is on the wire.
    package var description: String { rawValue }

    /// A word that is not known is kept as it is; only what is not a string is an error.
    package init(json: JSONValue) throws(JSONError) {
        self.init(rawValue: try json.string())
    }

    package func write(to writer: inout JSONWriter) {
        writer.string(rawValue)
    }
}
