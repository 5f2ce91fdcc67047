internal import EventLoop
internal import Events
internal import Glibc

extension UserIdentity {
    /// Creates the identity of a socket's peer, with the name from the user database of the machine.
    init(_ peer: PeerCredentials) {
        self.init(id: peer.user, name: Self.isNamed(peer.user) ? Self.name(of: peer.user) : Self.someMember)
    }

    /// The name for a user whose id the kernel does not show. Such a user can have access only as a member of the
    /// group.
    static let someMember = "(\(Permission.groupName))"

    /// Returns true if the kernel shows the real user id. In a service with its own user namespace (`PrivateUsers=`),
    /// all users without an id in that namespace look the same.
    private static func isNamed(_ user: UInt32) -> Bool {
        let file = unsafe open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return true }
        defer { close(file) }
        // There are at most 340 lines, of which systemd writes two.
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { return true }
        return has(user, idMap: String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// Returns true if a map of user ids in the form of `/proc/self/uid_map` contains the user. Each line has the
    /// first id inside, the first id outside and the number of ids.
    static func has(_ user: UInt32, idMap: String) -> Bool {
        idMap.split(separator: "\n").contains { line in
            let numbers = line.split(separator: " ").compactMap { Int64($0) }
            guard numbers.count == 3 else { return false }
            return Int64(user) >= numbers[0] && Int64(user) - numbers[0] < numbers[2]
        }
    }

    private static func name(of user: UInt32) -> String? {
        // The buffer is large enough for the entry of one user.
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        var entry = unsafe passwd()
        var result: UnsafeMutablePointer<passwd>?
        let status = unsafe getpwuid_r(user, &entry, &buffer, buffer.count, &result)
        guard status == 0, unsafe result != nil, let name = unsafe entry.pw_name else { return nil }
        return unsafe String(cString: name)
    }
}
