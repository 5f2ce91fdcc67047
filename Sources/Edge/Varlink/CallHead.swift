package import JSON

/// A call as it arrives; its method reads the parameters.
package struct CallHead {
    /// The full name of the method: `org.alertd.Control.Status`.
    package var method: String
    /// Whether the caller accepts a stream of replies.
    package var more: Bool
    /// Whether the caller wants no reply.
    package var oneway: Bool
    /// Whether the caller wants to switch to another protocol, which no method here offers.
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
