import Foundation
import Testing

/// A listening socket on a free port of this machine, for servers that speak by hand.
func listenOnLoopback() throws -> (descriptor: Int32, port: UInt16) {
    let bound = try bindToLoopback()
    try #require(listen(bound.descriptor, 4) == 0)
    return bound
}

/// A port that refuses connections until it listens, and that nobody else gets as long as the descriptor is open.
func bindToLoopback() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            unsafe bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
        }
    }
    try #require(isBound)
    return (descriptor, UInt16(bigEndian: address.sin_port))
}
