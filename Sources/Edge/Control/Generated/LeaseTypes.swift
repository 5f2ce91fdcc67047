// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The lease that decides which of several daemons notifies.
package struct LeaseStatus: Equatable, Sendable {
    /// The name of this daemon.
    package var name: String
    package var state: ControlInterface.LeaseState
    /// The name of the other daemon that was last seen holding the lease; nil if it was this one, or none.
    package var holder: String?
    /// Why the last attempt to renew or read the lease failed; nil if it succeeded.
    package var message: String?

    package init(name: String, state: ControlInterface.LeaseState, holder: String? = nil, message: String? = nil) {
        self.name = name
        self.state = state
        self.holder = holder
        self.message = message
    }
}

extension LeaseStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        name = try object.read("name")
        state = try object.read("state")
        holder = try object.readIfPresent("holder")
        message = try object.readIfPresent("message")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("state", state)
        writer.member("holder", holder)
        writer.member("message", message)
        writer.endObject()
    }
}
