internal import EventLoop
internal import Events
internal import Glibc

extension UserIdentity {
    /// Who is at the other end of a socket, with the name that the machine's user database has for it.
    init(_ peer: PeerCredentials) {
        self.init(id: peer.user, name: Self.isNamed(peer.user) ? Self.name(of: peer.user) : Self.someMember)
    }

    /// What stands for a user whom the kernel does not name: who may change something as a member of that group.
    static let someMember = "(\(Permission.groupName))"

    /// Whether the kernel shows users of that number as themselves. A service with user ids of its own
    /// (`PrivateUsers=`) sees all users that it has no id for as one.
    private static func isNamed(_ user: UInt32) -> Bool {
        let file = unsafe open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return true }
        defer { close(file) }
        // 340 lines at most, of which systemd writes two.
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { return true }
        return has(user, idMap: String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// Whether a map of user ids, as `/proc/self/uid_map` has it, holds the user: lines of the first number inside, the
    /// first outside, and how many they are.
    static func has(_ user: UInt32, idMap: String) -> Bool {
        idMap.split(separator: "\n").contains { line in
            let numbers = line.split(separator: " ").compactMap { Int64($0) }
            guard numbers.count == 3 else { return false }
            return Int64(user) >= numbers[0] && Int64(user) - numbers[0] < numbers[2]
        }
    }

    private static func name(of user: UInt32) -> String? {
        // Large enough for what a user database says of one user.
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        var entry = unsafe passwd()
        var result: UnsafeMutablePointer<passwd>?
        let status = unsafe getpwuid_r(user, &entry, &buffer, buffer.count, &result)
        guard status == 0, unsafe result != nil, let name = unsafe entry.pw_name else { return nil }
        return unsafe String(cString: name)
    }
}
