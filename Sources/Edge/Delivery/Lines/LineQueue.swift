/// A queue of lines to write, oldest first, with a limit in bytes.
struct LineQueue {
    let capacity: Int
    /// Queued bytes, including the rest of a partly written line.
    private(set) var count = 0
    private var lines: [Line] = []
    private var head = 0
    /// Bytes of the first line that have been written.
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
    /// True if the next byte is the first of a line.
    var isAtLineStart: Bool { written == 0 }

    /// Adds a line. The oldest lines are dropped to make room for it, except one that is partly written.
    ///
    /// - Parameters:
    ///   - line: ends with a newline.
    ///   - number: the number that ``remove(_:)`` returns for the line, or nil if that does not matter.
    /// - Returns: the number of dropped lines, which may include the new one.
    mutating func push(_ line: [UInt8], number: Int64? = nil) -> Int {
        guard line.count <= capacity else { return 1 }
        var dropped = 0
        while count + line.count > capacity, dropOldest() { dropped += 1 }
        guard count + line.count <= capacity else { return dropped + 1 }
        lines.append(Line(bytes: line, number: number))
        count += line.count
        return dropped
    }

    /// Inserts a short line before all others. The queue may then exceed the capacity by the length of the line.
    mutating func pushFirst(_ line: [UInt8]) {
        lines.insert(Line(bytes: line), at: head)
        count += line.count
    }

    /// Returns the waiting bytes of the first lines, at most `limit` lines.
    func front(lines limit: Int) -> [UInt8] {
        Array(lines[head..<head + min(limit, lineCount)].map(\.bytes).joined().dropFirst(written))
    }

    /// Removes bytes that were written.
    ///
    /// - Returns: the count of lines that are completely written now, and the number of the last of them that has a
    ///   number.
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

    /// Removes all lines.
    ///
    /// - Returns: the count of removed lines.
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
