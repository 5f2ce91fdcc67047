package import EventLoop
internal import Glibc
package import Rules

/// Every event, also the untold ones, as JSON lines for whoever connects to a Unix socket.
///
/// A reader gets what comes from its connection on. One that does not keep up loses the oldest lines and gets
/// `{"missed":3,"next":17}` in their place; what readers send is thrown away.
@LoopActor
package final class EventSocket: Sink {
    package let name = "socket"
    /// The most readers at one time.
    package let limit: Int
    /// Connections that were turned away because of ``limit``.
    package private(set) var refused = 0

    private let listener: UnixListener
    private let fanout = Fanout()
    private var published = 0
    private lazy var turnEnd = TurnEnd { [weak self] in self?.flush() }

    /// Listens, and accepts readers at once.
    ///
    /// - Parameters:
    ///   - path: where; its folder exists. The socket's owner and group may read.
    ///   - limit: the most readers at one time; one more gets an error in JSON and is closed.
    /// - Throws: ``UnixSocketError``; `inUse` when a living process listens there.
    package init(path: String, limit: Int) throws(UnixSocketError) {
        self.limit = limit
        listener = try UnixListener(path: path, mode: 0o660)
        listener.start { [weak self] descriptor in
            guard let self else {
                close(descriptor)
                return
            }
            accept(descriptor)
        }
    }

    package var readerCount: Int { fanout.readerCount }

    /// Delivered are events that were published, dropped are lines that readers missed, over all readers.
    package var counters: SinkCounters {
        var counters = SinkCounters()
        counters.delivered = published
        counters.dropped = fanout.missed
        return counters
    }

    /// Its readers begin with what comes next; those of the control socket resume by number.
    package var cursor: Int64? { nil }

    package func resume(after number: Int64) {}

    package func deliver(_ event: Event) {
        published += 1
        // Who connects later gets later events only: without readers there is nothing to keep.
        guard fanout.readerCount > 0 else { return }
        fanout.publish(EventLine.encoded(event), number: event.number)
        turnEnd.schedule()
    }

    package func flush() {
        fanout.flush()
    }

    /// Sends what waits as far as there is room, closes all connections and removes the socket file.
    package func stop() {
        flush()
        listener.stop()
        fanout.closeAll()
    }

    private func accept(_ descriptor: Int32) {
        guard fanout.readerCount < limit else { return refuse(descriptor) }
        fanout.add(descriptor)
    }

    private func refuse(_ descriptor: Int32) {
        refused += 1
        var writer = JSONObjectWriter()
        writer.field("error", "too many readers")
        writer.field("limit", Int64(limit))
        // A new connection has room for a line; when it is broken already there is nobody to tell.
        _ = sendNow(descriptor, writer.line())
        close(descriptor)
    }
}
