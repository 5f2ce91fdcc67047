package import EventLoop
package import Events

/// The sinks that there are; the raw value is the name in settings, status and drills.
package enum SinkKind: String, CaseIterable, Sendable {
    case socket
    case journal
    case stdout
}

/// A destination of events. A sink never blocks its caller: what it cannot take at once it keeps within a limit, or
/// drops and counts.
///
/// A sink with a cursor learns once where to continue (``resume(after:)``) and gets the events that it missed. Then
/// every sink is started and gets each new event, notified or not, in the order of the numbers, until it is stopped.
@LoopActor
package protocol Sink: AnyObject {
    /// The name in settings, status and drills.
    var name: String { get }
    /// What it has done since the start, in events.
    var counters: SinkCounters { get }

    /// The number of the last event up to which everything was delivered or is not for this sink, so that after a
    /// restart the events after it follow. It stays before an event that could not be delivered until a later one was.
    /// Nil for a sink whose readers keep their own position.
    var cursor: Int64? { get }

    /// The smallest number of the last event that any reader had that was inherited from an earlier process; nil when
    /// there are none.
    var inheritedCursor: Int64? { get }

    /// The clients that read from this sink; nil for a sink without clients.
    var readers: SinkReaders? { get }

    /// Continues after the event of that number, before the first event or when events were renumbered.
    func resume(after number: Int64)

    /// Starts, after the events that were missed.
    ///
    /// - Parameters:
    ///   - number: of the last event.
    ///   - onProgress: to be called when ``cursor`` has moved without a new event, such as when there is room again.
    func start(after number: Int64, onProgress: @escaping @LoopActor () -> Void)

    /// Takes the next event, notified or not, without waiting; after the last one, ``flush()`` is called. What fails is
    /// counted in ``counters`` and not thrown.
    func deliver(_ event: Event)

    /// Passes on what is queued, as far as that is possible without waiting.
    func flush()

    /// The result of the event of that number, which was the last one for this sink.
    func outcome(of number: Int64) -> DeliveryOutcome

    /// Passes on what is possible without waiting, and lets go of everything; it gets no more events.
    func stop()
}

extension Sink {
    /// Whether the event is a notification, and not one for another sink.
    func accepts(_ event: Event) -> Bool {
        event.occurrence.notified && (event.occurrence.sink == nil || event.occurrence.sink == name)
    }

    package var inheritedCursor: Int64? { nil }
    package var readers: SinkReaders? { nil }
    package func start(after number: Int64, onProgress: @escaping @LoopActor () -> Void) {}
    package func stop() { flush() }
}

/// How many clients read from a sink.
package struct SinkReaders: Equatable, Sendable {
    /// Those that are connected now.
    package var count: Int
    /// The most that may be connected at the same time.
    package var limit: Int
    /// How many were turned away.
    package var refused: Int

    package init(count: Int, limit: Int, refused: Int = 0) {
        (self.count, self.limit, self.refused) = (count, limit, refused)
    }
}

/// The result of delivering an event to a sink; the texts are for people.
package enum DeliveryOutcome: Equatable, Sendable {
    case delivered(String?)
    /// It is queued until there is room.
    case waiting(String)
    case failed(String)
}

/// What a sink has done since the start, in events.
package struct SinkCounters: Equatable, Sendable {
    /// Events that were handed over completely.
    package var delivered = 0
    /// Events dropped because a limit was reached.
    package var dropped = 0
    /// Events that could not be handed over.
    package var failed = 0
    /// Events that wait now; if there are several readers, for the one furthest behind.
    package var queued = 0
    /// The reason of the last failure; nil when nothing has failed.
    package var lastFailure: String?

    /// Nothing has been delivered yet.
    package init() {}
}
