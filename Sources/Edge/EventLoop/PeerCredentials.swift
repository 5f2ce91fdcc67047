internal import CSystemd.Event

/// The user at the other end of a Unix socket, as recorded by the kernel when the connection was made.
package struct PeerCredentials: Equatable, Sendable {
    /// The maximum number of supplementary groups; the kernel's own limit (NGROUPS_MAX) is 65,536. If a user is in
    /// more groups than this, none are known, because the kernel reports an error instead of the first ones.
    private static let groupLimit = 1_024

    /// The process id. The process may have ended, and its id may have been reused.
    package var pid: Int32
    /// The effective user id.
    package var user: UInt32
    /// The effective group id.
    package var group: UInt32
    /// The groups in addition to ``group``; empty if the kernel does not report them, or if there are too many.
    package var supplementaryGroups: [UInt32]

    /// Creates credentials for tests.
    package init(pid: Int32, user: UInt32, group: UInt32, supplementaryGroups: [UInt32] = []) {
        self.pid = pid
        self.user = user
        self.group = group
        self.supplementaryGroups = supplementaryGroups
    }

    /// Asks the kernel for the peer of a connected socket. Returns nil if the descriptor is not a connected socket.
    package init?(of descriptor: Int32) {
        var peer = alertd_peer()
        guard unsafe alertd_peer_credentials(descriptor, &peer) == 0 else { return nil }
        var groups = [UInt32](repeating: 0, count: Self.groupLimit)
        let count = unsafe alertd_peer_groups(descriptor, &groups, Int32(Self.groupLimit))
        self.init(
            pid: peer.pid, user: peer.user, group: peer.group,
            supplementaryGroups: Array(groups.prefix(max(0, Int(count)))))
    }

    /// Returns true if the peer is in the group.
    package func isMember(of group: UInt32) -> Bool {
        self.group == group || supplementaryGroups.contains(group)
    }
}
