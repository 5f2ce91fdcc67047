package import JSON

/// A call as it arrives; its method reads the parameters.
package struct CallHead {
    package var method: String
    package var more: Bool
    package var oneway: Bool
    package var upgrade: Bool
    /// An object.
    package var parameters: JSONValue

    /// Reads a message without its NUL; nil when it is not a call.
    package init?(_ message: [UInt8], limit: Int) {
        do throws(JSONError) {
            var call = try JSONDocument(message, limit: limit).root.object()
            method = try call.read("method")
            more = try call.readIfPresent("more") ?? false
            oneway = try call.readIfPresent("oneway") ?? false
            upgrade = try call.readIfPresent("upgrade") ?? false
            parameters = call.member("parameters") ?? JSONDocument.emptyObject.root
            _ = try parameters.object()
        } catch {
            return nil
        }
    }
}

/// Puts messages together from parts that are JSON already.
enum MessageText {
    static func call(_ method: String, parametersJSON: [UInt8], more: Bool) -> [UInt8] {
        object("method", method, parametersJSON, flag: more ? "more" : nil)
    }

    static func reply(parametersJSON: [UInt8], continues: Bool) -> [UInt8] {
        var writer = JSONWriter(capacity: parametersJSON.count + 64)
        writer.beginObject()
        writer.key("parameters" as StaticString)
        writer.raw(parametersJSON)
        if continues { writer.member("continues", true) }
        writer.endObject()
        return writer.bytes
    }

    static func error(_ error: VarlinkError) -> [UInt8] {
        object("error", error.name, error.parametersJSON, flag: nil)
    }

    private static func object(
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
