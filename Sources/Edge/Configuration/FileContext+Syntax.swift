internal import Text

extension FileContext {
    /// Parses a file and returns the entries of its root table. If it is not TOML, reports a finding and returns nil.
    func parse(_ bytes: [UInt8]) -> [TOMLEntry]? {
        switch TOMLDocument(parsing: bytes) {
        case .table(let entries): return entries
        case .malformed(let message, let position):
            if isUnendedString(message, at: position) {
                error(position, "not valid TOML: a string has no closing quote", advice: "close it on the same line")
                return nil
            }
            let place = faultPlace(of: message, at: position)
            error(place, "not valid TOML: \(plainWords(message))", advice: syntaxAdvice(message, at: place))
            return nil
        }
    }

    /// Returns true if a string reaches the end of its line without a closing quote.
    private func isUnendedString(_ message: String, at position: TextPosition) -> Bool {
        guard message.includes("parsing string: unescaped control"),
            let line = source(at: position).line(position.line)
        else { return false }
        return position.column > line.unicodeScalars.count
    }

    /// Returns the position of the fault, which may be before the position where the parser stopped.
    private func faultPlace(of message: String, at position: TextPosition) -> TextPosition {
        if message.includes("cannot redefine") { return source(at: position).startOfLine(position.line) }
        if message.includes("not representable") { return source(at: position).startOfToken(before: position) }
        // At the end of the file, the parser's column is one too high.
        let end = source(at: position).endColumn(of: position.line)
        return TextPosition(line: position.line, column: min(position.column, end))
    }

    /// Returns the parser's message without its prefix.
    private func plainWords(_ message: String) -> String {
        for prefix in ["Error while parsing ", "Encountered "] where message.hasPrefix(prefix) {
            return String(message.dropFirst(prefix.count))
        }
        return message
    }

    private func syntaxAdvice(_ message: String, at place: TextPosition) -> String? {
        if message.includes("cannot redefine") { return "keep one of the two" }
        if message.includes("could not determine value type") { return "write text in quotes" }
        if message.includes("expected digit, saw") { return "write a value with a unit in quotes, such as \"30s\"" }
        return nil
    }
}
