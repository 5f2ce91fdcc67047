/// The rank of the peer of a socket. A higher rank has more places.
package enum PeerRank: Int, CaseIterable, Comparable, Sendable {
    /// May read, but not change anything.
    case reader
    /// May change something: a member of the group of administrators.
    case administrator
    /// Root and the daemon's own user.
    case owner

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The priority of the peer's calls.
    package var priority: LoopPriority { self == .reader ? .client : .administration }
}

/// Limits on the connections that are open at the same time.
package struct ConnectionLimits: Equatable, Sendable {
    /// All connections.
    package var total: Int
    /// Connections of users below the rank of owner.
    package var belowOwners: Int
    /// Connections of users who may only read.
    package var readers: Int
    /// Connections of one administrator.
    package var perAdministrator: Int
    /// Connections of one user who may only read.
    package var perReader: Int

    package init(total: Int, belowOwners: Int, readers: Int, perAdministrator: Int, perReader: Int) {
        self.total = total
        self.belowOwners = belowOwners
        self.readers = readers
        self.perAdministrator = perAdministrator
        self.perReader = perReader
    }

    /// Derives the limits of a socket. A sixteenth of the places is reserved for owners and another one for
    /// administrators. One user may have half of the rest, or eight places if that is more.
    package init(total: Int) {
        let kept = total / 16
        let perUser = max((total - 2 * kept) / 2, min(total, 8))
        self.init(
            total: total, belowOwners: total - kept, readers: total - 2 * kept, perAdministrator: perUser,
            perReader: perUser)
    }
}

/// The connections of a socket, counted by user, so that one user cannot occupy all places.
package struct ConnectionPlaces: Sendable {
    package let limits: ConnectionLimits
    /// The number of connections that were turned away.
    package private(set) var refused = 0

    private var perRank = [Int](repeating: 0, count: PeerRank.allCases.count)
    private var perUser: [UInt32: Int] = [:]

    package init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    /// The number of open connections.
    package var count: Int { perRank.reduce(0, +) }

    /// Reserves a place for a new connection.
    ///
    /// - Returns: false if there is no place; the refusal is counted.
    package mutating func reserve(_ user: UInt32, _ rank: PeerRank) -> Bool {
        guard hasRoom(for: user, rank) else {
            refused += 1
            return false
        }
        add(user, rank)
        return true
    }

    /// Counts a connection that already exists, whatever the limits.
    package mutating func add(_ user: UInt32, _ rank: PeerRank) {
        perRank[rank.rawValue] += 1
        perUser[user, default: 0] += 1
    }

    /// Releases the place of a connection.
    package mutating func remove(_ user: UInt32, _ rank: PeerRank) {
        perRank[rank.rawValue] -= 1
        let rest = (perUser[user] ?? 1) - 1
        perUser[user] = rest > 0 ? rest : nil
    }

    private func hasRoom(for user: UInt32, _ rank: PeerRank) -> Bool {
        let own = perUser[user] ?? 0
        let readers = perRank[PeerRank.reader.rawValue]
        let belowOwners = readers + perRank[PeerRank.administrator.rawValue]
        guard count < limits.total else { return false }
        return switch rank {
        case .owner: true
        case .administrator: own < limits.perAdministrator && belowOwners < limits.belowOwners
        case .reader: own < limits.perReader && readers < limits.readers && belowOwners < limits.belowOwners
        }
    }
}
