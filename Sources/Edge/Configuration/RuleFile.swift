/// The text of a file of rules, changed one rule at a time. Everything else in the file is preserved, comments
/// included.
package struct RuleFile: Equatable, Sendable {
    package private(set) var bytes: [UInt8]

    /// The comment at the beginning of a file that ``append(_:)`` starts.
    private static let header = "# Rules added with 'alertctl rule add'. You may edit them; comments are kept.\n"

    /// Creates the text from the content of a file, which is empty for a new file.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Appends a rule after an empty line.
    ///
    /// - Returns: The number of the line with its header, counted from 1.
    package mutating func append(_ rule: RuleDraft) -> Int {
        var start = ""
        if bytes.isEmpty {
            start = Self.header + "\n"
        } else {
            if bytes.last != 0x0A { start = "\n" }
            if let last = lines.last, !last.allSatisfy(isBlank) { start += "\n" }
        }
        let added = Array((start + rule.text).utf8)
        bytes += hasCarriageReturns ? added.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } : added
        return lines.count - rule.keys.count
    }

    /// Removes the rule whose header is in a line, with the comments directly above and below it.
    ///
    /// - Parameter line: The number of the line, counted from 1.
    /// - Returns: The removed lines, or nil if the line has no such header, for example because rules are inline
    ///   tables.
    package mutating func remove(headerInLine line: Int) -> String? {
        guard case .table(let entries) = TOMLDocument(parsing: bytes),
            let rules = entries.first(where: { $0.key == SettingsReference.Table.rule.rawValue }),
            case .array(let elements) = rules.node.value,
            let rule = elements.first(where: { $0.position.line == line })
        else { return nil }
        let lines = lines
        guard lines.indices.contains(line - 1), lines[line - 1].drop(while: isBlank).starts(with: [0x5B, 0x5B]) else {
            return nil
        }
        let headers = elements.map(\.position.line) + entries.filter { $0.key != rules.key }.map(\.keyPosition.line)
        let next = headers.filter { $0 > line }.min() ?? lines.count + 1
        let content = min(max(rule.lastContentLine, line), next - 1)
        let range = Self.withComments(line - 1..<content, before: next - 1, lines)
        bytes = Array((lines[..<range.lowerBound] + lines[range.upperBound...]).joined())
        return String(decoding: lines[range].joined(), as: UTF8.self)
    }

    /// Returns the lines to remove: the rule, its comments, and empty lines that would be left over.
    private static func withComments(_ rule: Range<Int>, before next: Int, _ lines: [ArraySlice<UInt8>]) -> Range<Int> {
        var (start, end) = (rule.lowerBound, rule.upperBound)
        while start > 0, isComment(lines[start - 1]) { start -= 1 }
        var tail = end
        while tail < min(next, lines.count), isComment(lines[tail]) { tail += 1 }
        // Comments directly above the next header belong to that header.
        if tail < next || next >= lines.count { end = tail }
        let isFirst = start == 0
        let isBehindBlank = !isFirst && lines[start - 1].allSatisfy(isBlank)
        if isFirst || isBehindBlank { while end < lines.count, lines[end].allSatisfy(isBlank) { end += 1 } }
        if end == lines.count { while start > 0, lines[start - 1].allSatisfy(isBlank) { start -= 1 } }
        return start..<end
    }

    private static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
        line.drop(while: isBlank).first == 0x23
    }

    /// The lines with their line ends.
    private var lines: [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
            lines.append(bytes[start..<end])
            start = end
        }
        return lines
    }

    /// True if lines end with CR LF.
    private var hasCarriageReturns: Bool {
        bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false
    }
}

/// Returns true for a space, a tab, or a byte of a line end.
private func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

extension TOMLNode {
    /// The last line of the node and of everything in it.
    fileprivate var lastContentLine: Int {
        switch value {
        case .table(let entries): entries.map(\.node.lastContentLine).reduce(lastLine, max)
        case .array(let elements): elements.map(\.lastContentLine).reduce(lastLine, max)
        default: lastLine
        }
    }
}
