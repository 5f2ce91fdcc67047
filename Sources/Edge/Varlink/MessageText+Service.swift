internal import JSON
internal import VarlinkMessages

extension MessageText {
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
}
