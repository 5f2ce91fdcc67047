package import JSON

/// A received call. The method reads its parameters.
package struct CallHead {
    /// The full name of the method: `org.alertd.Control.Status`.
    package var method: String
    /// True if the caller accepts a stream of replies.
    package var more: Bool
    /// True if the caller wants no reply.
    package var oneway: Bool
    /// True if the caller wants to switch to another protocol, which no method here supports.
    package var upgrade: Bool
    /// The parameters, which are an object.
    package var parameters: JSONValue

    /// Reads a message without its NUL. Returns nil if it is not a call.
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
