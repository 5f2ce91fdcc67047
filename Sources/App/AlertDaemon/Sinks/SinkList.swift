internal import Configuration
internal import Delivery
internal import EventLoop
internal import ServiceManager
internal import UnixSockets

/// Makes the sinks that the settings enable; the one place where sinks are made.
///
/// - Parameters:
///   - settings: `[sinks]`.
///   - options: where sockets are.
///   - context: sockets and clients inherited from an earlier process.
/// - Returns: the sinks, in the order in which they get each event.
/// - Throws: ``UnixSocketError`` when a socket cannot be opened.
@LoopActor
func makeSinks(
    _ settings: SinkSettings, _ options: DaemonOptions, _ context: ServiceManagerContext
) throws(UnixSocketError) -> [any Sink] {
    var sinks: [any Sink] = []
    for kind in SinkKind.allCases {
        switch kind {
        case .socket: sinks.append(try context.events(options.eventSocket, limit: settings.eventReaders))
        case .journal where settings.journal: sinks.append(JournalSink())
        // Standard output may be the journal, which the events reach as structured entries.
        case .stdout where settings.stdout && !stdoutIsJournal(): sinks.append(StdoutSink())
        case .journal, .stdout: break
        }
    }
    return sinks
}
