internal import EventLoop
internal import Glibc

/// Decides who may change something: root, the daemon's own user, and the members of one group.
struct Permission {
    /// The group whose members may control the daemon.
    static let groupName = "alertd-admin"

    private let ownUser: UInt32
    private let group: UInt32?

    init(ownUser: UInt32, group: UInt32?) {
        self.ownUser = ownUser
        self.group = group
    }

    /// Looks up the group in the user database of the machine; without it, only root and the own user may.
    static func ofThisProcess() -> Permission {
        Permission(ownUser: geteuid(), group: number(ofGroup: groupName))
    }

    func mayChange(_ peer: PeerCredentials) -> Bool {
        peer.user == 0 || peer.user == ownUser || group.map(peer.isMember) ?? false
    }

    private static func number(ofGroup name: String) -> UInt32? {
        // Large enough for a group with thousands of members.
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        var entry = unsafe Glibc.group()
        var result: UnsafeMutablePointer<Glibc.group>?
        let status = unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &result)
        guard status == 0, unsafe result != nil else { return nil }
        return unsafe entry.gr_gid
    }
}
