/// Who is at the other end of a socket. The higher, the more places there are.
package enum PeerRank: Int, CaseIterable, Comparable, Sendable {
    /// May look, but not change anything.
    case reader
    /// May change something: a member of the group of administrators.
    case administrator
    /// Root and the daemon's own user.
    case owner

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// What the calls of the peer wait for.
    package var priority: LoopPriority { self == .reader ? .client : .administration }
}

/// How many connections there may be at the same time.
package struct ConnectionLimits: Equatable, Sendable {
    /// All together.
    package var total: Int
    /// Those of users below the rank of owner.
    package var belowOwners: Int
    /// Those of users who may only look.
    package var readers: Int
    /// Those of one administrator.
    package var perAdministrator: Int
    /// Those of one user who may only look.
    package var perReader: Int

    /// Sets each limit; ``init(total:)`` derives them from one.
    package init(total: Int, belowOwners: Int, readers: Int, perAdministrator: Int, perReader: Int) {
        self.total = total
        self.belowOwners = belowOwners
        self.readers = readers
        self.perAdministrator = perAdministrator
        self.perReader = perReader
    }

    /// The limits of one kind of socket: a sixteenth each is kept for owners and for those who may change something,
    /// and one user may have half of the rest, or eight if that is more.
    package init(total: Int) {
        let kept = total / 16
        let perUser = max((total - 2 * kept) / 2, min(total, 8))
        self.init(
            total: total, belowOwners: total - kept, readers: total - 2 * kept, perAdministrator: perUser,
            perReader: perUser)
    }
}

/// The connections of a socket by user, so that no user can take the places of all others.
package struct ConnectionPlaces: Sendable {
    /// The limits for all places and for one user.
    package let limits: ConnectionLimits
    /// How many connections were turned away.
    package private(set) var refused = 0

    private var perRank = [Int](repeating: 0, count: PeerRank.allCases.count)
    private var perUser: [UInt32: Int] = [:]

    /// All places are free.
    package init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    /// How many are connected.
    package var count: Int { perRank.reduce(0, +) }

    /// Takes a place for a new connection.
    ///
    /// - Returns: whether there is one; a refusal is counted.
    package mutating func take(_ user: UInt32, _ rank: PeerRank) -> Bool {
        guard hasRoom(for: user, rank) else {
            refused += 1
            return false
        }
        add(user, rank)
        return true
    }

    /// Counts a connection that exists already, whatever the limits.
    package mutating func add(_ user: UInt32, _ rank: PeerRank) {
        perRank[rank.rawValue] += 1
        perUser[user, default: 0] += 1
    }

    /// Gives back the place of a connection that was taken or added.
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
