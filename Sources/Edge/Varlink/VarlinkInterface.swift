internal import EventLoop

/// Who serves, as `org.varlink.service.GetInfo` answers it.
package struct ServiceInformation: Equatable, Sendable {
    package var vendor: String
    package var product: String
    package var version: String
    package var url: String

    /// The texts go to every client that asks, unchecked.
    package init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}

/// One method of an interface.
package struct VarlinkMethod: Sendable {
    /// Answers a call with ``VarlinkCall/reply(_:continues:)``, or with the error that it throws.
    ///
    /// A handler that returns without a last reply has answered an empty object. The next call of the same connection
    /// waits for its return.
    package typealias Handler = @LoopActor @Sendable (VarlinkCall) async throws(VarlinkError) -> Void

    enum Kind {
        case change
        case query
        /// It sends a stream of replies, so a call needs the flag `more`.
        case stream
    }

    let kind: Kind
    let handler: Handler

    /// Makes a method that answers once and may change something.
    package static func single(_ handler: @escaping Handler) -> VarlinkMethod {
        VarlinkMethod(kind: .change, handler: handler)
    }

    /// Makes a method that answers once and changes nothing: without an answer it need not be called.
    package static func query(_ handler: @escaping Handler) -> VarlinkMethod {
        VarlinkMethod(kind: .query, handler: handler)
    }

    /// Makes a method that sends a stream of replies and changes nothing. The reply to a call without the flag `more`
    /// is the error `ExpectedMore`.
    package static func stream(_ handler: @escaping Handler) -> VarlinkMethod {
        VarlinkMethod(kind: .stream, handler: handler)
    }
}

/// An interface that a server offers.
package struct VarlinkInterface: Sendable {
    package let name: String
    /// In Varlink's definition language.
    package let description: String
    /// By name, without that of the interface. A method of the description that is not here is answered as not found.
    package let methods: [String: VarlinkMethod]

    /// Methods that only the description has are answered as not found.
    package init(name: String, description: String, methods: [String: VarlinkMethod]) {
        self.name = name
        self.description = description
        self.methods = methods
    }
}
