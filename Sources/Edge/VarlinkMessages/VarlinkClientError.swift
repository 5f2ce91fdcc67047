internal import Glibc
package import JSON
internal import UnixSockets

/// The reason why a client got no reply.
package enum VarlinkClientError: Error, Equatable, Sendable {
    /// No process is listening on the socket at the path.
    case notRunning(path: String)
    /// The user may not connect to the socket at the path.
    case permissionDenied(path: String)
    /// There was no reply in time.
    case timeout
    /// The other side closed the connection before the reply.
    case connectionClosed
    /// The ``WaitCompanion`` ended the wait.
    case interrupted
    /// The reply is not valid Varlink; the text says why.
    case protocolViolation(String)
    /// The method replied with an error: its full name, and its parameters as one JSON object.
    case remote(name: String, parametersJSON: [UInt8])
    /// A system call failed; the text says which and why.
    case system(String)
}

extension VarlinkClientError {
    /// Reads the parameters of the error that a method replied with.
    ///
    /// - Parameters:
    ///   - name: the full name of the error.
    ///   - type: the type of its parameters.
    /// - Returns: nil for another error, or if its parameters have another form.
    package func remoteParameters<Parameters: JSONReadable>(of name: String, as type: Parameters.Type) -> Parameters? {
        guard case .remote(name, let text) = self else { return nil }
        return try? Parameters(json: JSONDocument(text, limit: text.count).root)
    }

    init(_ error: UnixSocketError) {
        guard case .system(_, let path, let number) = error else {
            self = .system(error.description)
            return
        }
        switch number {
        case ENOENT, ECONNREFUSED, ENOTDIR: self = .notRunning(path: path)
        case EACCES, EPERM: self = .permissionDenied(path: path)
        case EAGAIN: self = .timeout
        default: self = .system(error.description)
        }
    }
}

extension VarlinkClientError: CustomStringConvertible {
    /// The problem, in one line without control characters.
    package var description: String {
        switch self {
        case .notRunning(let path): "\(path): nothing is listening there"
        case .permissionDenied(let path): "\(path): no permission to connect"
        case .timeout: "no response in time"
        case .connectionClosed: "the connection was closed before the response"
        case .interrupted: "the stream was ended"
        case .protocolViolation(let text): "the response cannot be read: \(printable(text))"
        case .remote(let name, let parameters): printable("\(name) \(String(decoding: parameters, as: UTF8.self))")
        case .system(let text): text
        }
    }
}

/// Returns the text with an escape in place of each character that could control a terminal.
private func printable(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
        default: String(scalar)
        }
    }.joined()
}
