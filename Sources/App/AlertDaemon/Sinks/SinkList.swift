internal import Configuration
internal import Delivery
internal import EventLoop
internal import ServiceManager
internal import UnixSockets

/// Creates the sinks that the settings enable. This is the only place where sinks are created.
///
/// - Parameters:
///   - settings: `[sinks]`.
///   - readerLimit: the maximum number of readers of the event socket, for which there are enough descriptors.
///   - options: the paths of the sockets.
///   - context: sockets and clients inherited from an earlier process.
///   - machine: the journal and standard output.
/// - Returns: the sinks, in the order in which they get each event.
/// - Throws: ``UnixSocketError`` if a socket cannot be opened.
@LoopActor
func makeSinks(
    _ settings: SinkSettings, readerLimit: Int, _ options: DaemonOptions, _ context: ServiceManagerContext,
    _ machine: Machine
) throws(UnixSocketError) -> [any Sink] {
    var sinks = [machine.observer].compactMap(\.self)
    for kind in SinkKind.allCases {
        switch kind {
        case .socket: sinks.append(try context.events(options.eventSocket, limit: readerLimit))
        case .journal where settings.journal:
            sinks.append(machine.journal.map { JournalSink(send: $0) } ?? JournalSink())
        // If standard output is the journal, the events are already there as structured entries.
        case .stdout where settings.stdout && !stdoutIsJournal():
            sinks.append(StdoutSink(descriptor: machine.standardOutput))
        case .journal, .stdout: break
        }
    }
    return sinks
}
