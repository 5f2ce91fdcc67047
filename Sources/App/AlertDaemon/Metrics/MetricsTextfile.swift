internal import Glibc
internal import UnixSockets

/// The file with metrics for the textfile collector of Prometheus' node_exporter. It is replaced as a whole, so that
/// a reader never sees a part of it, and is readable by everyone, because the collector runs as another user.
struct MetricsTextfile {
    /// The absolute path, which ends with `.prom`.
    let path: String

    /// The path of the file while it is written. The collector reads only files that end with `.prom`.
    private var temporaryPath: String { path + ".tmp" }

    /// Writes the file.
    ///
    /// - Returns: the reason of a failure; nil on success.
    func write(_ text: [UInt8]) -> String? {
        // A symbolic link in a folder that others may write to would make the daemon write elsewhere.
        let file = unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
        guard file >= 0 else { return describe(errorNumber: errno) }
        let failure = fill(file, text)
        close(file)
        guard failure == 0 else {
            unsafe unlink(temporaryPath)
            return describe(errorNumber: failure)
        }
        guard unsafe rename(temporaryPath, path) == 0 else {
            let number = errno
            unsafe unlink(temporaryPath)
            return describe(errorNumber: number)
        }
        return nil
    }

    private func fill(_ file: Int32, _ text: [UInt8]) -> Int32 {
        // The service's umask would hide the file from the collector.
        guard fchmod(file, 0o644) == 0 else { return errno }
        var rest = text[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}
