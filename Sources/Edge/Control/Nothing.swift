package import JSON

/// The parameters of a method without parameters, and a reply without values: an empty object.
package struct Nothing: Equatable, Sendable {
    package init() {}
}

extension Nothing: JSONReadable, JSONWritable {
    /// Accepts an object with any members, and ignores them.
    package init(json: JSONValue) throws(JSONError) {
        _ = try json.object()
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.endObject()
    }
}
