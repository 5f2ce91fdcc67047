package import EventLoop
package import Events

/// The kinds of sinks. The raw value is the name in settings, status and drills.
package enum SinkKind: String, CaseIterable, Sendable {
    case socket
    case journal
    case stdout
}

/// A destination of events. A sink never blocks its caller: it queues what it cannot accept immediately, up to a
/// limit, or drops and counts it.
///
/// A sink with a cursor first learns where to continue (``resume(after:)``) and gets the events that it missed. Then
/// every sink is started and gets each new event, notified or suppressed, in the order of the numbers, until it is
/// stopped.
@LoopActor
package protocol Sink: AnyObject {
    /// The name in settings, status and drills.
    var name: String { get }
    /// Counts of events since the start.
    var counters: SinkCounters { get }

    /// The number of the last event up to which nothing is left to deliver. After a restart, the sink gets the events
    /// after it. The cursor stays before an event that could not be delivered until a later event is delivered. Nil
    /// for a sink whose readers have their own positions.
    var cursor: Int64? { get }

    /// The lowest position of the readers that were inherited from an earlier process: the number of the last event
    /// that such a reader has. Nil if there are none.
    var inheritedCursor: Int64? { get }

    /// The clients that read from this sink; nil for a sink without clients.
    var readers: SinkReaders? { get }

    /// Continues after the event with this number. Called before the first event, and when events were renumbered.
    func resume(after number: Int64)

    /// Starts the sink, after it got the events that it missed.
    ///
    /// - Parameters:
    ///   - number: the number of the last event.
    ///   - onProgress: called when ``cursor`` has moved without a new event, such as when there is room again.
    func start(after number: Int64, onProgress: @escaping @LoopActor () -> Void)

    /// Accepts the next event, notified or suppressed, without blocking. After the last event of a series,
    /// ``flush()`` is called. Failures are counted in ``counters`` and not thrown.
    func deliver(_ event: Event)

    /// Passes on queued events as far as that is possible without blocking.
    func flush()

    /// Returns the result for the event with this number, which is the last event that was for this sink.
    func outcome(of number: Int64) -> DeliveryOutcome

    /// Passes on what is possible without blocking, and releases all resources. The sink gets no more events.
    func stop()
}

extension Sink {
    /// Returns true if the event is notified and not meant for another sink.
    func accepts(_ event: Event) -> Bool {
        event.occurrence.notified && (event.occurrence.sink == nil || event.occurrence.sink == name)
    }

    package var inheritedCursor: Int64? { nil }
    package var readers: SinkReaders? { nil }
    package func start(after number: Int64, onProgress: @escaping @LoopActor () -> Void) {}
    package func stop() { flush() }
}

/// The number of clients that read from a sink.
package struct SinkReaders: Equatable, Sendable {
    /// The number of clients that are connected now.
    package var count: Int
    /// The maximum number of clients that may be connected at the same time.
    package var limit: Int
    /// The number of clients that were turned away.
    package var refused: Int

    package init(count: Int, limit: Int, refused: Int = 0) {
        (self.count, self.limit, self.refused) = (count, limit, refused)
    }
}

/// The result of delivering an event to a sink; the texts are for people.
package enum DeliveryOutcome: Equatable, Sendable {
    case delivered(String?)
    /// Queued until there is room.
    case waiting(String)
    case failed(String)
}

/// Counts of the events at a sink since the start.
package struct SinkCounters: Equatable, Sendable {
    /// Events that were handed over completely.
    package var delivered = 0
    /// Events dropped because a limit was reached.
    package var dropped = 0
    /// Events that could not be handed over.
    package var failed = 0
    /// Events that are queued now; with several readers, the queue of the reader that is furthest behind.
    package var queued = 0
    /// The reason of the last failure, or nil if nothing has failed.
    package var lastFailure: String?

    package init() {}
}
