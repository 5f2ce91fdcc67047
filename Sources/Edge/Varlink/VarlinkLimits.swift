package import EventLoop

/// The limits on the memory and the time that a server spends on its clients.
///
/// In memory, at most 128 × (64 KiB + 16 KiB) = 10 MiB are used for input and 16 MiB for output.
package struct VarlinkLimits: Equatable, Sendable {
    /// The longest call, in bytes without its NUL. The calls of alertctl are below 1 KiB.
    package var message = 64 << 10
    /// The limits on connections; further ones are refused immediately. A user who may only read has 16 of the 64
    /// places for such users. Administrators have at least 48 more, and owners another 16.
    package var places = ConnectionLimits(
        total: 128, belowOwners: 112, readers: 64, perAdministrator: 32, perReader: 16)
    /// The maximum number of bytes that may be queued for one client. The largest reply is the reply to a reload,
    /// with 20,000 names of rules of up to 128 bytes: 5.2 MB. A user who may only read has half, because of
    /// ``totalQueue``.
    package var queue = 8 << 20
    /// The maximum number of bytes that may be queued for a client that reads a stream of replies: 2,000 events of
    /// 500 bytes.
    package var streamQueue = 1 << 20
    /// The maximum number of bytes that may be queued for all clients together.
    package var totalQueue = 16 << 20
    /// The longest time from the first byte of a call to its last.
    package var messageTime = Duration.seconds(10)
    /// The longest time without a call.
    package var idleTime = Duration.seconds(300)

    package init() {}
}

/// Counts of a server since it was created.
package struct VarlinkCounters: Equatable, Sendable {
    /// Connections that were accepted.
    package var connections = 0
    /// Well-formed calls, whatever their reply.
    package var calls = 0
    /// Connections that were closed because a message was not a call, or was too long.
    package var malformed = 0
    /// Connections that were closed because the client did not read.
    package var overflowed = 0
    /// Connections that were closed because no call, or only a part of one, arrived in time.
    package var timedOut = 0

    package init() {}
}
