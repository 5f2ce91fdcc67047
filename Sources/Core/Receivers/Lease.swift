package import Time

/// What the holder of a lease writes for the daemons that stand by.
package struct LeaseRecord: Equatable, Sendable {
    /// The instance of its state file.
    package var holder: String
    /// Its name in messages.
    package var name: String
    /// Whether it has given up the lease.
    package var isReleased: Bool
    /// Until when it has seen the prices of each source.
    package var polled: [String: WallTime]
    /// The time of the oldest event that each receiver still has to get; receivers without one are absent.
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

    /// How far the clocks of two machines may be apart.
    package static let skew = Milliseconds.seconds(5)

    /// Whether the holder has notified what another daemon noticed: it has seen a later price, and has nothing of that
    /// time left to send.
    package func covers(_ time: WallTime, of source: String?, at receiver: String) -> Bool {
        let seen = source.map { polled[$0] } ?? polled.values.max()
        guard let seen, seen.since(time) >= Self.skew else { return false }
        return oldest[receiver].map { time.milliseconds + Self.skew.count < $0.milliseconds } ?? true
    }
}

/// Decides which of several daemons may notify: a state machine without a clock or a connection.
///
/// The holder renews the lease, and stops when its own clock says that the lease is over, counted from the moment at
/// which it *sent* the last renewal that succeeded. Another daemon takes the lease when it has seen no renewal for as
/// long, counted from when it *saw* the last one, which is later. So two never hold it at once, whatever their clocks
/// say.
package struct Lease: Equatable, Sendable {
    /// What is to be done next.
    package enum Step: Equatable, Sendable {
        /// Find out who holds it.
        case read
        /// Take or renew it, if the stored record is still of that revision.
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

    /// The name of this daemon among those that share the lease.
    package let holder: String
    /// How long a lease holds after it was written.
    package let length: Milliseconds
    private var holding: Holding?
    private var sighting: Sighting?
    /// What was last read from another holder.
    package private(set) var other: LeaseRecord?

    package init(holder: String, length: Milliseconds) {
        self.holder = holder
        self.length = length
    }

    /// How often it is renewed or looked at.
    package var period: Milliseconds { Milliseconds(length.count / 3) }

    /// The holder stops this long before its lease is over.
    private var margin: Milliseconds { Milliseconds(length.count / 10) }

    /// Until when this daemon may notify; nil if it may not.
    package var end: BootTime? { holding?.end }

    /// The number of the last change of the lease, which grows with each holder.
    package var revision: UInt64? { holding?.revision ?? sighting?.revision }

    /// Whether this daemon holds the lease, by its own clock.
    package func isHeld(at now: BootTime) -> Bool { holding.map { now < $0.end } ?? false }

    /// What to do now.
    package func step(at now: BootTime) -> Step {
        if let holding, now < holding.end { return .write(revision: holding.revision) }
        return .read
    }

    /// Takes what was read: the record and its revision, nil if there is none.
    ///
    /// - Returns: the revision to replace; nil if another daemon has the lease.
    package mutating func take(_ found: (record: LeaseRecord, revision: UInt64)?, at now: BootTime) -> UInt64? {
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

    /// Takes the answer to a write that was sent at a time: its revision, or nil if another daemon was faster.
    package mutating func wrote(_ revision: UInt64?, sent time: BootTime) {
        guard let revision else {
            holding = nil
            return
        }
        other = nil
        holding = Holding(
            revision: revision, end: time.advanced(by: Milliseconds(length.count - margin.count)))
    }

    /// Forgets the lease, because it is over.
    package mutating func lose() { holding = nil }
}

/// The section `[lease]` of the settings: where several daemons agree on which of them notifies.
package struct LeaseSettings: Equatable, Sendable {
    /// The servers of one NATS cluster; empty without a lease.
    package var urls: [String] = []
    /// The name of the credential with the login; nil without one.
    package var credential: String?
    /// The key-value store in NATS, 1 to 64 letters, digits, dashes and underscores; made if it is missing.
    package var bucket = "alertd"
    /// The key in it; daemons with the same bucket and key share the lease.
    package var key = "leader"
    /// The name of this daemon in messages; the name of the machine when nil.
    package var name: String?
    /// How long the lease lasts without being renewed.
    package var length = Milliseconds.seconds(30)
    /// A file with certificate authorities that replace the system's.
    package var authorityFile: String?
    /// Whether an unencrypted connection to another machine is allowed.
    package var allowsPlain = false

    /// The defaults: no lease.
    package init() {}

    package var isEnabled: Bool { !urls.isEmpty }
}
