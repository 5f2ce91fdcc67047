internal import CSystemd.Daemon
internal import Glibc

/// Returns true if standard output is connected to the journal, so that lines written to it would appear twice.
package func stdoutIsJournal() -> Bool {
    isJournal(descriptor: 1)
}

/// Returns true if standard error is connected to the journal, so that the daemon can log structured entries instead.
package func stderrIsJournal() -> Bool {
    isJournal(descriptor: 2)
}

private func isJournal(descriptor: Int32) -> Bool {
    guard let text = unsafe getenv("JOURNAL_STREAM") else { return false }
    return isJournal(descriptor: descriptor, journalStream: unsafe String(cString: text))
}

/// Returns true if a descriptor is the stream that `JOURNAL_STREAM` describes.
///
/// - Parameters:
///   - descriptor: a descriptor; the result is false if it is not open.
///   - journalStream: the value of the variable, `device:inode` in decimal digits.
/// - Returns: false also for malformed text. After a redirection the variable does not describe the descriptor.
package func isJournal(descriptor: Int32, journalStream: String) -> Bool {
    let parts = journalStream.split(separator: ":", omittingEmptySubsequences: false)
    var status = stat()
    guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]),
        unsafe fstat(descriptor, &status) == 0
    else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
}
