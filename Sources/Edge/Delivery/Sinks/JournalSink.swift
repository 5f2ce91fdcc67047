package import EventLoop
package import Events
internal import Glibc
package import Journal
internal import UnixSockets

/// A sink that writes notified events as structured journal entries.
@LoopActor
package final class JournalSink: Sink {
    package let name = SinkKind.journal.rawValue
    package private(set) var counters = SinkCounters()
    private var delivery = DeliveryCursor()
    private let send: @LoopActor (JournalEntry) -> Int32
    private let socket: String

    package convenience init() {
        self.init { $0.send() }
    }

    /// - Parameters:
    ///   - socket: the socket of journald.
    ///   - send: sends an entry, and returns 0 or a negative error number.
    package init(socket: String = "/run/systemd/journal/socket", send: @escaping @LoopActor (JournalEntry) -> Int32) {
        self.socket = socket
        self.send = send
    }

    package var cursor: Int64? { delivery.number }

    package func resume(after number: Int64) {
        delivery = DeliveryCursor(after: number)
    }

    /// Sends a notified event to the journal. If journald is not listening, the entry is lost; like the C library,
    /// the sink does not count that as a failure.
    package func deliver(_ event: Event) {
        guard accepts(event) else { return delivery.pass(event.number) }
        let status = send(JournalEntry(event))
        if status >= 0 {
            counters.delivered += 1
            delivery.deliver(event.number)
        } else {
            counters.failed += 1
            delivery.recordFailure()
            counters.lastFailure = "event \(event.number): \(describe(errorNumber: -status))"
        }
    }

    /// Does nothing, because each entry is sent immediately.
    package func flush() {}

    package func outcome(of number: Int64) -> DeliveryOutcome {
        guard delivery.number >= number else { return .failed(counters.lastFailure ?? "not accepted") }
        return unsafe access(socket, F_OK) == 0
            ? .delivered("accepted by the journal") : .failed("no journal is listening at \(socket)")
    }
}
