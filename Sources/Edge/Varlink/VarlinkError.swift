package import JSON

/// An error that a method replies with: its full name and its parameters.
package struct VarlinkError: Error, Equatable, Sendable {
    /// With the name of its interface: `org.varlink.service.PermissionDenied`.
    package let name: String
    /// One JSON object.
    package let parametersJSON: [UInt8]

    /// Makes the error of that full name.
    package init(_ name: String, _ parameters: some JSONWritable) {
        self.name = name
        parametersJSON = JSONWriter.text(of: parameters)
    }

    /// Makes the error of that full name, without parameters.
    package init(_ name: String) {
        self.name = name
        parametersJSON = Array("{}".utf8)
    }
}

extension VarlinkError {
    /// The full names of the errors that every service may answer.
    package enum Standard: String, CaseIterable, Sendable {
        case interfaceNotFound = "org.varlink.service.InterfaceNotFound"
        case methodNotFound = "org.varlink.service.MethodNotFound"
        case methodNotImplemented = "org.varlink.service.MethodNotImplemented"
        case invalidParameter = "org.varlink.service.InvalidParameter"
        case permissionDenied = "org.varlink.service.PermissionDenied"
        case expectedMore = "org.varlink.service.ExpectedMore"
    }

    /// The caller may not do that.
    package static let permissionDenied = VarlinkError(Standard.permissionDenied.rawValue)

    /// The method sends a stream of replies, and the call lacks the flag `more`.
    package static let expectedMore = VarlinkError(Standard.expectedMore.rawValue)

    /// A parameter is missing, or is not what it should be.
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

    /// The parameter that could not be read, with the path to it: `columns[0].prices`.
    init(parameterOf error: JSONError) {
        self = .invalidParameter(error.path.isEmpty ? "parameters" : error.path)
    }

    /// Makes an error with one parameter.
    private init(_ name: String, _ key: StaticString, _ value: String) {
        self.name = name
        var writer = JSONWriter(capacity: 128)
        writer.beginObject()
        writer.member(key, value)
        writer.endObject()
        parametersJSON = writer.bytes
    }
}
