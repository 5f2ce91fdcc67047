internal import Glibc

/// The number of descriptors that this process may have open.
enum DescriptorLimit {
    /// In addition to the event readers: the clients of the control socket (64), and what the daemon itself opens.
    static let reserve = 64 + 64

    /// Raises the limit, which is usually 1,024, so that as many readers can connect as the settings allow.
    ///
    /// - Parameter readers: the most readers of events.
    /// - Returns: nil when that succeeds; otherwise how many readers can connect.
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
