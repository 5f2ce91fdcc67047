internal import EventLoop
internal import Glibc
internal import JSON

/// A fan-out of lines to many readers, with one ring of lines for all and a cursor for each.
///
/// A reader that does not keep up loses the oldest lines and gets a notice with the number of lost lines. It never
/// gets part of a line.
@LoopActor
final class Fanout {
    /// The default size of the ring in bytes. A line has about 300 to 600 bytes, so 4 MiB hold about 7,000 long
    /// lines, or 8,192 shorter ones. One poll causes 6,750 events if 450 symbols reach fifteen limits each. While
    /// every reader keeps up, only the memory that the longest burst used is resident.
    nonisolated static let standardCapacity = 4 << 20
    nonisolated static let standardLineCapacity = 8_192

    private struct Reader {
        let descriptor: Int32
        /// The next line to send.
        var next: Int
        /// True if there was no room for everything. The descriptor is then watched for room, and ``Connection/rest``
        /// may contain the end of a line.
        var isBlocked = false
        /// The number of the last event that was sent completely.
        var last: Int64
        /// The row of ``ReaderCursors`` that stores ``last`` for the next process.
        var row: Int?
    }

    /// The parts of a reader that are needed only when something happens on its connection.
    private struct Connection {
        var slot: Int
        let watch: DescriptorWatch
        /// The unsent end of a line, or of a notice and the line that follows it: at most one notice and one line.
        var rest: [UInt8] = []
        /// Bytes that the reader has sent; they are discarded.
        var received = 0
    }

    private(set) var ring: LineRing
    private let cursors: ReaderCursors?
    private var readers: [Reader] = []
    private var connections: [Int32: Connection] = [:]
    /// Readers with unsent lines. This is a property so that sending does not allocate.
    private var behind: [Int32] = []
    /// The first line that has not been offered to the readers yet.
    private var flushed = 0
    /// The maximum size in bytes of a line, and of all lines that wait for the end of the turn: at most a sixteenth
    /// of the ring, so that a long burst does not overwrite lines before they are offered to readers that have room.
    /// The unsent ends of the lines of 1,024 readers take at most 1,024 × 64 KiB = 64 MiB; with lines of the usual
    /// length, less than 1 MiB.
    let longestLine: Int
    nonisolated private static let longestLineLimit = 64 << 10

    /// Lines that readers missed, summed over all readers. A line counts when it is overwritten, even before its
    /// reader gets a notice.
    var missed: Int { readers.reduce(reportedMissed) { $0 + lost($1) } }

    /// Queued lines of the reader that is furthest behind.
    var longestQueue: Int { readers.reduce(0) { max($0, ring.end - max($1.next, ring.first)) } }

    /// Missed lines that their readers got a notice of, or whose readers have disconnected.
    private var reportedMissed = 0

    /// Called with the descriptor of a connection that was closed because its reader has disconnected.
    private let didRemove: (Int32) -> Void

    /// The age at which a new connection is stored with the service manager. Storing each one immediately would let a
    /// user flood the service manager.
    nonisolated static let standardYouth = Duration.seconds(1)
    private let youth: Duration

    /// New connections by the period in which they were accepted, and the descriptor of each watch.
    private var young: (older: [DescriptorWatch], newer: [DescriptorWatch]) = ([], [])
    private var descriptors: [ObjectIdentifier: Int32] = [:]
    private var timer: LoopTimer?

    /// The maximum number of bytes that are read from a reader, enough for a user who types. Input beyond that stays
    /// unread and costs nothing.
    private static let inputLimit = 64 << 10

    init(
        capacity: Int = Fanout.standardCapacity, lineCapacity: Int = Fanout.standardLineCapacity,
        cursors: ReaderCursors? = nil, youth: Duration = Fanout.standardYouth,
        didRemove: @escaping (Int32) -> Void = { _ in }
    ) {
        self.cursors = cursors
        self.youth = youth
        self.didRemove = didRemove
        ring = LineRing(capacity: capacity, lineCapacity: lineCapacity)
        longestLine = min(capacity / 16, Self.longestLineLimit)
    }

    isolated deinit {
        closeAll()
    }

    var readerCount: Int { readers.count }
    /// Readers without room for everything that is queued for them.
    var blockedCount: Int { readers.count(where: \.isBlocked) }

