internal import Delivery
internal import EventLoop
internal import Glibc
internal import Journal
internal import Varlink

/// The number of descriptors that this process may have open.
enum DescriptorLimit {
    /// Descriptors in addition to those of event readers: one for each client of the control socket, and 64 for the
    /// daemon's own files, sockets and requests.
    static let reserve = VarlinkLimits().places.total + 64

    /// Raises the limit for this number of readers, and warns if not all of them can connect.
    ///
    /// - Returns: the number of readers that can connect. More of them would use the descriptors of the control socket.
    /// - Throws: ``StartError`` if the limit is too low even without readers. Clients of the control socket could
    ///   then use the descriptors that polling needs.
    @LoopActor static func prepare(forReaders readers: Int, _ log: Log) throws(StartError) -> Int {
        let possible = raise(forReaders: readers)
        if let limit = tooLow() {
            throw StartError(
                message: "the limit on open files is \(limit), but at least \(reserve) are needed; raise LimitNOFILE= "
                    + "of the service, or `ulimit -n`")
        }
        guard let possible else { return readers }
        log.warning(
            "event_readers is \(readers), but the limit on open files allows only \(possible); raise LimitNOFILE= of "
                + "the service", id: .limitTooLow)
        return possible
    }

    /// Raises the limit, which is usually 1,024, so that as many readers can connect as the settings allow.
    ///
    /// - Parameter readers: the maximum number of readers of events.
    /// - Returns: nil on success; otherwise the number of readers that can connect.
    static func raise(forReaders readers: Int) -> Int? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let needed = rlim_t(readers + reserve)
        guard limit.rlim_cur < needed else { return nil }
        limit.rlim_cur = min(needed, limit.rlim_max)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur < needed ? max(0, Int(limit.rlim_cur) - reserve) : nil
    }

    /// Reads the limit.
    ///
    /// - Returns: the limit if it is too low even without readers; otherwise nil.
    private static func tooLow() -> Int? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur < rlim_t(reserve) ? Int(limit.rlim_cur) : nil
    }
}
