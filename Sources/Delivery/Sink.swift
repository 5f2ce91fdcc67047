package import EventLoop
package import Rules

/// Where events go to. A sink never holds up the caller: what it cannot take at once it keeps, within a bound, or
/// drops and counts.
@LoopActor
package protocol Sink: AnyObject {
    /// One word, as in the settings: `journal`, `stdout`, `socket`.
    var name: String { get }
    var counters: SinkCounters { get }

    /// Takes one event; called in the order of the numbers.
    func deliver(_ event: Event)

    /// Hands on what waits, for as long as that needs no waiting.
    func flush()
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
