internal import EventLoop

/// The identity of a service, as `org.varlink.service.GetInfo` returns it.
package struct ServiceInformation: Equatable, Sendable {
    package var vendor: String
    package var product: String
    package var version: String
    package var url: String

    /// Creates an identity. The texts are sent to every client that asks, and are not checked.
    package init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}

/// One method of an interface.
package struct VarlinkMethod: Sendable {
    /// A function that answers a call with ``VarlinkCall/reply(_:continues:)``, or with the error that it throws.
    ///
    /// If a handler returns without a last reply, the reply is an empty object. The next call on the same connection
    /// waits until the handler returns.
    package typealias Handler = @LoopActor @Sendable (VarlinkCall) async throws(VarlinkError) -> Void

    enum Kind {
        case change
        case query
        /// Sends a stream of replies, so a call needs the flag `more`.
        case stream
    }

    let kind: Kind
    let handler: Handler

    /// Creates a method that replies once and may change something.
    package static func single(_ handler: @escaping Handler) -> VarlinkMethod {
        VarlinkMethod(kind: .change, handler: handler)
    }

    /// Creates a method that replies once and changes nothing, so a call that wants no reply is not executed.
    package static func query(_ handler: @escaping Handler) -> VarlinkMethod {
        VarlinkMethod(kind: .query, handler: handler)
    }

    /// Creates a method that sends a stream of replies and changes nothing. The reply to a call without the flag
    /// `more` is the error `ExpectedMore`.
    package static func stream(_ handler: @escaping Handler) -> VarlinkMethod {
        VarlinkMethod(kind: .stream, handler: handler)
    }
}

/// An interface that a server offers.
package struct VarlinkInterface: Sendable {
    package let name: String
    /// The description in Varlink's interface definition language.
    package let description: String
    /// The methods by name, without the name of the interface. A call of a method that is only in the description
    /// gets the error `MethodNotFound`.
    package let methods: [String: VarlinkMethod]

    package init(name: String, description: String, methods: [String: VarlinkMethod]) {
        self.name = name
        self.description = description
        self.methods = methods
    }
}