    /// Adopts a connected stream socket, which gets all lines published from now on.
    ///
    /// - Parameters:
    ///   - descriptor: the socket.
    ///   - last: the number of the last event that the reader has or does not want.
    ///   - isKept: true if the connection comes from an earlier process.
    func add(_ descriptor: Int32, after last: Int64 = 0, isKept: Bool = false) {
        flush()
        let watch = DescriptorWatch(descriptor, for: .readable, priority: .delivery) { [weak self] readiness in
            self?.isReady(descriptor, readiness)
        }
        connections[descriptor] = Connection(slot: readers.count, watch: watch)
        let row = cursors?.adopt(descriptor, last: last)
        readers.append(Reader(descriptor: descriptor, next: ring.end, last: last, row: row))
        guard !isKept, row != nil else { return }
        guard youth > .zero else {
            cursors?.store(descriptor)
            return
        }
        young.newer.append(watch)
        descriptors[ObjectIdentifier(watch)] = descriptor
        armTimer()
    }

    private func armTimer() {
        let timer =
            timer
            ?? LoopTimer(accuracy: .milliseconds(100), priority: .delivery) { [weak self] in self?.storeGrown() }
        self.timer = timer
        if !timer.isArmed { timer.arm(after: youth) }
    }

    /// Stores the connections that are still open after at least one period.
    private func storeGrown() {
        for watch in young.older { store(watch) }
        young = (young.newer, [])
        if !young.older.isEmpty { armTimer() }
    }

    private func store(_ watch: DescriptorWatch) {
        guard let descriptor = descriptors.removeValue(forKey: ObjectIdentifier(watch)) else { return }
        cursors?.store(descriptor)
    }

    private func lost(_ reader: Reader) -> Int { max(0, ring.first - reader.next) }

    /// Publishes a line that ends with a newline; ``flush()`` sends it. A line longer than ``longestLine`` counts as
    /// missed by every reader, and a notice is sent instead.
    func publish(_ line: [UInt8], number: Int64) {
        guard line.count <= longestLine else {
            reportedMissed += readers.count
            return publish(Self.missedNotice(1, next: number &+ 1), number: number)
        }
        let isLong = ring.byteCount(from: flushed) + line.count > longestLine
        if isLong || ring.end - flushed >= ring.lineCapacity / 16 { flush() }
        ring.append(line, number: number)
    }

    /// Sends each reader its queued lines with one call, as far as it has room.
    func flush() {
        guard flushed < ring.end else { return }
        sendToThoseThatKeepUp()
        flushed = ring.end
        for reader in readers where isAtRisk(reader) { behind.append(reader.descriptor) }
        for descriptor in behind { catchUp(descriptor) }
        behind.removeAll(keepingCapacity: true)
        // Every reader has every line, so the ring can reuse its memory.
        if !readers.contains(where: \.isBlocked) { ring.startOver() }
        // The kernel tends to run the readers that it wakes on this processor, where they would wait for the journal
        // and the rest of the turn.
        if !readers.isEmpty { sched_yield() }
    }

    /// Returns true if a blocked reader may lose lines before the loop can report that it has room again, as in a
    /// burst of thousands of events. A reader that does not read at all is tried about thirty times before it loses a
    /// line.
    private func isAtRisk(_ reader: Reader) -> Bool {
        guard reader.isBlocked, reader.next >= ring.first else { return false }
        return ring.byteCount(from: reader.next) > ring.capacity / 2 || ring.end - reader.next > ring.lineCapacity / 2
    }

    /// Closes every connection. Connections that the service manager stores continue in the next process.
    func closeAll() {
        timer?.disarm()
        for watch in young.older + young.newer { store(watch) }
        young = ([], [])
        reportedMissed = missed
        for (descriptor, connection) in connections {
            connection.watch.end()
            close(descriptor)
        }
        connections = [:]
        readers = []
    }

    /// Sends new lines to the readers that are not blocked. All of them are at the same line, so its position is
    /// looked up once.
    private func sendToThoseThatKeepUp() {
        let (head, tail) = unsafe ring.pieces(from: flushed)
        let count = ring.byteCount(from: flushed)
        let end = ring.end
        let last = ring.number(of: end - 1)
        for slot in readers.indices where !readers[slot].isBlocked {
            beginSending(slot)
            let sent = unsafe sendNow(readers[slot].descriptor, head, tail)
            readers[slot].next = sent == count ? end : flushed
            if sent == count { endSending(slot, last) } else { fellBehind(slot, sent) }
        }
    }

    private func beginSending(_ slot: Int) {
        if let row = readers[slot].row { cursors?.set(ReaderCursors.unknown, at: row) }
    }

    private func endSending(_ slot: Int, _ last: Int64) {
        readers[slot].last = last
        if let row = readers[slot].row { cursors?.set(last, at: row) }
    }

    /// Records the position after a partial send, unless the end of a line is still unsent, because no other process
    /// can continue within a line.
    private func endPartly(_ slot: Int, hasRest: Bool) {
        let next = readers[slot].next
        guard !hasRest else { return }
        endSending(slot, next > ring.first ? ring.number(of: next - 1) : readers[slot].last)
    }

