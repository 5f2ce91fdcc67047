/// The text of a settings file, divided into lines.
struct SourceText: Sendable {
    /// The length in bytes of the longest line that is shown with a finding: 1,000 findings × 4 KiB = 4 MiB at most.
    private static let longestShownLine = 4_096

    let file: String
    private let bytes: [UInt8]
    /// The offset of each line, and the offset that a line after the last one would have.
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

    /// Returns a line without its line end, counted from 1, or nil if there is no such line or it is too long to
    /// show.
    func line(_ number: Int) -> String? {
        guard let line = bytes(ofLine: number), line.count <= Self.longestShownLine else { return nil }
        return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }

    /// Returns the column after the last character of a line, without its line end.
    func endColumn(of number: Int) -> Int {
        guard let line = bytes(ofLine: number) else { return 1 }
        return (line.last == 0x0D ? line.dropLast() : line).count { $0 & 0xC0 != 0x80 } + 1
    }

    /// Returns the number or word that begins at a position, as written: digits, letters, signs, points, underscores.
    func token(at position: TextPosition) -> String {
        text(at: position, while: Self.isTokenByte)
    }

    /// Returns the date and time that begin at a position. A space may separate the two.
    func dateTime(at position: TextPosition) -> String {
        let text = text(at: position) { Self.isTokenByte($0) || $0 == 0x3A || $0 == 0x20 }
        return text.split(separator: " ").prefix { $0.first?.isNumber ?? false }.joined(separator: " ")
    }

    /// Finds the position in the file where a part of a string starts.
    ///
    /// - Parameters:
    ///   - offset: The number of Unicode scalars of the value before that part.
    ///   - value: The value of the string.
    ///   - position: The position of its opening quote.
    /// - Returns: The position, or `position` if the string is not written literally, for example because it has
    ///   escapes.
    func position(ofScalar offset: Int, of value: String, writtenAt position: TextPosition) -> TextPosition {
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

    /// Returns the start of the number or word that ends at a position or contains it.
    func startOfToken(before position: TextPosition) -> TextPosition {
        guard let scalars = line(position.line)?.unicodeScalars.prefix(max(position.column - 1, 0)) else {
            return position
        }
        let length = scalars.reversed().prefix { $0.isASCII && Self.isTokenByte(UInt8(truncatingIfNeeded: $0.value)) }
        return TextPosition(line: position.line, column: position.column - length.count)
    }

    /// Returns the position of the first character of a line that is neither a space nor a tab.
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
