internal import Control
package import EventLoop
package import Events
internal import Glibc
internal import JSON
package import UnixSockets

/// A sink that sends every event, including suppressed ones, as JSON lines to the clients of a Unix socket.
///
/// A reader gets the events that occur after it has connected. A reader that does not keep up loses the oldest lines
/// and gets `{"missed":3,"next":17}` in their place. Input from readers is discarded.
@LoopActor
package final class EventSocket: Sink {
    package let name = SinkKind.socket.rawValue
    private let limit: Int

    package let listener: UnixListener
    private let rank: @LoopActor (PeerCredentials) -> PeerRank
    private let credentials: @LoopActor (Int32) -> PeerCredentials?
    private var places: ConnectionPlaces
    /// The user and the rank of each connection that has a place, by descriptor.
    private var peers: [Int32: (user: UInt32, rank: PeerRank)] = [:]
    private let youth: Duration
    private lazy var fanout = Fanout(cursors: cursors, youth: youth) { [weak self] in self?.releasePlace(of: $0) }
    private let cursors: ReaderCursors?
    /// Readers of an earlier process that wait for the events after their last one, ordered by its number.
    private var returning: [(descriptor: Int32, last: Int64)] = []
    private var lastNumber: Int64 = 0
    private var published = 0

    /// Listens, and accepts readers immediately.
    ///
    /// - Parameters:
    ///   - path: the path of the socket, in an existing folder. Only the owner and group of the socket may connect.
    ///   - limit: the maximum number of concurrent readers; further ones get an error in JSON and are disconnected.
    /// - Throws: ``UnixSocketError``; `inUse` if another process listens there.
    package convenience init(path: String, limit: Int) throws(UnixSocketError) {
        self.init(try UnixListener(path: path, mode: 0o660), limit: limit)
        start(after: 0) {}
    }

    /// Serves an existing socket; clients that connect wait until the sink is started.
    ///
    /// - Parameters:
    ///   - listener: the socket.
    ///   - limit: the maximum number of concurrent readers.
    ///   - cursors: the positions of readers for the next process, or nil if no service manager stores connections.
    ///   - rank: returns the rank of a user, which decides about places.
    ///   - credentials: returns the user of a connection. Tests replace it to have users that the kernel does not
    ///     know.
    ///   - youth: the age at which a connection is stored with the service manager.
    package init(
        _ listener: UnixListener, limit: Int, cursors: ReaderCursors? = nil,
        rank: @escaping @LoopActor (PeerCredentials) -> PeerRank = { _ in .owner },
        credentials: @escaping @LoopActor (Int32) -> PeerCredentials? = { PeerCredentials(of: $0) },
        youth: Duration = .seconds(1)
    ) {
        self.youth = youth
        self.limit = limit
        self.listener = listener
        self.cursors = cursors
        self.rank = rank
        self.credentials = credentials
        places = ConnectionPlaces(ConnectionLimits(total: limit))
    }

    /// Adopts readers of an earlier process, which continue at their positions. A reader that was sent part of a
    /// line, or whose position is not known, is disconnected.
    package func adopt(_ readers: [Int32]) {
        cursors?.keepOnly(readers)
        for descriptor in readers {
            guard let last = cursors?.last(of: descriptor) else {
                disconnect(descriptor)
                continue
            }
            returning.append((descriptor, last))
            let peer = peer(of: descriptor)
            places.add(peer.user, peer.rank)
            peers[descriptor] = peer
        }
        returning.sort { $0.last < $1.last }
    }

    /// Shuts a connection down. The service manager has it open as well, so closing only this descriptor would not
    /// end the connection.
    private func disconnect(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
        releasePlace(of: descriptor)
    }

    /// Accepts readers from now on. Readers of an earlier process that have events with higher numbers are
    /// disconnected, because the state file was replaced and they would miss all events up to those numbers.
    package func start(after number: Int64, onProgress: @escaping @LoopActor () -> Void) {
        lastNumber = max(lastNumber, number)
        for (descriptor, last) in returning where last > lastNumber { disconnect(descriptor) }
        returning.removeAll { $0.last > lastNumber }
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

    package var readers: SinkReaders? { SinkReaders(count: readerCount, limit: limit, refused: places.refused) }

    /// Counts of events that were published, and of lines that readers missed, summed over all readers.
    package var counters: SinkCounters {
        var counters = SinkCounters()
        counters.delivered = published
        counters.dropped = fanout.missed
        counters.queued = fanout.longestQueue
        return counters
    }

    /// Nil because readers begin with the next event. Clients of the control socket can resume by number.
    package var cursor: Int64? { nil }

    /// The number of the last event that all readers from an earlier process have.
    package var inheritedCursor: Int64? { returning.first?.last }

    package func resume(after number: Int64) {}

    package func deliver(_ event: Event) {
        admit(before: event.number)
        published += 1
        lastNumber = event.number
        // Clients that connect later get only later events, so there is nothing to publish without readers.
        guard fanout.readerCount > 0 else { return }
        fanout.publish(EventRecord(event).line, number: event.number)
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

    /// Adds the returning readers that have all events before this number. They get the event with this number and
    /// all later ones.
    private func admit(before number: Int64) {
        let count = returning.prefix { $0.last < number }.count
        for (descriptor, last) in returning.prefix(count) { fanout.add(descriptor, after: last, isKept: true) }
        returning.removeFirst(count)
    }

    /// Sends queued lines as far as there is room, closes all connections and removes the socket file unless it must
    /// be kept. Connections that the service manager has open as well stay open there.
    package func stop() {
        flush()
        listener.stop()
        fanout.closeAll()
    }

    private func accept(_ descriptor: Int32) {
        let peer = peer(of: descriptor)
        guard places.reserve(peer.user, peer.rank) else { return refuse(descriptor) }
        peers[descriptor] = peer
        fanout.add(descriptor, after: lastNumber)
    }

    /// Returns the user and the rank of a connection. A peer whose user the kernel does not know has the lowest rank,
    /// and shares its places with all such peers.
    private func peer(of descriptor: Int32) -> (user: UInt32, rank: PeerRank) {
        guard let peer = credentials(descriptor) else { return (.max, .reader) }
        return (peer.user, rank(peer))
    }

    private func releasePlace(of descriptor: Int32) {
        guard let peer = peers.removeValue(forKey: descriptor) else { return }
        places.remove(peer.user, peer.rank)
    }

    private func refuse(_ descriptor: Int32) {
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        writer.member("error", "too many readers")
        writer.member("limit", limit)
        writer.endObject()
        // A new connection has room for a line. If it is broken already, the message does not matter.
        _ = sendNow(descriptor, writer.bytes + [0x0A])
        close(descriptor)
    }
}
