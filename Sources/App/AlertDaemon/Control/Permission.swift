internal import EventLoop
internal import Glibc

/// The rule that decides which users may change something: root, the daemon's own user, and the members of one group.
struct Permission {
    /// The group whose members may control the daemon.
    static let groupName = "alertd-admin"

    private let ownUser: UInt32
    private let group: UInt32?
    private let unmapped: Unmapped

    /// The numbers that the kernel shows for users and groups without a number in the daemon's user namespace. Many
    /// different users then look the same, so none of them is the owner or an administrator.
    struct Unmapped {
        var user: UInt32 = 65_534
        var group: UInt32 = 65_534

        /// Returns the kernel's numbers or, if the service may not read them, the kernel's defaults.
        static func ofTheKernel(folder: String = "/proc/sys/kernel") -> Unmapped {
            var numbers = Unmapped()
            numbers.user = decimalNumber(inFile: "\(folder)/overflowuid") ?? numbers.user
            numbers.group = decimalNumber(inFile: "\(folder)/overflowgid") ?? numbers.group
            return numbers
        }
    }

    init(ownUser: UInt32, group: UInt32?, unmapped: Unmapped = Unmapped()) {
        self.ownUser = ownUser
        self.group = group
        self.unmapped = unmapped
    }

    /// Looks up the group in the machine's user database. Without the group, only root and the daemon's own user may
    /// change something.
    static func ofThisProcess() -> Permission {
        Permission(ownUser: geteuid(), group: number(ofGroup: groupName), unmapped: .ofTheKernel())
    }

    func mayChange(_ peer: PeerCredentials) -> Bool {
        rank(of: peer) > .reader
    }

    /// Returns the rank of a peer.
    func rank(of peer: PeerCredentials) -> PeerRank {
        if peer.user == 0 { return .owner }
        if peer.user == ownUser, peer.user != unmapped.user { return .owner }
        guard let group, group != unmapped.group, peer.isMember(of: group) else { return .reader }
        return .administrator
    }

    private static func number(ofGroup name: String) -> UInt32? {
        // The buffer is large enough for a group with thousands of members.
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        var entry = unsafe Glibc.group()
        var result: UnsafeMutablePointer<Glibc.group>?
        let status = unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &result)
        guard status == 0, unsafe result != nil else { return nil }
        return unsafe entry.gr_gid
    }
}

/// Returns the decimal number in a file; nil if it cannot be read.
private func decimalNumber(inFile path: String) -> UInt32? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return UInt32(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self))
}
