internal import Glibc

/// A user whose permissions apply when files are read.
package struct FileReader: Sendable {
    private let user: uid_t
    private let group: gid_t
    /// All groups of the user, including `group`.
    private let groups: [gid_t]

    /// Looks up a user and the group of the user's processes. Nil if this machine lacks either, or if the user has
    /// more than 64 groups.
    package init?(user name: String, group groupName: String) {
        guard let entry = unsafe getpwnam(name), let groupEntry = unsafe getgrnam(groupName) else { return nil }
        user = unsafe entry.pointee.pw_uid
        group = unsafe groupEntry.pointee.gr_gid
        var count: Int32 = 64
        var groups = [gid_t](repeating: 0, count: Int(count))
        guard unsafe getgrouplist(name, group, &groups, &count) >= 0 else { return nil }
        self.groups = Array(groups.prefix(Int(count)))
    }

    /// Returns the user whose permissions apply when root checks the settings files of the service.
    ///
    /// - Parameter paths: Settings files, or directories of them.
    /// - Returns: The user of the service, or nil to use the permissions of this process.
    package static func service(of paths: [String]) -> FileReader? {
        let folder = "/etc/alertd"
        let areOfService = paths.allSatisfy { path in
            let full = fullPath(path)
            return full == folder || full.hasPrefix(folder + "/")
        }
        return geteuid() == 0 && areOfService ? FileReader(user: "alertd", group: "alertd-admin") : nil
    }

    /// Returns the absolute path without symbolic links, or the path unchanged if there is no such file.
    private static func fullPath(_ path: String) -> String {
        guard let full = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(full) }
        return unsafe String(cString: full)
    }

    /// Runs `body` with the permissions of `reader`, if there is one and this process may assume them. Otherwise runs
    /// it with the permissions of this process.
    static func asking<Answer>(_ reader: FileReader?, _ body: () -> Answer) -> Answer {
        guard let reader else { return body() }
        let (ownUser, ownGroup) = (geteuid(), getegid())
        var ownGroups = [gid_t](repeating: 0, count: 65_536)
        let count = unsafe getgroups(Int32(ownGroups.count), &ownGroups)
        guard count >= 0, unsafe setgroups(reader.groups.count, reader.groups) == 0 else { return body() }
        defer {
            // Only the effective user and group were changed, so the process may change back.
            let isBack = unsafe seteuid(ownUser) == 0 && setegid(ownGroup) == 0 && setgroups(Int(count), ownGroups) == 0
            if !isBack { abort() }
        }
        guard setegid(reader.group) == 0, seteuid(reader.user) == 0 else { return body() }
        return body()
    }
}

/// The reason why the user of this process cannot read a file, with advice.
struct FileDenial {
    /// The reason, such as `permission denied for user alertd: /etc/alertd/alertd.toml belongs to root:root and has
    /// mode 0600`.
    let reason: String
    /// Advice with the `chmod` command that gives everyone access.
    let advice: String

    /// Finds the part of the path that denies access: a directory on the way, or the file. Nil if nothing denies it,
    /// because the permissions have changed in the meantime.
    init?(_ path: String) {
        let parts = path.split(separator: "/")
        let start = path.hasPrefix("/") ? "/" : ""
        let folders = parts.indices.dropLast().map { start + parts[...$0].joined(separator: "/") }
        let isDenied = { (path: String, access: Int32) in unsafe faccessat(AT_FDCWD, path, access, AT_EACCESS) != 0 }
        let closed = folders.first { isDenied($0, X_OK) }
        guard let denied = closed ?? (isDenied(path, R_OK) ? path : nil) else { return nil }
        var found = stat()
        guard unsafe stat(denied, &found) == 0 else { return nil }
        let mode = String(found.st_mode & 0o7777, radix: 8)
        let padded = String(repeating: "0", count: max(0, 4 - mode.utf8.count)) + mode
        let owner = "\(Self.name(ofUser: found.st_uid)):\(Self.name(ofGroup: found.st_gid))"
        reason =
            "permission denied for user \(Self.name(ofUser: geteuid())): \(denied) belongs to \(owner) and has mode "
            + padded
        let isFolder = found.st_mode & S_IFMT == S_IFDIR
        advice = "allow it with 'chmod \(isFolder ? "a+rx" : "a+r") \(denied)'"
    }

    private static func name(ofUser number: uid_t) -> String {
        unsafe getpwuid(number).map { unsafe String(cString: $0.pointee.pw_name) } ?? "\(number)"
    }

    private static func name(ofGroup number: gid_t) -> String {
        unsafe getgrgid(number).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(number)"
    }
}
