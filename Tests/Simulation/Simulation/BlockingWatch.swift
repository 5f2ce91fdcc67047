private import CBlocking
package import EventLoop
internal import Glibc
internal import UnixSockets

/// Whether a step of the daemon blocks: whether it calls a function of the C library that can wait, or does very much
/// between two looks of the event loop at its descriptors.
@LoopActor
package enum BlockingWatch {
    /// Bytes that a turn of the loop may read or write in files and sockets. After an outage of the disk, everything is
    /// saved at once, at most 16 MB and a kilobyte for each event, and then copied from the log into the file.
    private static let mostBytes: Int64 = 64 << 20
    /// How often a turn may sync files other than those of SQLite: a start does so when it makes the folder's files.
    private static let mostSyncs: Int64 = 4

    /// The most that was done in one turn of the loop.
    package static var most: (syncs: Int64, written: Int64, read: Int64) {
        let most = blocking_most()
        return (most.syncs, most.written, most.read)
    }

    /// Watches from now on.
    ///
    /// - Parameter seed: is named when a step takes more than 20 s of processor time, which ends the process.
    static func begin(_ seed: UInt64) {
        unsafe blocking_limit("seed \(seed): a step does not end")
        blocking_watch()
    }

    /// The first call that could have waited, or the work that was too much; nil if there was neither.
    static var found: String? {
        if let call = unsafe blocking_found() { return unsafe String(cString: call) }
        let most = blocking_most_since_watch()
        guard max(most.written, most.read) > mostBytes || most.syncs > mostSyncs else { return nil }
        return "\(most.written) bytes are written, \(most.read) read, and \(most.syncs) files synced"
    }

    /// Does something that is not the daemon's.
    static func outside<Result>(_ body: () -> Result) -> Result {
        blocking_pause(true)
        defer { blocking_pause(false) }
        return body()
    }

    /// Connects as a client does, which may wait. What the client does next never waits.
    static func connect(to path: String) -> Int32? {
        guard let descriptor = outside({ try? connectToUnixSocket(at: path) }) else { return nil }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        return descriptor
    }
}
