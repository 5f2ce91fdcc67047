internal import CSystemd.Daemon
internal import Glibc

/// Whether the standard output goes to the journal, so that lines on it would be there twice.
package func stdoutIsJournal() -> Bool {
    isJournal(descriptor: 1)
}

/// Whether the standard error goes to the journal, so that the daemon's own messages can be structured entries of it.
package func stderrIsJournal() -> Bool {
    isJournal(descriptor: 2)
}

private func isJournal(descriptor: Int32) -> Bool {
    guard let text = unsafe getenv("JOURNAL_STREAM") else { return false }
    return isJournal(descriptor: descriptor, journalStream: unsafe String(cString: text))
}

/// Whether a descriptor is the stream that `JOURNAL_STREAM` describes.
///
/// - Parameters:
///   - descriptor: an open descriptor; one that is not open is no stream of the journal.
///   - journalStream: the value of the variable, `device:inode` in decimal digits.
/// - Returns: false also for a text of any other form: after a redirection the variable says nothing about the
/// descriptor.
package func isJournal(descriptor: Int32, journalStream: String) -> Bool {
    let parts = journalStream.split(separator: ":", omittingEmptySubsequences: false)
    var status = stat()
    guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]),
        unsafe fstat(descriptor, &status) == 0
    else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
}
