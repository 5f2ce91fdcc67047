internal import CSimdJSON.Lines

/// A reader of members of JSON objects, one object per line. There may be millions of lines, so one index is built
/// for all lines of a block of text.
///
/// A value is the range of its text. Names, times and prices need no escapes, so a member whose name or value has an
/// escape counts as missing. A value that is an array, an object, false or null counts as missing, too.
@safe package final class JSONLineReader {
    private let lines: OpaquePointer?
    private var values: [csimdjson_slice]
    /// The range of the indexed lines, and the block that contains them.
    private var indexed = 0..<0
    private var block: Int?
    /// True if a line of the block makes it impossible to index all of them together.
    private var isBroken = false

    /// - Parameter members: the names of the members to read: at most 8, each of at most 16 letters.
    package init(members: [StaticString]) {
        values = Array(repeating: csimdjson_slice(), count: members.count)
        unsafe lines = csimdjson_lines_new()
        guard let lines = unsafe lines else { return }
        for name in members {
            name.withUTF8Buffer { text in
                unsafe text.withMemoryRebound(to: CChar.self) { text in
                    let isAdded = unsafe csimdjson_lines_add_member(lines, text.baseAddress, text.count)
                    precondition(isAdded != 0, "too many members, or a name that is too long")
                }
            }
        }
    }

    deinit {
        unsafe csimdjson_lines_free(lines)
    }

    /// Reads the object on a line. Then ``value(_:)`` returns its members.
    ///
    /// - Parameters:
    ///   - text: the text that contains the line, and the lines that follow it in the block.
    ///   - line: the range of the line in the text, without its line end. Lines must be read in order.
    ///   - block: the number of the block, different for each text.
    /// - Returns: true if the line is one object of valid JSON.
    package func read(_ text: Span<UInt8>, _ line: Range<Int>, block: Int) -> Bool {
        if self.block != block || line.lowerBound < indexed.lowerBound || line.upperBound > indexed.upperBound {
            if self.block != block { isBroken = false }
            self.block = block
            guard index(text, from: line) else { return false }
        }
        let (start, end) = (line.lowerBound - indexed.lowerBound, line.upperBound - indexed.lowerBound)
        return unsafe values.withUnsafeMutableBufferPointer { values in
            unsafe csimdjson_lines_read(lines, start, end, values.baseAddress) != 0
        }
    }

    /// Returns the text of a member of the last object, by its index in the list of the initializer: a string without
    /// its quotes, a number, or `true`; nil if it is missing or has no usable value.
    package func value(_ member: Int) -> Range<Int>? {
        let value = values[member]
        guard value.kind != CSIMDJSON_KIND_NONE else { return nil }
        let start = indexed.lowerBound + Int(value.offset)
        return start..<start + Int(value.length)
    }

    /// Indexes all complete lines from this one on, or only this one if they cannot be indexed together.
    private func index(_ text: Span<UInt8>, from line: Range<Int>) -> Bool {
        if !isBroken {
            var end = text.count
            while end > line.upperBound, text[end - 1] != 0x0A { end -= 1 }
            if begin(text, line.lowerBound..<end) { return true }
            isBroken = true
        }
        return begin(text, line)
    }

    private func begin(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let lines = unsafe lines else { return false }
        let isIndexed = unsafe text.extracting(range).withUnsafeBufferPointer { part in
            guard let base = part.baseAddress else { return false }
            return unsafe csimdjson_lines_begin(lines, base, part.count) != 0
        }
        indexed = isIndexed ? range : range.lowerBound..<range.lowerBound
        return isIndexed
    }
}
