internal import JSON
internal import VarlinkMessages

extension MessageText {
    /// Returns a reply. The body writes its parameters, which are an object.
    static func reply(continues: Bool, _ parameters: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("parameters" as StaticString)
        parameters(&writer)
        if continues { writer.member("continues", true) }
        writer.endObject()
        return writer.bytes
    }

    static func error(_ error: VarlinkError) -> [UInt8] {
        object("error", error.name, error.parametersJSON, flag: nil)
    }
}
