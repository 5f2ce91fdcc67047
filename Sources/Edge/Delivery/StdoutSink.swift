package import EventLoop
package import Events

/// Notified events as lines for people on standard output.
///
/// Standard output can be a pipe that nobody reads: up to 256 KiB of lines are kept, beyond that the oldest are
/// dropped. A reader that is gone ends the sink; events after that count as failed.
@LoopActor
package final class StdoutSink: Sink {
    package let name = "stdout"
    private let output: LineOutput
    /// The number of the last event that was seen, notified or not.
    private var last: Int64 = 0
    /// The number of the last event that was written to its end, or where the sink began.
    private var written: Int64 { output.lastWritten ?? begin }
    private var begin: Int64 = 0
    private lazy var turnEnd = DeferredFlush { [weak self] in self?.flush() }

    /// - Parameter descriptor: stays the caller's. SIGPIPE has to be ignored.
    package convenience init(descriptor: Int32 = 1) {
        self.init(output: LineOutput(descriptor))
    }

    init(output: LineOutput) {
        self.output = output
    }

    /// Delivered are lines that were written to their end.
    package var counters: SinkCounters {
        var counters = SinkCounters()
        counters.delivered = output.written
        counters.dropped = output.dropped
        counters.failed = output.failed
        counters.lastFailure = output.lastFailure
        return counters
    }

    /// Called when lines were written that had to wait for room, as the cursor has moved then without a new event.
    package var onLateWrite: @LoopActor () -> Void {
        get { output.onLateWrite }
        set { output.onLateWrite = newValue }
    }

    package var cursor: Int64? { output.isBehind ? written : last }

    package func resume(after number: Int64) {
        (begin, last) = (number, number)
    }

    package func deliver(_ event: Event) {
        last = event.number
        guard takes(event) else { return }
        output.push(ReadableLine.encoded(event), number: event.number)
        turnEnd.schedule()
    }

    package func flush() {
        output.flush()
    }

    package func outcome(of number: Int64) -> DeliveryOutcome {
        if let last = output.lastWritten, last >= number { return .delivered("written") }
        return output.isWaiting
            ? .waiting("nobody reads standard output now") : .failed(output.lastFailure ?? "not written")
    }
}
