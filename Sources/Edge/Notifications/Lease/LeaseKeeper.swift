package import EventLoop
package import Receivers
internal import Time

/// An agent that acquires and renews a lease, or stands by. Receivers notify while this daemon has the lease. On
/// standby, the agent drops events that another daemon has notified.
@LoopActor
package final class LeaseKeeper {
    /// A change of the lease, for the log.
    package enum Change: Equatable, Sendable {
        case held
        /// Another daemon has the lease; the value is its name.
        case standby(String)
        /// The lease could not be renewed or read; the value is the reason.
        case failed(String)
    }

    /// The name of this daemon.
    package let name: String
    /// Called when the holder of the lease changes, or when the store of the lease fails.
    package var onChange: (Change) -> Void = { _ in }
    package private(set) var lease: Lease
    /// The reason why the last request to the store failed, or nil if it succeeded.
    package private(set) var failure: String?
    private let store: any LeaseStore
    private let service: NotificationService
    private let clock: any TimeSource
    private var reported: Change?
    private var task: Task<Void, Never>?
    private var isStopping = false
    private lazy var timer = LoopTimer { [weak self] in self?.act() }
    /// The timer that stops notifications when the lease expires.
    private lazy var end = LoopTimer { [weak self] in self?.checkEnd() }

    init(
        _ settings: LeaseSettings, instance: String, name: String, store: any LeaseStore, service: NotificationService
    ) {
        self.name = name
        self.store = store
        self.service = service
        clock = service.environment.clock
        lease = Lease(holder: "\(instance)@\(name)", length: settings.length)
    }

    /// True if this daemon may notify now.
    package var isHeld: Bool { lease.isHeld(at: clock.now().boot) }

    /// The reason why this daemon does not have the lease, for people. After a failure, the holder is not known.
    var standbyReason: String {
        if let failure { return "the lease cannot be kept: \(failure)" }
        return lease.other == nil ? "the lease is not held yet" : "another alertd holds the lease"
    }

    /// Starts to acquire the lease.
    package func start() { act() }

    /// Releases the lease, so that another daemon does not have to wait until it expires.
    package func stop() async {
        isStopping = true
        timer.disarm()
        end.disarm()
        await task?.value
        guard isHeld, case .write(let revision) = lease.step(at: clock.now().boot) else { return }
        var record = service.leaseRecord(holder: lease.holder, name: name)
        record.isReleased = true
        lease.lose()
        _ = try? await store.write(record, over: revision)
    }

    private func act() {
        guard !isStopping else { return }
        timer.arm(after: lease.period.duration)
        // A server that hangs may take longer than a period.
        guard task == nil else { return }
        task = Loop.shared.start { [self] in
            await turn()
            task = nil
        }
    }

    /// Renews the lease, or checks whether it is free.
    func turn() async {
        do throws(LeaseError) {
            try await step()
            failure = nil
        } catch {
            failure = error.text
            report(.failed(error.text))
        }
        checkEnd()
    }

    private func step() async throws(LeaseError) {
        if case .write(let revision) = lease.step(at: clock.now().boot), try await write(over: revision) { return }
        let found = try await store.read()
        if let revision = lease.observe(found, at: clock.now().boot), try await write(over: revision) { return }
        if let other = lease.other {
            service.dropCovered(by: other)
            report(.standby(other.name))
        }
    }

    private func write(over revision: UInt64) async throws(LeaseError) -> Bool {
        let sent = clock.now().boot
        let new = try await store.write(service.leaseRecord(holder: lease.holder, name: name), over: revision)
        let wasHeld = isHeld
        lease.wrote(new, sent: sent)
        guard isHeld, let over = lease.end else {
            checkEnd()
            return false
        }
        end.arm(after: over.since(clock.now().boot).duration)
        report(.held)
        if !wasHeld { service.wake() }
        return true
    }

    private func checkEnd() {
        guard !isHeld else { return }
        lease.lose()
        end.disarm()
        service.pause()
    }

    /// Reports each change once. A failure is reported too, but while the lease lasts, this daemon continues to
    /// notify.
    private func report(_ change: Change) {
        guard change != reported else { return }
        reported = change
        onChange(change)
    }
}