    /// Remembers a reader that had no room for everything. If its connection is broken, the next send detects that.
    private func fellBehind(_ slot: Int, _ sent: Int) {
        let descriptor = readers[slot].descriptor
        behind.append(descriptor)
        guard var connection = connections[descriptor] else { return }
        advance(&readers[slot].next, by: sent, &connection.rest)
        endPartly(slot, hasRest: !connection.rest.isEmpty)
        connections[descriptor] = connection
    }

    private func isReady(_ descriptor: Int32, _ readiness: Readiness) {
        if readiness.contains(.hungUp) || readiness.contains(.failed) { return remove(descriptor) }
        if readiness.contains(.readable) { discard(descriptor) }
        guard readiness.contains(.writable) else { return }
        flush()
        catchUp(descriptor)
    }

    /// Reads and discards input. A reader that has ended its input, like `nc -N` with an empty input, or has sent too
    /// much, still gets lines. When it is gone, its connection hangs up.
    private func discard(_ descriptor: Int32) {
        let count = discardInput(descriptor)
        connections[descriptor]?.received += count ?? 0
        guard count == nil || connections[descriptor]?.received ?? 0 >= Self.inputLimit else { return }
        connections[descriptor]?.watch.interest.remove(.readable)
    }

    private func remove(_ descriptor: Int32) {
        guard let connection = connections.removeValue(forKey: descriptor) else { return }
        connection.watch.end()
        descriptors[ObjectIdentifier(connection.watch)] = nil
        reportedMissed += lost(readers[connection.slot])
        close(descriptor)
        didRemove(descriptor)
        if let row = readers[connection.slot].row { cursors?.remove(row) }
        guard let last = readers.popLast(), last.descriptor != descriptor else { return }
        readers[connection.slot] = last
        connections[last.descriptor]?.slot = connection.slot
    }
}

// Catching up readers that are behind, one at a time.
extension Fanout {
    private enum Progress {
        case caughtUp
        case blocked
        case broken
    }

    private func catchUp(_ descriptor: Int32) {
        guard var connection = connections[descriptor] else { return }
        beginSending(connection.slot)
        let progress = sendBacklog(descriptor, &readers[connection.slot].next, &connection.rest)
        guard progress != .broken else { return remove(descriptor) }
        endPartly(connection.slot, hasRest: !connection.rest.isEmpty)
        readers[connection.slot].isBlocked = progress == .blocked
        if progress == .blocked {
            connection.watch.interest.insert(.writable)
        } else {
            connection.watch.interest.remove(.writable)
        }
        connections[descriptor] = connection
    }

    private func sendBacklog(_ descriptor: Int32, _ next: inout Int, _ rest: inout [UInt8]) -> Progress {
        while !rest.isEmpty || next < ring.end {
            let sent: Int
            if !rest.isEmpty {
                sent = sendNow(descriptor, rest)
                rest.removeFirst(max(0, sent))
            } else if next < ring.first {
                sent = sendMissed(descriptor, &next, &rest)
            } else {
                let (head, tail) = unsafe ring.pieces(from: next)
                sent = unsafe sendNow(descriptor, head, tail)
                advance(&next, by: sent, &rest)
            }
            guard sent > 0 else { return sent < 0 ? .broken : .blocked }
        }
        return .caughtUp
    }

    /// Sends the notice together with the line that it names, so that the line cannot be overwritten between the two.
    private func sendMissed(_ descriptor: Int32, _ next: inout Int, _ rest: inout [UInt8]) -> Int {
        let notice = Self.missedNotice(ring.first - next, next: ring.number(of: ring.first))
        let unit = notice + ring.copy(line: ring.first)
        let sent = sendNow(descriptor, unit)
        guard sent > 0 else { return sent }
        reportedMissed += ring.first - next
        next = ring.first + 1
        rest = Array(unit[sent...])
        return sent
    }

    /// Moves a cursor past the bytes that were sent. If they end within a line, the rest of that line is copied, so
    /// that the ring may overwrite it.
    private func advance(_ next: inout Int, by sent: Int, _ rest: inout [UInt8]) {
        guard sent > 0 else { return }
        let (line, skipped) = ring.position(sent, after: next)
        guard skipped > 0 else {
            next = line
            return
        }
        rest = ring.copy(line: line, from: skipped)
        next = line + 1
    }

    private static func missedNotice(_ count: Int, next: Int64) -> [UInt8] {
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        writer.member("missed", count)
        writer.member("next", Int(next))
        writer.endObject()
        return writer.bytes + [0x0A]
    }
}
