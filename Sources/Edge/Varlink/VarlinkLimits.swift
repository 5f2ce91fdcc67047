package import EventLoop

/// How much a server takes from its clients, and how long it waits for them.
///
/// In memory at most 128 × (64 KiB + 16 KiB) = 10 MiB for what comes in and 16 MiB for what goes out.
package struct VarlinkLimits: Equatable, Sendable {
    /// The longest call, in bytes without its NUL; our own calls are below 1 KiB.
    package var message = 64 << 10
    /// Further clients are refused at once. A user who may only look has 16 of the 64 places for such users;
    /// administrators have at least 48 more, and owners another 16.
    package var places = ConnectionLimits(
        total: 128, belowOwners: 112, readers: 64, perAdministrator: 32, perReader: 16)
    /// What may wait for one client that does not read, in bytes. The largest answers are those to a reload, with
    /// 20,000 names of rules of up to 128 bytes: 5.2 MB. A user who may only look has half, by ``totalQueue``.
    package var queue = 8 << 20
    /// The same for a client that reads a stream of replies: 2,000 events of 500 bytes.
    package var streamQueue = 1 << 20
    /// What may wait for all clients together, in bytes.
    package var totalQueue = 16 << 20
    /// The longest time from the first byte of a call to its last.
    package var messageTime = Duration.seconds(10)
    /// The longest time without a call.
    package var idleTime = Duration.seconds(300)

    /// The defaults.
    package init() {}
}

/// What a server has done since it was made.
package struct VarlinkCounters: Equatable, Sendable {
    /// Connections that were accepted.
    package var connections = 0
    /// Calls that were well formed, whatever their reply.
    package var calls = 0
    /// Connections that were closed because what came was no call, or was too long.
    package var malformed = 0
    /// Connections that were closed because they did not read.
    package var overflowed = 0
    /// Connections that were closed because no call, or not the rest of one, came in time.
    package var timedOut = 0

    /// The defaults.
    package init() {}
}
