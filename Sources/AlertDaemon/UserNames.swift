internal import EventLoop
internal import Glibc
internal import Rules

extension UserIdentity {
    /// Who is at the other end of a socket, with the name that the machine's user database has for it.
    init(_ peer: PeerCredentials) {
        self.init(id: peer.user, name: Self.name(of: peer.user))
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
