package import Time

/// A user of the machine, as known to the kernel and the user database at the time of an action.
package struct UserIdentity: Hashable, Sendable {
    /// The numeric user id.
    package let id: UInt32
    /// Nil if the user has no name, or one that is not 1 to 64 visible ASCII characters without a colon.
    package let name: String?

    /// Creates an identity; a name that cannot be displayed safely is dropped, see ``name``.
    package init(id: UInt32, name: String? = nil) {
        self.id = id
        self.name = name.flatMap { name in
            let isPlain = name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3A }
            return isPlain && (1...64).contains(name.utf8.count) ? name : nil
        }
    }
}

extension UserIdentity: CustomStringConvertible {
    package var description: String { name ?? "uid \(id)" }
}

extension UserIdentity {
    /// The stored form, which ``init(encoded:)`` reads: `1000:anna`.
    package var encoded: String { "\(id):\(name ?? "")" }

    /// Reads what ``encoded`` writes; nil for any other text.
    package init?(encoded: some StringProtocol) {
        let parts = encoded.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let id = UInt32(parts[0]) else { return nil }
        self.init(id: id, name: parts[1].isEmpty ? nil : String(parts[1]))
        guard (name == nil) == parts[1].isEmpty else { return nil }
    }
}

/// The acknowledgement of a firing: the user and the time.
package struct Acknowledgement: Hashable, Sendable {
    package let user: UserIdentity
    /// By the wall clock.
    package let time: WallTime

    package init(by user: UserIdentity, at time: WallTime) {
        self.user = user
        self.time = time
    }
}

extension Acknowledgement {
    /// The stored form, which ``init(encoded:)`` reads: `1700000000000:1000:anna`.
    package var encoded: String { "\(time.milliseconds):\(user.encoded)" }

    /// Reads what ``encoded`` writes; nil for any other text.
    package init?(encoded: String) {
        let parts = encoded.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(parts[0]), let user = UserIdentity(encoded: parts[1]) else {
            return nil
        }
        self.init(by: user, at: WallTime(milliseconds: time))
    }
}
