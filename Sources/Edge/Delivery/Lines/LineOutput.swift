internal import EventLoop
internal import Glibc
internal import UnixSockets

/// A writer of lines to a descriptor that may be a pipe without a reader. It never blocks: it queues what does not
/// fit, up to a limit, drops the oldest lines beyond that, and writes the number of dropped lines in their place.
@LoopActor
final class LineOutput {
    /// The default limit in bytes: about 2,600 lines of 100 bytes.
    nonisolated static let standardCapacity = 256 << 10
    /// The maximum number of lines per write. 64 lines of 100 bytes are 6.4 kB, enough for an efficient write without
    /// copying the whole queue.
    private static let linesPerWrite = 64

    /// Lines that were written completely.
    private(set) var written = 0
    /// Lines that were dropped because of the limit.
    private(set) var dropped = 0
    /// Lines that could not be written.
    private(set) var failed = 0
    private(set) var lastFailure: String?

    /// The number of the last completely written line that had a number, or nil if there was none.
    private(set) var lastWritten: Int64?
    /// Lines that wait for room.
    var queued: Int { queue.lineCount }
    /// True while lines wait for room.
    var isWaiting: Bool { !queue.isEmpty }
    /// True while lines wait for room, and after the last ones could not be written.
    var isBehind: Bool { !queue.isEmpty || hasFailed }
    /// Called after lines were written that had to wait for room.
    var onLateWrite: @LoopActor () -> Void = {}

    private var hasFailed = false
    private var output: OutputDescriptor?
    private var queue: LineQueue
    private var unreportedDrops = 0
    private var watch: DescriptorWatch?

    /// Creates an output that writes to a duplicate of the descriptor; the caller keeps the original. If it may be a
    /// pipe, SIGPIPE must be ignored.
    convenience init(_ descriptor: Int32) {
        self.init(OutputDescriptor(descriptor))
    }

    init(_ output: OutputDescriptor?, capacity: Int = LineOutput.standardCapacity) {
        self.output = output
        queue = LineQueue(capacity: capacity)
        if output == nil { lastFailure = describe(errorNumber: EBADF) }
    }

    isolated deinit {
        watch?.end()
        if let output { close(output.number) }
    }

    /// Queues a line that ends with a newline; ``flush()`` writes it.
    func push(_ line: [UInt8], number: Int64? = nil) {
        // Flushing first keeps a burst within one turn from dropping lines while the descriptor has room.
        if queue.count + line.count > queue.capacity, watch == nil { flush() }
        guard output != nil else {
            failed += 1
            hasFailed = true
            return
        }
        let lost = queue.push(line, number: number)
        dropped += lost
        unreportedDrops += lost
    }

    /// Writes the queued lines as far as there is room, and the rest when there is room again.
    func flush() {
        while let output, !queue.isEmpty || unreportedDrops > 0 {
            let notice = dropNotice()
            switch output.write(notice + queue.front(lines: Self.linesPerWrite)) {
            case .wrote(let count): remove(count, notice)
            case .full: return wait(for: output)
            case .failed(let number): fail(number)
            }
        }
        guard watch != nil else { return }
        watch?.end()
        watch = nil
        onLateWrite()
    }

    /// The notice that replaces dropped lines; empty if there are none or if a line is partly written.
    private func dropNotice() -> [UInt8] {
        guard unreportedDrops > 0, queue.isAtLineStart else { return [] }
        return Array("… \(unreportedDrops) lines dropped: they were not read in time\n".utf8)
    }

    private func remove(_ count: Int, _ notice: [UInt8]) {
        if count > 0, !notice.isEmpty {
            queue.pushFirst(notice)
            unreportedDrops = 0
            // The notice is not one of the caller's lines.
            written -= 1
        }
        let complete = queue.remove(count)
        written += complete.count
        guard let number = complete.last else { return }
        lastWritten = number
        hasFailed = false
    }

    private func wait(for output: OutputDescriptor) {
        guard watch == nil, output.canWait else { return }
        watch = DescriptorWatch(output.number, for: .writable) { [weak self] _ in self?.flush() }
    }

    /// Discards the queue after a failed write, and closes the output if its reader is gone for good. Other failures,
    /// such as a full disk, may pass.
    private func fail(_ number: Int32) {
        lastFailure = describe(errorNumber: number)
        failed += queue.removeAll()
        hasFailed = true
        unreportedDrops = 0
        guard number == EPIPE || number == EBADF || number == EIO, let output else { return }
        watch?.end()
        watch = nil
        close(output.number)
        self.output = nil
    }
}
