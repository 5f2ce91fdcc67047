/// The text of one settings file, by line.
struct SourceText: Sendable {
    /// A longer line is not shown with a finding: 1,000 findings × 4 KiB = 4 MiB at most.
    private static let longestShownLine = 4_096

    let file: String
    private let bytes: [UInt8]
    /// Where each line starts, and one past the end where another one would.
    private let starts: [Int]

    var byteCount: Int { bytes.count }

    init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
        var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
        for index in bytes.indices where bytes[index] == 0x0A { starts.append(index + 1) }
        starts.append(bytes.count + 1)
        self.starts = starts
    }

    /// The line of that number, counted from 1, without its line end; nil when there is none, or it is too long to
    /// show.
    func line(_ number: Int) -> String? {
        guard let line = bytes(ofLine: number), line.count <= Self.longestShownLine else { return nil }
        return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }

    /// The column after the last character of a line, without its line end.
    func endColumn(of number: Int) -> Int {
        guard let line = bytes(ofLine: number) else { return 1 }
        return (line.last == 0x0D ? line.dropLast() : line).count { $0 & 0xC0 != 0x80 } + 1
    }

    /// The number or word that begins at the position, as it is written: digits, letters, signs, points, underscores.
    func token(at position: TextPosition) -> String {
        text(at: position, while: Self.isTokenByte)
    }

    /// The date and time that starts at the position; a space may separate the two.
    func dateTime(at position: TextPosition) -> String {
        let text = text(at: position) { Self.isTokenByte($0) || $0 == 0x3A || $0 == 0x20 }
        return text.split(separator: " ").prefix { $0.first?.isNumber ?? false }.joined(separator: " ")
    }

    /// The place in the file at which a part of a string starts.
    ///
    /// - Parameters:
    ///   - offset: the number of Unicode scalars of the value before it.
    ///   - value: the string.
    ///   - position: the place of its opening quote.
    /// - Returns: the place; `position` where the string is not written literally, as with escapes.
    func place(ofScalar offset: Int, of value: String, writtenAt position: TextPosition) -> TextPosition {
        guard let first = line(position.line) else { return position }
        let quotes = first.unicodeScalars.dropFirst(position.column - 1).prefix(3)
        let isLong = quotes.elementsEqual("\"\"\"".unicodeScalars) || quotes.elementsEqual("'''".unicodeScalars)
        var number = position.line
        var column = position.column + (isLong ? 3 : 1)
        var rest = first.unicodeScalars.dropFirst(column - 1)
        func beginNextLine() {
            (number, column) = (number + 1, 1)
            rest = (line(number) ?? "").unicodeScalars[...]
        }
        if isLong, rest.isEmpty { beginNextLine() }
        for expected in value.unicodeScalars.prefix(offset) {
            let isLineEnd = expected == "\n"
            guard rest.popFirst() == (isLineEnd ? nil : expected) else { return position }
            if isLineEnd { beginNextLine() } else { column += 1 }
        }
        return TextPosition(line: number, column: column)
    }

    private func text(at position: TextPosition, while isPart: (UInt8) -> Bool) -> String {
        guard let line = bytes(ofLine: position.line), position.column > 0 else { return "" }
        var index = line.startIndex
        var column = 1
        while index < line.endIndex, column < position.column {
            index += 1
            while index < line.endIndex, line[index] & 0xC0 == 0x80 { index += 1 }
            column += 1
        }
        return String(decoding: line[index...].prefix(while: isPart), as: UTF8.self)
    }

    /// The start of the number or word that ends at the position or contains it.
    func startOfToken(before position: TextPosition) -> TextPosition {
        guard let scalars = line(position.line)?.unicodeScalars.prefix(max(position.column - 1, 0)) else {
            return position
        }
        let length = scalars.reversed().prefix { $0.isASCII && Self.isTokenByte(UInt8(truncatingIfNeeded: $0.value)) }
        return TextPosition(line: position.line, column: position.column - length.count)
    }

    /// The place of the first character of the line that is not a space.
    func startOfLine(_ number: Int) -> TextPosition {
        let blanks = bytes(ofLine: number)?.prefix { $0 == 0x20 || $0 == 0x09 }
        return TextPosition(line: number, column: (blanks?.count ?? 0) + 1)
    }

    private func bytes(ofLine number: Int) -> ArraySlice<UInt8>? {
        guard number > 0, number < starts.count else { return nil }
        return bytes[starts[number - 1]..<starts[number] - 1]
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}
