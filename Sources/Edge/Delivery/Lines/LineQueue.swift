/// Lines waiting to be written, oldest first, up to a number of bytes.
struct LineQueue {
    let capacity: Int
    /// Bytes that are waiting, including the rest of a line that is partly written.
    private(set) var count = 0
    private var lines: [Line] = []
    private var head = 0
    /// How much of the first line is written.
    private var written = 0

    private struct Line {
        var bytes: [UInt8]
        var number: Int64?
    }

    init(capacity: Int) {
        self.capacity = capacity
    }

    var isEmpty: Bool { head == lines.count }
    var lineCount: Int { lines.count - head }
    /// Whether the next byte is the first of a line.
    var isAtLineStart: Bool { written == 0 }

    /// Adds a line; the oldest lines make room for it, except one that is partly written.
    ///
    /// - Parameters:
    ///   - line: ends with a newline.
    ///   - number: what ``remove(_:)`` returns for it; nil when that does not matter.
    /// - Returns: how many lines were dropped, which may include the new one.
    mutating func push(_ line: [UInt8], number: Int64? = nil) -> Int {
        guard line.count <= capacity else { return 1 }
        var dropped = 0
        while count + line.count > capacity, dropOldest() { dropped += 1 }
        guard count + line.count <= capacity else { return dropped + 1 }
        lines.append(Line(bytes: line, number: number))
        count += line.count
        return dropped
    }

    /// Puts a short line before all others. It may exceed the capacity by its own length.
    mutating func pushFirst(_ line: [UInt8]) {
        lines.insert(Line(bytes: line), at: head)
        count += line.count
    }

    /// The first waiting bytes, of at most `limit` lines.
    func front(lines limit: Int) -> [UInt8] {
        Array(lines[head..<head + min(limit, lineCount)].map(\.bytes).joined().dropFirst(written))
    }

    /// Removes what was written.
    ///
    /// - Returns: how many lines this completes, and the number of the last of them that has one.
    mutating func remove(_ bytes: Int) -> (count: Int, last: Int64?) {
        count -= bytes
        written += bytes
        var complete: (count: Int, last: Int64?) = (0, nil)
        while head < lines.count, written >= lines[head].bytes.count {
            written -= lines[head].bytes.count
            complete = (complete.count + 1, lines[head].number ?? complete.last)
            lines[head].bytes = []
            head += 1
        }
        compact()
        return complete
    }

    /// Removes everything.
    ///
    /// - Returns: how many lines there were.
    mutating func removeAll() -> Int {
        let lost = lineCount
        self = LineQueue(capacity: capacity)
        return lost
    }

    private mutating func dropOldest() -> Bool {
        guard lineCount > (written > 0 ? 1 : 0) else { return false }
        if written > 0 { lines.swapAt(head, head + 1) }
        count -= lines[head].bytes.count
        lines[head].bytes = []
        head += 1
        compact()
        return true
    }

    private mutating func compact() {
        guard head == lines.count || (head > 64 && head > lines.count / 2) else { return }
        lines.removeFirst(head)
        head = 0
    }
}
