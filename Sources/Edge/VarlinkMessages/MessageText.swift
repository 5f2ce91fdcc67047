internal import JSON

/// A builder of messages from parts that are already JSON.
package enum MessageText {
    /// Returns a call. With `more`, the reply may be a stream.
    package static func call(_ method: String, parametersJSON: [UInt8], more: Bool) -> [UInt8] {
        object("method", method, parametersJSON, flag: more ? "more" : nil)
    }

    /// Returns an object with a string, the parameters, and a flag that is true.
    package static func object(
        _ key: StaticString, _ value: String, _ parametersJSON: [UInt8], flag: StaticString?
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: parametersJSON.count + 256)
        writer.beginObject()
        writer.member(key, value)
        writer.key("parameters" as StaticString)
        writer.raw(parametersJSON)
        if let flag { writer.member(flag, true) }
        writer.endObject()
        return writer.bytes
    }
}
