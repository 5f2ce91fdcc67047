package import EventLoop
package import Rules

/// Told events as lines for people on standard output.
///
/// Standard output can be a pipe that nobody reads: up to 256 KiB of lines are kept, beyond that the oldest are
/// dropped. A reader that is gone ends the sink; events after that count as failed.
@LoopActor
package final class StdoutSink: Sink {
    package let name = "stdout"
    private let output: LineOutput
    private lazy var turnEnd = TurnEnd { [weak self] in self?.flush() }

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

    package func deliver(_ event: Event) {
        guard event.occurrence.told else { return }
        output.push(ReadableLine.encoded(event))
        turnEnd.schedule()
    }

    package func flush() {
        output.flush()
    }
}
