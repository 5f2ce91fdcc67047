/// The newest published lines, in one block of bytes that never grows. A new line overwrites the oldest.
///
/// Lines are counted from 0; `first..<end` are in the ring. Offsets count all bytes that were ever published; an
/// offset modulo the capacity is its position in the block.
@safe
struct LineRing: ~Copyable {
    private struct Line {
        var start = 0
        /// The number of the event.
        var number: Int64 = 0
    }

    let capacity: Int
    let lineCapacity: Int
    /// The oldest line in the ring.
    private(set) var first = 0
    /// The next line to be published.
    private(set) var end = 0
    private var endOffset = 0
    /// Neither buffer is touched before it is used, so a ring without lines occupies no memory.
    private let lines: UnsafeMutableBufferPointer<Line>
    private let bytes: UnsafeMutableRawBufferPointer

    /// - Parameters:
    ///   - capacity: the maximum number of bytes in the ring, a power of two.
    ///   - lineCapacity: the maximum number of lines in the ring, a power of two.
    init(capacity: Int, lineCapacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "the capacity is a power of two")
        precondition(lineCapacity > 0 && lineCapacity & (lineCapacity - 1) == 0, "the line capacity is a power of two")
        self.capacity = capacity
        self.lineCapacity = lineCapacity
        unsafe lines = .allocate(capacity: lineCapacity)
        unsafe bytes = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit {
        unsafe lines.deallocate()
        unsafe bytes.deallocate()
    }

    /// Discards all lines. The next line is written at the start of the block, so that memory that was used before is
    /// reused.
    mutating func startOver() {
        first = end
        endOffset = (endOffset + capacity - 1) & ~(capacity - 1)
    }

    /// Publishes a line that is not longer than the capacity.
    mutating func append(_ line: [UInt8], number: Int64) {
        precondition(line.count <= capacity, "the line fits into the ring")
        while first < end, endOffset + line.count - start(of: first) > capacity || end - first == lineCapacity {
            first += 1
        }
        unsafe lines[end & (lineCapacity - 1)] = Line(start: endOffset, number: number)
        end += 1
        let place = endOffset & (capacity - 1)
        let untilWrap = min(line.count, capacity - place)
        unsafe line.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + untilWrap])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<untilWrap]))
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<(line.count - untilWrap)])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[untilWrap...]))
        }
        endOffset += line.count
    }

    /// Returns the event number of a line in the ring.
    func number(of line: Int) -> Int64 {
        unsafe lines[line & (lineCapacity - 1)].number
    }

    /// Returns the number of bytes from the start of a line in the ring to the end.
    func byteCount(from line: Int) -> Int {
        endOffset - start(of: line)
    }

    /// Returns a copy of a line in the ring without its first `skipped` bytes.
    func copy(line: Int, from skipped: Int = 0) -> [UInt8] {
        let from = start(of: line) + skipped
        let (head, tail) = unsafe pieces(offset: from, count: start(of: line + 1) - from)
        return unsafe Array(head) + Array(tail)
    }

    /// Returns all bytes from a line in the ring to the end, in one piece or, across the wrap, two. The pieces are
    /// valid until the next change of the ring.
    @unsafe
    func pieces(from line: Int) -> (head: UnsafeRawBufferPointer, tail: UnsafeRawBufferPointer) {
        unsafe pieces(offset: start(of: line), count: byteCount(from: line))
    }

    /// Returns the line that contains the byte `distance` bytes after the start of a line, and the offset of the byte
    /// in it.
    func position(_ distance: Int, after line: Int) -> (line: Int, skipped: Int) {
        let offset = start(of: line) + distance
        var low = line
        var high = end + 1
        // The last line that starts at or before the offset is in low..<high.
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if start(of: middle) <= offset { low = middle } else { high = middle }
        }
        return (low, offset - start(of: low))
    }

    private func start(of line: Int) -> Int {
        line == end ? endOffset : unsafe lines[line & (lineCapacity - 1)].start
    }

    @unsafe
    private func pieces(offset: Int, count: Int) -> (head: UnsafeRawBufferPointer, tail: UnsafeRawBufferPointer) {
        let place = offset & (capacity - 1)
        let untilWrap = min(count, capacity - place)
        return unsafe (
            UnsafeRawBufferPointer(rebasing: bytes[place..<place + untilWrap]),
            UnsafeRawBufferPointer(rebasing: bytes[..<(count - untilWrap)])
        )
    }
}
