internal import Glibc

/// Returns true if a process listens on a socket that was bound to this path, whatever is at the path now. The kernel
/// lists the sockets of this network namespace, including sockets whose file was removed.
///
/// The kernel lists a path as it was bound. Another spelling of the same folder, for example through a symbolic link,
/// counts as the same path. A relative path cannot be compared, because it is relative to a folder of the other
/// process.
package func hasListener(boundTo path: String) -> Bool {
    let place = SocketPlace(path)
    // The size of the list for 20,000 sockets with long paths; the rest is not read.
    let limit = 4 << 20
    guard let file = unsafe fopen("/proc/net/unix", "re") else { return false }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    var count = 0
    while count < limit, unsafe fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        count += text.utf8.count
        // Num RefCount Protocol Flags Type St Inode Path
        let fields = text.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
        if fields.count == 8, fields[3] == "00010000", isBound(String(fields[7]), to: place) { return true }
    }
    return false
}

private func isBound(_ bound: String, to place: SocketPlace) -> Bool {
    if bound == place.path { return true }
    guard bound.hasPrefix("/"), let folder = place.folder, bound.hasSuffix("/\(place.name)") else { return false }
    return SocketPlace(bound).folder == folder
}

/// A path, with the folder that contains it.
private struct SocketPlace {
    let path: String
    let name: Substring
    /// The folder without symbolic links; nil if it does not exist.
    let folder: String?

    init(_ path: String) {
        self.path = path
        let end = path.lastIndex(of: "/")
        name = end.map { path[path.index(after: $0)...] } ?? path[...]
        guard let resolved = unsafe realpath(end.map { String(path[...$0]) } ?? ".", nil) else {
            folder = nil
            return
        }
        folder = unsafe String(cString: resolved)
        unsafe free(resolved)
    }
}
