internal import EventLoop
internal import Events
internal import HTTP
internal import Market
package import Receivers
internal import Time

extension NotificationService {
    /// Makes the receivers wait for a lease. Returns nil if the settings have none.
    package func standBy(_ settings: LeaseSettings, instance: String, machine: String) -> LeaseKeeper? {
        guard settings.isEnabled else { return nil }
        let store = NATSLeaseStore(settings, environment)
        return standBy(settings, instance: instance, name: settings.name ?? machine, store: store)
    }

    func standBy(
        _ settings: LeaseSettings, instance: String, name: String, store: any LeaseStore
    ) -> LeaseKeeper {
        let keeper = LeaseKeeper(settings, instance: instance, name: name, store: store, service: self)
        mayNotify = { [weak keeper] in keeper?.isHeld ?? false }
        standbyReason = { [weak keeper] in keeper?.standbyReason ?? "the lease is not held yet" }
        return keeper
    }

    /// Returns the state that other daemons need to take over from this one.
    func leaseRecord(holder: String, name: String) -> LeaseRecord {
        var record = LeaseRecord(holder: holder, name: name)
        for (source, time) in host?.polledThrough() ?? [:] { record.polled[source.description] = time }
        for view in views { record.oldest[view.receiver.name] = view.queued.map(\.time).min() }
        return record
    }

    /// Drops events that the holder of the lease has notified.
    func dropCovered(by record: LeaseRecord) {
        guard let host else { return }
        var other = record
        // A time in the future comes from a clock that is too far off. Such a time says nothing about what the other
        // daemon has seen.
        let newest = WallTime(milliseconds: environment.clock.now().wall.milliseconds + LeaseRecord.skew.count)
        other.polled = other.polled.filter { $0.value <= newest }
        for view in views where !view.queued.isEmpty {
            let name = view.receiver.name
            // Events after the latest poll of the other daemon cannot be covered, so their sources are not looked up.
            let old = view.queued.filter { other.covers($0.time, of: nil, at: name) }
            let sources = Dictionary(
                host.events(numbered: old.map(\.number)).map { ($0.number, $0.occurrence.source?.description) }
            ) { first, _ in first }
            let covered = old.prefix { entry in
                guard let source = sources[entry.number] else { return true }
                return other.covers(entry.time, of: source, at: name)
            }
            if let last = covered.last { drop(name, through: last.number, "notified by \(other.name)") }
        }
        save()
    }
}

extension NotificationEnvironment {
    /// Returns the client for a lease. All servers together get the time between two renewals, so that the lease is
    /// not lost to servers that hang while another server answers.
    @LoopActor
    func client(for settings: LeaseSettings) -> any NotificationSending {
        var configuration = HTTPConfiguration(userAgent: userAgent)
        configuration.authorityFile = settings.authorityFile
        configuration.allowsPlainHTTP = settings.allowsPlain
        configuration.totalLimit = Milliseconds(settings.length.count / 3 / Int64(max(1, settings.urls.count)))
        configuration.connectLimit = min(.seconds(5), configuration.totalLimit)
        configuration.proxy = proxy
        return client(configuration)
    }

    func login(of settings: LeaseSettings) throws(ReceiverFault) -> String? {
        guard let name = settings.credential else { return nil }
        return try secret(name)
    }
}
