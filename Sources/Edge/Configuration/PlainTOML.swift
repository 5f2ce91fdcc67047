/// Reads the plain kind of TOML that large files of rules are made of: headers of one bare key, and bare keys with a
/// string, a number, a boolean or a list of strings, each on a line of ASCII without escapes.
///
/// ``TOMLDocument`` decides everything else, above all what is faulty. It takes ten times as long, and much memory.
struct PlainTOML {
    /// Keys are compared with all others of their table; no table of the settings has as many.
    private static let mostKeys = 64
    /// Digits that fit into an `Int64`, with a point.
    private static let longestNumber = 18

    private let text: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    /// What precedes the first header.
    private var root: [TOMLEntry] = []
    private var sections: [Section] = []
    /// The entries of the table that is being read.
    private var entries: [TOMLEntry] = []

    /// A table with a header, or all those with the same header in double brackets.
    private struct Section {
        let key: String
        let keyPosition: TextPosition
        let isList: Bool
        var tables: [TOMLNode]
    }

    /// The entries of the root table in the order of the text; nil when the text is not plain.
    static func entries(of text: [UInt8]) -> [TOMLEntry]? {
        var reader = PlainTOML(text)
        return reader.readLines() ? reader.finish() : nil
    }

    private init(_ text: [UInt8]) {
        self.text = text
    }

    private var position: TextPosition { TextPosition(line: line, column: index - lineStart + 1) }

    /// The byte that is read next; zero at the end, which is not plain anywhere else.
    private var byte: UInt8 { index < text.count ? text[index] : 0 }

    /// Whether all lines are plain.
    private mutating func readLines() -> Bool {
        while index < text.count {
            skipBlanks()
            switch byte {
            case UInt8(ascii: "["): guard readHeader() else { return false }
            case UInt8(ascii: "\n"), UInt8(ascii: "#"), 0: break
            default: guard readEntry() else { return false }
            }
            guard endLine() else { return false }
        }
        endTable()
        return true
    }

    private func finish() -> [TOMLEntry] {
        root
            + sections.map { section in
                var node = section.tables[0]
                if section.isList {
                    node.value = .array(section.tables)
                    node.lastLine = section.tables.last?.lastLine ?? node.lastLine
                }
                return TOMLEntry(key: section.key, keyPosition: section.keyPosition, node: node)
            }
    }

    private mutating func readHeader() -> Bool {
        endTable()
        let begin = position
        let isList = index + 1 < text.count && text[index + 1] == UInt8(ascii: "[")
        index += isList ? 2 : 1
        let keyPosition = position
        guard let key = bareKey(), take("]"), !isList || take("]") else { return false }
        let table = TOMLNode(value: .table([]), position: begin, lastLine: line)
        if let last = sections.indices.last, sections[last].key == key {
            sections[last].tables.append(table)
            return isList && sections[last].isList
        }
        guard root.count + sections.count < Self.mostKeys, !root.contains(where: { $0.key == key }),
            !sections.contains(where: { $0.key == key })
        else { return false }
        sections.append(Section(key: key, keyPosition: keyPosition, isList: isList, tables: [table]))
        return true
    }

    /// Puts what was read since the last header where it belongs.
    private mutating func endTable() {
        guard let section = sections.indices.last else {
            swap(&root, &entries)
            return
        }
        let table = sections[section].tables.index(before: sections[section].tables.endIndex)
        // Many tables have as many keys as the one before.
        var next: [TOMLEntry] = []
        next.reserveCapacity(entries.count)
        swap(&next, &entries)
        sections[section].tables[table].value = .table(next)
    }

    private mutating func readEntry() -> Bool {
        let keyPosition = position
        guard let key = bareKey(), entries.count < Self.mostKeys, !entries.contains(where: { $0.key == key }) else {
            return false
        }
        skipBlanks()
        guard take("=") else { return false }
        skipBlanks()
        let position = position
        guard let value = value() else { return false }
        entries.append(
            TOMLEntry(
                key: key, keyPosition: keyPosition, node: TOMLNode(value: value, position: position, lastLine: line)))
        return true
    }

    private mutating func value() -> TOMLValue? {
        switch byte {
        case UInt8(ascii: "\""): string().map(TOMLValue.string)
        case UInt8(ascii: "["): list()
        case UInt8(ascii: "t"): takeWord("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): takeWord("false") ? .boolean(false) : nil
        default: number()
        }
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = index
        while byte != UInt8(ascii: "\"") {
            guard Self.isPrintable(byte), byte != UInt8(ascii: "\\") else { return nil }
            index += 1
        }
        index += 1
        return String(decoding: text[start..<index - 1], as: UTF8.self)
    }

    private mutating func list() -> TOMLValue? {
        var elements: [TOMLNode] = []
        guard take("[") else { return nil }
        skipBlanks()
        while !take("]") {
            let position = position
            guard let text = string() else { return nil }
            elements.append(TOMLNode(value: .string(text), position: position, lastLine: line))
            skipBlanks()
            guard take(",") || byte == UInt8(ascii: "]") else { return nil }
            skipBlanks()
        }
        return .array(elements)
    }

    /// Digits without a sign, in groups or with a point.
    private mutating func number() -> TOMLValue? {
        let start = index
        var number: Int64 = 0
        guard takeDigits(of: &number, since: start) else { return nil }
        // Zeros in front are not TOML.
        guard index == start + 1 || text[start] != UInt8(ascii: "0") else { return nil }
        var fraction: Int64 = 0
        if take(".") { return takeDigits(of: &fraction, since: start) ? .float : nil }
        while take("_") {
            guard text[start] != UInt8(ascii: "0"), takeDigits(of: &number, since: start) else { return nil }
        }
        return .integer(number)
    }

    /// Adds digits to the number that began at `start`; whether there are any.
    private mutating func takeDigits(of number: inout Int64, since start: Int) -> Bool {
        let first = index
        while (0x30...0x39).contains(byte), index - start < Self.longestNumber {
            number = number * 10 + Int64(byte - 0x30)
            index += 1
        }
        return index > first
    }

    private mutating func bareKey() -> String? {
        let start = index
        while Self.isOfKey(byte) { index += 1 }
        return index > start ? String(decoding: text[start..<index], as: UTF8.self) : nil
    }

    /// Ends the line, with or without a comment; whether there is nothing else on it.
    private mutating func endLine() -> Bool {
        skipBlanks()
        if byte == UInt8(ascii: "#") {
            while Self.isPrintable(byte) || byte == UInt8(ascii: "\t") { index += 1 }
        }
        guard index < text.count else { return true }
        guard take("\n") else { return false }
        line += 1
        lineStart = index
        return true
    }

    private mutating func skipBlanks() {
        while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
    }

    private mutating func take(_ expected: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: expected) else { return false }
        index += 1
        return true
    }

    private mutating func takeWord(_ word: String) -> Bool {
        word.unicodeScalars.allSatisfy { take($0) }
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
