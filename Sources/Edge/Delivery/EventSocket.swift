internal import Control
package import EventLoop
package import Events
internal import Glibc
internal import JSON

/// Every event, also the suppressed ones, as JSON lines for whoever connects to a Unix socket.
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
    private let fanout: Fanout
    private let places: ReaderCursors?
    /// Readers of an earlier process, until the events come to where they are; by the last that each had.
    private var returning: [(descriptor: Int32, last: Int64)] = []
    private var lastNumber: Int64 = 0
    private var published = 0
    private lazy var turnEnd = DeferredFlush { [weak self] in self?.flush() }

    /// Listens, and accepts readers at once.
    ///
    /// - Parameters:
    ///   - path: where; its folder exists. The socket's owner and group may read.
    ///   - limit: the most readers at one time; one more gets an error in JSON and is closed.
    /// - Throws: ``UnixSocketError``; `inUse` when a living process listens there.
    package convenience init(path: String, limit: Int) throws(UnixSocketError) {
        self.init(try UnixListener(path: path, mode: 0o660), limit: limit)
        start(after: 0)
    }

    /// Serves a socket that is there; who connects waits until ``start(after:)``.
    ///
    /// - Parameters:
    ///   - listener: the socket.
    ///   - limit: the most readers at one time.
    ///   - places: where readers are written down for the next process; nil when there is nobody who would keep them.
    package init(_ listener: UnixListener, limit: Int, places: ReaderCursors? = nil) {
        self.limit = limit
        self.listener = listener
        self.places = places
        fanout = Fanout(places: places)
    }

    /// Takes over readers of an earlier process. They go on where they were; one that was sent half a line, or of which
    /// it is not known, is closed.
    package func adopt(_ readers: [Int32]) {
        places?.keepOnly(readers)
        for descriptor in readers {
            guard let last = places?.last(of: descriptor) else {
                // Also for the service manager, which keeps it as well.
                shutdown(descriptor, Int32(SHUT_RDWR))
                close(descriptor)
                continue
            }
            returning.append((descriptor, last))
        }
        returning.sort { $0.last < $1.last }
    }

    /// Accepts readers from now on.
    ///
    /// - Parameter number: of the last event.
    package func start(after number: Int64) {
        lastNumber = max(lastNumber, number)
        admit(before: .max)
        listener.start { [weak self] descriptor in
            guard let self else {
                close(descriptor)
                return
            }
            accept(descriptor)
        }
    }

    package var readerCount: Int { fanout.readerCount + returning.count }

    /// Delivered are events that were published, dropped are lines that readers missed, over all readers.
    package var counters: SinkCounters {
        var counters = SinkCounters()
        counters.delivered = published
        counters.dropped = fanout.missed
        return counters
    }

    /// Its readers begin with what comes next; those of the control socket resume by number.
    package var cursor: Int64? { nil }

    /// Readers of an earlier process lack what is behind this.
    package var inheritedCursor: Int64? { returning.first?.last }

    package func resume(after number: Int64) {}

    package func deliver(_ event: Event) {
        admit(before: event.number)
        published += 1
        lastNumber = event.number
        // Who connects later gets later events only: without readers there is nothing to keep.
        guard fanout.readerCount > 0 else { return }
        fanout.publish(EventRecord(event).line, number: event.number)
        turnEnd.schedule()
    }

    package func flush() {
        fanout.flush()
    }

    package func outcome(of number: Int64) -> DeliveryOutcome {
        let behind = fanout.blockedCount
        let readers = readerCount == 0 ? "no" : "\(readerCount)"
        return .delivered(
            "\(readers) reader\(readerCount == 1 ? "" : "s")" + (behind > 0 ? ", \(behind) of them behind" : ""))
    }

    /// Readers that have all before the event get it and what follows.
    private func admit(before number: Int64) {
        let count = returning.prefix { $0.last < number }.count
        for (descriptor, last) in returning.prefix(count) { fanout.add(descriptor, after: last, isKept: true) }
        returning.removeFirst(count)
    }

    /// Sends what waits as far as there is room, closes all connections and removes the socket file, unless somebody
    /// else holds them as well.
    package func stop() {
        flush()
        listener.stop()
        fanout.closeAll()
    }

    private func accept(_ descriptor: Int32) {
        guard readerCount < limit else { return refuse(descriptor) }
        fanout.add(descriptor, after: lastNumber)
    }

    private func refuse(_ descriptor: Int32) {
        refused += 1
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        writer.member("error", "too many readers")
        writer.member("limit", limit)
        writer.endObject()
        // A new connection has room for a line; when it is broken already there is nobody to tell.
        _ = sendNow(descriptor, writer.bytes + [0x0A])
        close(descriptor)
    }
}
