package import EventLoop
package import Events

/// Where events go to. A sink never holds up the caller: what it cannot take at once it keeps, within a bound, or
/// drops and counts.
@LoopActor
package protocol Sink: AnyObject {
    /// One word, as in the settings: `journal`, `stdout`, `socket`.
    var name: String { get }
    var counters: SinkCounters { get }

    /// The number of the last event of which nothing is left to hand over, so that after a restart those behind it
    /// follow; nil for a sink whose readers keep their own place. It stands still at an event that could not be handed
    /// over, until a later one was.
    var cursor: Int64? { get }

    /// The number of the last event that readers had whom an earlier process left to this one; nil when there are none.
    var inheritedCursor: Int64? { get }

    /// Goes on behind the event of that number; called once, before the first event.
    func resume(after number: Int64)

    /// Takes one event; called in the order of the numbers.
    func deliver(_ event: Event)

    /// Hands on what waits, for as long as that needs no waiting.
    func flush()

    /// What became of the event of that number, which was the last one that it was given and is for it.
    func outcome(of number: Int64) -> DeliveryOutcome
}

extension Sink {
    /// Whether the event is one that is notified, and not for another sink.
    func takes(_ event: Event) -> Bool {
        event.occurrence.notified && (event.occurrence.sink == nil || event.occurrence.sink == name)
    }
}

/// What became of an event at a sink; the texts are for people.
package enum DeliveryOutcome: Equatable, Sendable {
    case delivered(String?)
    /// It is kept until there is room.
    case waiting(String)
    case failed(String)
}

extension Sink {
    package var inheritedCursor: Int64? { nil }
}

/// What a sink has done since the start.
package struct SinkCounters: Equatable, Sendable {
    package var delivered = 0
    /// Events that a bound did not leave room for.
    package var dropped = 0
    package var failed = 0
    /// The last failure, in words.
    package var lastFailure: String?

    package init() {}
}
