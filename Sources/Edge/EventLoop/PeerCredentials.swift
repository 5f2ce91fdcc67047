internal import CSystemd.Event

/// The user at the other end of a Unix socket, as the kernel knew it when the connection was made.
package struct PeerCredentials: Equatable, Sendable {
    /// 65,536 is the kernel's own limit (NGROUPS_MAX); of a user in more groups than this, only the first ones are
    /// known.
    private static let groupLimit = 1_024

    /// The id of the process; it may have ended since, and be in use again.
    package var pid: Int32
    /// The effective user id.
    package var user: UInt32
    /// The effective group id.
    package var group: UInt32
    /// The groups in addition to ``group``; empty where the kernel does not report them.
    package var supplementaryGroups: [UInt32]

    /// For tests; the kernel's answer comes from the socket.
    package init(pid: Int32, user: UInt32, group: UInt32, supplementaryGroups: [UInt32] = []) {
        self.pid = pid
        self.user = user
        self.group = group
        self.supplementaryGroups = supplementaryGroups
    }

    /// Asks the kernel about a connected socket; nil when the descriptor is not one.
    package init?(of descriptor: Int32) {
        var peer = alertd_peer()
        guard unsafe alertd_peer_credentials(descriptor, &peer) == 0 else { return nil }
        var groups = [UInt32](repeating: 0, count: Self.groupLimit)
        let count = unsafe alertd_peer_groups(descriptor, &groups, Int32(Self.groupLimit))
        self.init(
            pid: peer.pid, user: peer.user, group: peer.group,
            supplementaryGroups: Array(groups.prefix(max(0, Int(count)))))
    }

    /// Whether the peer is in the group.
    package func isMember(of group: UInt32) -> Bool {
        self.group == group || supplementaryGroups.contains(group)
    }
}
