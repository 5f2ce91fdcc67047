internal import Glibc

/// Whether a process listens on a socket that was bound to this path, whatever is at the path now: the kernel lists the
/// sockets of this network namespace, also those whose file was removed.
package func hasListener(boundTo path: String) -> Bool {
    // 20,000 sockets with long paths; more are not looked at.
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
        if fields.count == 8, fields[3] == "00010000", fields[7] == path { return true }
    }
    return false
}
