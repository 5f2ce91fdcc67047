internal import Configuration
package import Delivery
internal import Engine
package import EventLoop
package import Events
package import ExchangeRates
package import Feeds
package import HTTP
package import Journal
package import Notifications
internal import Rules
internal import ServiceManager
internal import Storage

/// What a daemon uses of its machine, besides files and sockets. A simulation has its own.
package struct Machine {
    package var clock: any TimeSource = SystemClock()
    /// Identifies this boot; empty when it is not known.
    package var bootID = bootIdentity()
    /// Makes the clients for requests.
    package var client: @LoopActor (HTTPConfiguration) -> any HTTPFetching = { HTTPClient($0) }
    /// Makes the clients for notifications.
    package var sender: @LoopActor @Sendable (HTTPConfiguration) -> any NotificationSending = { HTTPClient($0) }
    /// Where the jitter of requests comes from.
    package var random: any RandomNumberGenerator & Sendable = JitterRandom()
    /// The name of a registered SQLite VFS for the state file; nil for the system's own.
    package var vfs: String?
    /// Takes entries of the journal and returns 0 or a negative error number; nil for the system's journal.
    package var journal: (@LoopActor (JournalEntry) -> Int32)?
    /// The descriptor that the sink `stdout` writes to.
    package var standardOutput: Int32 = 1
    /// A sink in addition to those of the settings, which gets each event before them.
    package var observer: (any Sink)?

    package init() {}
}

/// One life of a daemon, from its start to its end, on a machine of the caller's choice.
@LoopActor
package final class DaemonLife {
    private let daemon: Daemon
    private let end = OneShot<Signal, Never>()

    /// Reads the settings and starts, without a service manager.
    ///
    /// - Throws: when the settings are wrong, or the daemon cannot start.
    package init(_ options: DaemonOptions, log: Log, machine: Machine) throws {
        let context = ServiceManagerContext(
            services: ServiceManager(), inheritedDescriptors: InheritedDescriptors([]))
        daemon = try Daemon(
            options, loaded: try SettingsLoader().load(options.configuration), log: log, context: context,
            machine: machine)
    }

    package var pipeline: Pipeline { daemon.pipeline }
    /// The reference rates in effect.
    package var rates: RateTable? { daemon.exchangeRates.state.rates }
    package var silences: SilenceList { daemon.pipeline.silences }
    /// The states of the checks of prices against each other, by their names, as they are stored.
    package var checks: [String: String] {
        Dictionary(uniqueKeysWithValues: pipeline.checks.all.map { ($0.check.name, $0.state.encoded) })
    }
    /// How many events are in memory.
    package var keptEventCount: Int { daemon.pipeline.events.kept.count }
    /// The greatest number of an event.
    package var lastNumber: Int64 { daemon.pipeline.events.lastNumber }
    /// The greatest number of an event in the state file.
    package var savedNumber: Int64 { daemon.pipeline.stateStore.store.lastNumber }
    /// The events that are being sent to a receiver.
    package func openEvents(of receiver: String) -> [Int64] {
        pipeline.receivers?.openEvents(of: receiver) ?? []
    }
    /// Whether the state file could be read.
    package var wasRead: Bool { daemon.pipeline.stateStore.wasRead }
    /// Whether nothing can be saved at the moment.
    package var isDegraded: Bool { daemon.pipeline.stateStore.isDegraded }

    /// Serves and polls until ``terminate()``.
    package func run() async { await daemon.serve(until: end) }

    /// What SIGTERM does.
    package func terminate() { end.finish(.success(.terminate)) }

    /// What SIGHUP does.
    ///
    /// - Returns: whether the settings were right.
    package func reload() -> Bool {
        if case .success = daemon.reload() { true } else { false }
    }
}
