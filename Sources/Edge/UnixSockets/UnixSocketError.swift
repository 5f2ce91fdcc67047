internal import Glibc

/// The reason why a Unix socket cannot be created or connected.
package enum UnixSocketError: Error, Equatable, Sendable {
    /// The path is longer than the kernel allows: 107 bytes.
    case pathTooLong(String)
    /// A running process listens at the path.
    case inUse(String)
    /// The path exists and is not a socket.
    case notASocket(String)
    /// A call failed, with the C library's error number.
    case system(call: String, path: String, errorNumber: Int32)
}

extension UnixSocketError: CustomStringConvertible {
    /// The problem and what to do about it, in one line.
    package var description: String {
        switch self {
        case .pathTooLong(let path):
            "\(path): longer than the 107 bytes of a socket path; use a shorter or a relative path"
        case .inUse(let path): "\(path): another alertd is listening there; stop it, or use another --runtime-dir"
        case .notASocket(let path): "\(path): exists and is not a socket; remove it, or use another --runtime-dir"
        case .system(let call, let path, let number): "\(path): \(call): \(describe(errorNumber: number))"
        }
    }
}

/// Returns the C library's message for an error number.
package func describe(errorNumber: Int32) -> String {
    unsafe String(cString: strerror(errorNumber))
}
