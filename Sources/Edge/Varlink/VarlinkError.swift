package import JSON

/// An error that a method replies with: its full name and its parameters.
package struct VarlinkError: Error, Equatable, Sendable {
    /// The full name: `org.varlink.service.PermissionDenied`.
    package let name: String
    /// The parameters as one JSON object.
    package let parametersJSON: [UInt8]

    /// Creates an error with a full name, such as `org.varlink.service.PermissionDenied`.
    package init(_ name: String, _ parameters: some JSONWritable) {
        self.name = name
        parametersJSON = JSONWriter.text(of: parameters)
    }

    /// Creates an error with a full name, without parameters.
    package init(_ name: String) {
        self.name = name
        parametersJSON = Array("{}".utf8)
    }
}

extension VarlinkError {
    /// The full names of the errors that every service may reply with.
    package enum Standard: String, CaseIterable, Sendable {
        case interfaceNotFound = "org.varlink.service.InterfaceNotFound"
        case methodNotFound = "org.varlink.service.MethodNotFound"
        case methodNotImplemented = "org.varlink.service.MethodNotImplemented"
        case invalidParameter = "org.varlink.service.InvalidParameter"
        case permissionDenied = "org.varlink.service.PermissionDenied"
        case expectedMore = "org.varlink.service.ExpectedMore"
    }

    /// The caller is not allowed to call the method.
    package static let permissionDenied = VarlinkError(Standard.permissionDenied.rawValue)

    /// The method sends a stream of replies, but the call lacks the flag `more`.
    package static let expectedMore = VarlinkError(Standard.expectedMore.rawValue)

    /// A parameter is missing or invalid.
    package static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError(Standard.invalidParameter.rawValue, "parameter", parameter)
    }

    static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError(Standard.interfaceNotFound.rawValue, "interface", interface)
    }

    static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError(Standard.methodNotFound.rawValue, "method", method)
    }

    static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError(Standard.methodNotImplemented.rawValue, "method", method)
    }

    /// Creates the error for a parameter that could not be read, with the path to it: `columns[0].prices`.
    init(parameterOf error: JSONError) {
        self = .invalidParameter(error.path.isEmpty ? "parameters" : error.path)
    }

    /// Creates an error with one parameter.
    private init(_ name: String, _ key: StaticString, _ value: String) {
        self.name = name
        var writer = JSONWriter(capacity: 128)
        writer.beginObject()
        writer.member(key, value)
        writer.endObject()
        parametersJSON = writer.bytes
    }
}
