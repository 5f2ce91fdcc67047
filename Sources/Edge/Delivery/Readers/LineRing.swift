/// The newest published lines, in one block of bytes that never grows: a new line overwrites the oldest.
///
/// Lines are counted from 0; `first..<end` are those that are held. Offsets count all bytes that were ever published;
/// the position of an offset in the block is its remainder by the capacity.
@safe
struct LineRing: ~Copyable {
    private struct Line {
        var start = 0
        /// The number of the event.
        var number: Int64 = 0
    }

    let capacity: Int
    let lineCapacity: Int
    /// The oldest line that is held.
    private(set) var first = 0
    /// The line that will be published next.
    private(set) var end = 0
    private var endOffset = 0
    /// Neither is touched before it is used, so that a ring without lines occupies no memory.
    private let lines: UnsafeMutableBufferPointer<Line>
    private let bytes: UnsafeMutableRawBufferPointer

    /// - Parameters:
    ///   - capacity: the most bytes that are held, a power of two.
    ///   - lineCapacity: the most lines that are held, a power of two.
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

    /// Forgets all lines; the next ones take the memory that the first ones took.
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

    /// The number of a line that is held.
    func number(of line: Int) -> Int64 {
        unsafe lines[line & (lineCapacity - 1)].number
    }

    /// How many bytes there are from a line that is held to the end.
    func byteCount(from line: Int) -> Int {
        endOffset - start(of: line)
    }

    /// A copy of a line that is held, without its first `skipped` bytes.
    func copy(line: Int, from skipped: Int = 0) -> [UInt8] {
        let from = start(of: line) + skipped
        let (head, tail) = unsafe pieces(offset: from, count: start(of: line + 1) - from)
        return unsafe Array(head) + Array(tail)
    }

    /// All bytes from a line that is held to the end, in one piece or, across the wrap, two. They are valid until the
    /// next change.
    @unsafe
    func pieces(from line: Int) -> (head: UnsafeRawBufferPointer, tail: UnsafeRawBufferPointer) {
        unsafe pieces(offset: start(of: line), count: byteCount(from: line))
    }

    /// Which byte of which line comes `distance` bytes after the start of a line that is held.
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
