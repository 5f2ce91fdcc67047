internal import CSystemd.Event
internal import Glibc

/// The file of a listening Unix socket, with the data needed to create it again after it was removed.
package struct SocketFile: Equatable, Sendable {
    /// The size of an access control list with about 8,000 entries, more than a kernel accepts.
    private static let listLimit = 65_536

    private let path: String
    private let device: UInt64
    private let inode: UInt64
    private var mode: UInt32
    private var user: UInt32
    private var group: UInt32
    private var accessList: [UInt8]
    private var changed: (seconds: Int, nanoseconds: Int)

    /// The state of a socket's path.
    package enum State: Equatable, Sendable {
        /// The socket itself.
        case present
        case missing
        /// Another file, such as the socket of another process.
        case replaced
    }

    /// Reads the file. Returns nil if there is no socket at the path.
    package init?(at path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        self.path = path
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        (mode, user, group) = (status.st_mode & 0o7777, status.st_uid, status.st_gid)
        changed = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
        accessList = Self.accessList(path)
    }

    /// Describes a socket file of this process that should be at the path but is missing.
    init(missingAt path: String, mode: UInt32) {
        self.path = path
        (device, inode) = (0, 0)
        (self.mode, user, group, accessList) = (mode, geteuid(), getegid(), [])
        changed = (0, 0)
    }

    /// Checks the path, and records changes of owner, mode and access control list.
    package mutating func check() -> State {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return errno == ENOENT ? .missing : .present }
        guard UInt64(status.st_dev) == device, UInt64(status.st_ino) == inode else { return .replaced }
        if changed != (status.st_ctim.tv_sec, status.st_ctim.tv_nsec), let new = SocketFile(at: path) { self = new }
        return .present
    }

    /// Gives the new file at the path the owner, mode and access control list of this one, as far as the process is
    /// allowed to.
    package func restoreAccess() {
        let new = SocketFile(at: path)
        // The service's system call filter refuses chown, and files of the service do not need it.
        if new?.user != user || new?.group != group { _ = unsafe chown(path, user, group) }
        // The access control list sets the mode as well.
        let hasList = unsafe !accessList.isEmpty && alertd_set_access_list(path, accessList, accessList.count) == 0
        if !hasList { _ = unsafe chmod(path, mode) }
    }

    private static func accessList(_ path: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: listLimit)
        let count = unsafe alertd_access_list(path, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    package static func == (left: SocketFile, right: SocketFile) -> Bool {
        left.path == right.path && left.device == right.device && left.inode == right.inode
    }
}
