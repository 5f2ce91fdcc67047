package import EventLoop
package import Events
internal import Glibc
internal import Journal

/// Notified events as structured records of the journal.
@LoopActor
package final class JournalSink: Sink {
    package let name = "journal"
    package private(set) var counters = SinkCounters()
    private var place = DeliveryCursor()
    private let send: @LoopActor (JournalEntry) -> Int32
    private let socket: String

    package convenience init() {
        self.init { $0.send() }
    }

    /// - Parameters:
    ///   - socket: where journald listens.
    ///   - send: takes a record, and returns 0 or a negative error number.
    init(socket: String = "/run/systemd/journal/socket", send: @escaping @LoopActor (JournalEntry) -> Int32) {
        self.socket = socket
        self.send = send
    }

    package var cursor: Int64? { place.number }

    package func resume(after number: Int64) {
        place = DeliveryCursor(after: number)
    }

    /// Where no journald listens the record goes nowhere; that is no failure, as it is none for the C library.
    package func deliver(_ event: Event) {
        guard takes(event) else { return place.pass(event.number) }
        let status = send(JournalEntry(event))
        if status >= 0 {
            counters.delivered += 1
            place.deliver(event.number)
        } else {
            counters.failed += 1
            place.hold()
            counters.lastFailure = "event \(event.number): \(describe(errorNumber: -status))"
        }
    }

    /// Nothing waits here: a record is handed over at once.
    package func flush() {}

    package func outcome(of number: Int64) -> DeliveryOutcome {
        guard place.number >= number else { return .failed(counters.lastFailure ?? "not accepted") }
        return unsafe access(socket, F_OK) == 0
            ? .delivered("accepted by the journal") : .failed("no journal listens at \(socket)")
    }
}
