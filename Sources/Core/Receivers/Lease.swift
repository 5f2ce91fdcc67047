package import Time

/// The record that the holder of a lease publishes for the standby daemons.
package struct LeaseRecord: Equatable, Sendable {
    /// The instance ID of the holder's state file and the holder's name: `INSTANCE@NAME`.
    package var holder: String
    /// The holder's name in messages.
    package var name: String
    /// True if the holder has released the lease.
    package var isReleased: Bool
    /// The time of the last usable response of each source.
    package var polled: [String: WallTime]
    /// The time of the oldest queued event of each receiver; receivers with an empty queue are absent.
    package var oldest: [String: WallTime]

    package init(
        holder: String, name: String, isReleased: Bool = false, polled: [String: WallTime] = [:],
        oldest: [String: WallTime] = [:]
    ) {
        self.holder = holder
        self.name = name
        self.isReleased = isReleased
        self.polled = polled
        self.oldest = oldest
    }

    /// The assumed maximum difference between the clocks of two machines.
    package static let skew = Milliseconds.seconds(5)

    /// True if the holder has notified an event that another daemon detected at `time`: it has polled later, and has
    /// no older events left to send.
    package func covers(_ time: WallTime, of source: String?, at receiver: String) -> Bool {
        let seen = source.map { polled[$0] } ?? polled.values.max()
        guard let seen, seen.since(time) >= Self.skew else { return false }
        return oldest[receiver].map { time.milliseconds + Self.skew.count < $0.milliseconds } ?? true
    }
}

/// The decision on which of several daemons may notify: a state machine without a clock or a connection.
///
/// The holder renews the lease. It stops shortly before the lease expires by its own clock, counted from the instant
/// at which it *sent* the last successful renewal. Another daemon takes the lease when it has seen no renewal for the
/// same time, counted from when it *saw* the last one, which is later. So two daemons never hold the lease at the same
/// time, whatever their clocks show.
package struct Lease: Equatable, Sendable {
    /// The next step.
    package enum Step: Equatable, Sendable {
        /// Read the lease to find its holder.
        case read
        /// Acquire or renew the lease if the stored record still has this revision.
        case write(revision: UInt64)
    }

    private struct Holding: Equatable, Sendable {
        var revision: UInt64
        var end: BootTime
    }

    private struct Sighting: Equatable, Sendable {
        var revision: UInt64
        var time: BootTime
    }

    /// The identifier of this daemon: `INSTANCE@NAME`.
    package let holder: String
    /// Duration for which a lease is valid after it was written.
    package let length: Milliseconds
    private var holding: Holding?
    private var sighting: Sighting?
    /// The record last read, if another daemon holds the lease.
    package private(set) var other: LeaseRecord?

    package init(holder: String, length: Milliseconds) {
        self.holder = holder
        self.length = length
    }

    /// Interval of renewals, and of reads while another daemon holds the lease.
    package var period: Milliseconds { Milliseconds(length.count / 3) }

    /// The holder stops this long before the lease expires.
    private var margin: Milliseconds { Milliseconds(length.count / 10) }

    /// The instant until which this daemon may notify; nil if it may not.
    package var end: BootTime? { holding?.end }

    /// Revision of the lease as last written or read. It increases with every write.
    package var revision: UInt64? { holding?.revision ?? sighting?.revision }

    /// True if this daemon holds the lease, by its own clock.
    package func isHeld(at now: BootTime) -> Bool { holding.map { now < $0.end } ?? false }

    /// Returns the next step.
    package func step(at now: BootTime) -> Step {
        if let holding, now < holding.end { return .write(revision: holding.revision) }
        return .read
    }

    /// Processes the lease that was read: the record and its revision; nil if there is none.
    ///
    /// - Returns: the revision to replace, or 0 to create the lease; nil if another daemon holds it.
    package mutating func observe(_ found: (record: LeaseRecord, revision: UInt64)?, at now: BootTime) -> UInt64? {
        holding = nil
        guard let found else {
            other = nil
            return 0
        }
        let isFree = found.record.isReleased || found.record.holder == holder
        other = isFree ? nil : found.record
        guard !isFree else { return found.revision }
        guard let sighting, sighting.revision == found.revision else {
            self.sighting = Sighting(revision: found.revision, time: now)
            return nil
        }
        return now.since(sighting.time) >= length ? found.revision : nil
    }

    /// Processes the reply to a write that was sent at `time`: the new revision, or nil if another daemon was faster.
    package mutating func wrote(_ revision: UInt64?, sent time: BootTime) {
        guard let revision else {
            holding = nil
            return
        }
        other = nil
        holding = Holding(
            revision: revision, end: time.advanced(by: Milliseconds(length.count - margin.count)))
    }

    /// Forgets the lease because it has expired.
    package mutating func lose() { holding = nil }
}

/// The section `[lease]` of the settings, for running several daemons so that only one of them notifies at a time.
package struct LeaseSettings: Equatable, Sendable {
    /// The servers of one NATS cluster; empty without a lease.
    package var urls: [String] = []
    /// The name of the credential with the login; nil for none.
    package var credential: String?
    /// The key-value bucket in NATS, 1 to 64 letters, digits, dashes and underscores; created if it is missing.
    package var bucket = "alertd"
    /// The key in the bucket. Daemons with the same bucket and key share the lease.
    package var key = "leader"
    /// The name of this daemon in messages; nil for the host name.
    package var name: String?
    /// Duration of the lease without a renewal.
    package var length = Milliseconds.seconds(30)
    /// A file with certificate authorities that replace the system's.
    package var authorityFile: String?
    /// True if an unencrypted connection to another machine is allowed.
    package var allowsPlain = false

    /// Creates the default: no lease.
    package init() {}

    package var isEnabled: Bool { !urls.isEmpty }
}
