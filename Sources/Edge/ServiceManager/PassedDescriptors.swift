internal import CSystemd.Daemon
internal import Glibc

/// A descriptor that the service manager passed when the process started: a socket of a socket unit, or one that an
/// earlier process put into the descriptor store.
package struct PassedDescriptor: Equatable, Sendable {
    /// The open descriptor, which is close-on-exec.
    package let descriptor: Int32
    /// The name: `FileDescriptorName=` of the socket unit, or the name under which it was stored.
    package let name: String

    /// Creates a value. Its copies share the descriptor, which is closed by the code that adopts it.
    package init(_ descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// The kind of object that a descriptor refers to.
    package enum Kind: Equatable, Sendable {
        /// A Unix stream socket that listens at a path.
        case listener(path: String)
        /// An Internet stream socket that listens.
        case networkListener
        /// One end of a Unix stream connection.
        case connection
        /// A file, such as one in memory.
        case file
        case other
    }

    /// The kind of the descriptor, as the kernel reports it.
    package var kind: Kind {
        let stream = Int32(SOCK_STREAM.rawValue)
        if sd_is_socket_unix(descriptor, stream, 1, nil, 0) > 0 {
            return path.map { .listener(path: $0) } ?? .other
        }
        for family in [AF_INET, AF_INET6] where sd_is_socket(descriptor, family, stream, 1) > 0 {
            return .networkListener
        }
        if sd_is_socket_unix(descriptor, stream, 0, nil, 0) > 0 { return .connection }
        var status = stat()
        let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return isFile ? .file : .other
    }

    /// The path that a socket is bound to; nil for an unnamed socket and for an abstract name.
    private var path: String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe getsockname(descriptor, generic, &length)
            }
        }
        let count = Int(length) - (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2)
        guard status == 0, count > 0 else { return nil }
        let bytes = unsafe withUnsafeBytes(of: &address.sun_path) { unsafe Array($0.prefix(count)) }
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension ServiceManager {
    /// Returns the descriptors that were passed to this process. Makes them close-on-exec and removes the variables,
    /// so that child processes do not mistake the descriptors for theirs.
    ///
    /// Call it once, before other threads exist, because it changes the environment.
    package func takePassedDescriptors() -> [PassedDescriptor] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = unsafe sd_listen_fds_with_names(1, &names)
        defer { unsafe free(names) }
        guard count > 0, let names = unsafe names else { return [] }
        return (0..<Int(count)).map { index in
            let name = unsafe names[index]
            defer { unsafe free(name) }
            let text = unsafe name.map { unsafe String(cString: $0) } ?? ""
            return PassedDescriptor(3 + Int32(index), name: text)
        }
    }

    /// Stores a descriptor with the service manager, which passes it to the next process of the service, however this
    /// one ends. The manager closes it when the service is stopped, and a connection also when its peer closes it.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor, which remains open here.
    ///   - name: at most 255 printable ASCII characters without a colon.
    package func store(_ descriptor: Int32, name: String) {
        send(["FDSTORE=1", "FDNAME=\(name)"], .descriptor, descriptor: descriptor)
    }

    /// Makes the service manager close all descriptors that it stores under a name.
    package func forget(name: String) {
        send(["FDSTOREREMOVE=1", "FDNAME=\(oneLine(name))"])
    }
}
