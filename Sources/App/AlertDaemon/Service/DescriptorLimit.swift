internal import Glibc

/// The number of descriptors that this process may have open.
enum DescriptorLimit {
    /// Beside the readers of events: the clients of the control socket (64), and what the daemon itself holds.
    static let reserve = 64 + 64

    /// Raises the limit so that as many readers can be connected as the settings allow; the usual one is 1,024.
    ///
    /// - Parameter readers: the most readers of events.
    /// - Returns: nil when that many can be; else how many can.
    static func raise(forReaders readers: Int) -> Int? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let needed = rlim_t(readers + reserve)
        guard limit.rlim_cur < needed else { return nil }
        limit.rlim_cur = min(needed, limit.rlim_max)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur < needed ? max(0, Int(limit.rlim_cur) - reserve) : nil
    }
}
