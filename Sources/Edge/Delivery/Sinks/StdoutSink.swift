package import EventLoop
package import Events

/// A sink that writes notified events as lines for people to standard output.
///
/// Standard output may be a pipe that is not read: up to 256 KiB of lines are queued, and beyond that the oldest are
/// dropped. When the reader is gone, the sink ends, and later events count as failed.
@LoopActor
package final class StdoutSink: Sink {
    package let name = SinkKind.stdout.rawValue
    private let output: LineOutput
    /// The number of the last event that was delivered to this sink, notified or suppressed.
    private var last: Int64 = 0
    /// The number of the last event that was written completely, or the position at which the sink began.
    private var written: Int64 { output.lastWritten ?? begin }
    private var begin: Int64 = 0

    /// - Parameter descriptor: a descriptor that the caller keeps. SIGPIPE must be ignored.
    package convenience init(descriptor: Int32 = 1) {
        self.init(output: LineOutput(descriptor))
    }

    init(output: LineOutput) {
        self.output = output
    }

    /// Counts of lines. A line counts as delivered when it is written completely.
    package var counters: SinkCounters {
        var counters = SinkCounters()
        counters.delivered = output.written
        counters.dropped = output.dropped
        counters.failed = output.failed
        counters.queued = output.queued
        counters.lastFailure = output.lastFailure
        return counters
    }

    package var cursor: Int64? { output.isBehind ? written : last }

    package func resume(after number: Int64) {
        (begin, last) = (number, number)
    }

    package func start(after number: Int64, onProgress: @escaping @LoopActor () -> Void) {
        output.onLateWrite = onProgress
    }

    package func deliver(_ event: Event) {
        last = event.number
        guard accepts(event) else { return }
        output.push(ReadableLine.encoded(event), number: event.number)
    }

    package func flush() {
        output.flush()
    }

    package func outcome(of number: Int64) -> DeliveryOutcome {
        if let last = output.lastWritten, last >= number { return .delivered("written") }
        return output.isWaiting
            ? .waiting("nobody is reading standard output") : .failed(output.lastFailure ?? "not written")
    }
}
