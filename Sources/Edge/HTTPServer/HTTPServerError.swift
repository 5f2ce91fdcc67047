internal import UnixSockets

/// The reason why a server could not start.
package enum HTTPServerError: Error, Equatable, Sendable {
    /// libmicrohttpd cannot be loaded, with the message of the dynamic linker.
    case libraryMissing(String)
    /// The text is not an address to listen on.
    case badAddress(String)
    /// The Unix socket could not be created, with the reason and what to do.
    case socket(String)
    /// A call failed, with the C library's error number.
    case system(call: String, address: String, errorNumber: Int32)
    /// libmicrohttpd refused to start, without giving a reason.
    case refused
}

extension HTTPServerError: CustomStringConvertible {
    /// The problem and what to do about it, in one line.
    package var description: String {
        switch self {
        case .libraryMissing(let reason):
            "libmicrohttpd cannot be loaded; install the package libmicrohttpd12 or libmicrohttpd12t64 (\(reason))"
        case .badAddress(let text):
            "'\(text)' is not an address to listen on; write 127.0.0.1:PORT, [::1]:PORT or the path of a socket"
        case .socket(let message): message
        case .system(let call, let address, let number): "\(address): \(call): \(describe(errorNumber: number))"
        case .refused: "libmicrohttpd refused to start; out of memory or descriptors?"
        }
    }
}
