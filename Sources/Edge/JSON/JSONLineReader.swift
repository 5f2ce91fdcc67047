internal import CSimdJSON.Lines

/// Reads members of JSON objects on lines of their own, of which there may be millions: one index serves all lines of a
/// block of text.
///
/// A value is the place of its text. Names, times and prices need no escapes: a member whose name or value has one
/// counts as missing, and so does a value that is an array, an object, false or null.
@safe package final class JSONLineReader {
    private let lines: OpaquePointer?
    private var values: [csimdjson_slice]
    /// The lines that are indexed, and the block that they are in.
    private var indexed = 0..<0
    private var block: Int?
    /// Whether a line of the block prevents an index of all.
    private var isBroken = false

    /// - Parameter members: The names of the members to read, at most 8 of at most 16 letters.
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

    /// Reads the object on a line; its members are then in ``value(_:)``.
    ///
    /// - Parameters:
    ///   - text: Contains the line, and what follows it in the block.
    ///   - line: The place of the line in it, without its end. Lines are read in their order.
    ///   - block: The number of the block; another number for each other text.
    /// - Returns: Whether the line is one object of valid JSON.
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

    /// The text of a member of the last object, by its number in the list given at first: a string without its quotes,
    /// a number, or `true`; nil if it is missing.
    package func value(_ member: Int) -> Range<Int>? {
        let value = values[member]
        guard value.kind != CSIMDJSON_KIND_NONE else { return nil }
        let start = indexed.lowerBound + Int(value.offset)
        return start..<start + Int(value.length)
    }

    /// Indexes the complete lines from this one on, or this one alone if the others prevent that.
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
