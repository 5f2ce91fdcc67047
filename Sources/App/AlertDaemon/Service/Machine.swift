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

/// The parts of a machine that a daemon uses, other than files and sockets. A simulation has its own.
package struct Machine {
    package var clock: any TimeSource = SystemClock()
    /// The identity of this boot; empty if it is not known.
    package var bootID = bootIdentity()
    /// Creates the clients for requests.
    package var client: @LoopActor (HTTPConfiguration) -> any HTTPFetching = { HTTPClient($0) }
    /// Creates the clients for notifications.
    package var sender: @LoopActor @Sendable (HTTPConfiguration) -> any NotificationSending = { HTTPClient($0) }
    /// The source of the jitter of requests.
    package var random: any RandomNumberGenerator & Sendable = JitterRandom()
    /// The name of a registered SQLite VFS for the state file; nil for the system's own.
    package var vfs: String?
    /// Sends an entry to the journal and returns 0 or a negative error number; nil for the system's journal.
    package var journal: (@LoopActor (JournalEntry) -> Int32)?
    /// The descriptor that the sink `stdout` writes to.
    package var standardOutput: Int32 = 1
    /// A sink in addition to those of the settings. It is the first to get each event.
    package var observer: (any Sink)?

    package init() {}
}

/// One run of a daemon, from its start to its end, on a given machine.
@LoopActor
package final class DaemonLife {
    private let daemon: Daemon
    private let end = OneShot<Signal, Never>()

    /// Reads the settings and starts, without a service manager.
    ///
    /// - Throws: an error if the settings are invalid, or the daemon cannot start.
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
    /// The states of the checks that compare prices, by their names, in the form in which they are stored.
    package var checks: [String: String] {
        Dictionary(uniqueKeysWithValues: pipeline.checks.all.map { ($0.check.name, $0.state.encoded) })
    }
    /// The number of events in memory.
    package var keptEventCount: Int { daemon.pipeline.events.kept.count }
    /// The highest number of an event.
    package var lastNumber: Int64 { daemon.pipeline.events.lastNumber }
    /// The highest number of an event in the state file.
    package var savedNumber: Int64 { daemon.pipeline.stateStore.store.lastNumber }
    /// Returns the events that are being sent to a receiver.
    package func openEvents(of receiver: String) -> [Int64] {
        pipeline.receivers?.openEvents(of: receiver) ?? []
    }
    /// True if the state file could be read.
    package var wasRead: Bool { daemon.pipeline.stateStore.wasRead }
    /// True while nothing can be saved.
    package var isDegraded: Bool { daemon.pipeline.stateStore.isDegraded }

    /// Serves and polls until ``terminate()``.
    package func run() async { await daemon.serve(until: end) }

    /// Shuts the daemon down, like SIGTERM.
    package func terminate() { end.finish(.success(.terminate)) }

    /// Reloads the settings, like SIGHUP.
    ///
    /// - Returns: true if the settings were valid.
    package func reload() -> Bool {
        if case .success = daemon.reload() { true } else { false }
    }
}
