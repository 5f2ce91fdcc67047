/// A position in a text file. Line and column are counted from 1, the column in Unicode scalars. Both are 0 for the
/// whole file.
package struct SourcePosition: Hashable, Sendable {
    /// The path of the file, for display.
    package var file: String
    package var line: Int
    package var column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

/// A mistake in a user's text: its message, its position, and advice.
package struct Finding: Hashable, Sendable {
    /// The severity. An error makes a file unusable; a warning does not.
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    package var severity: Severity
    /// The position; nil if the finding does not concern a file.
    package var position: SourcePosition?
    /// The message without a full stop.
    package var message: String
    /// Advice on what to do, phrased to follow "; "; nil if there is none.
    package var advice: String?
    /// The line of ``position`` without its line ending; nil if it is not available.
    package var sourceLine: String?

    package init(
        _ severity: Severity, at position: SourcePosition?, _ message: String, advice: String? = nil,
        sourceLine: String? = nil
    ) {
        self.severity = severity
        self.position = position
        self.message = message
        self.advice = advice
        self.sourceLine = sourceLine
    }
}
