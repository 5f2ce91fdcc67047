/// A place in a text file; line and column count from 1, the column in Unicode scalars. Both are 0 for the file as a
/// whole.
package struct SourcePosition: Hashable, Sendable {
    package var file: String
    package var line: Int
    package var column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

/// Something found in what a user wrote: what it is, where, and what to do about it.
package struct Finding: Hashable, Sendable {
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    package var severity: Severity
    /// Where it is, or nil when it is about no file at all.
    package var position: SourcePosition?
    /// What is wrong, without a full stop.
    package var message: String
    /// What to do about it, in words that can follow "; ".
    package var advice: String?
    /// The line that ``position`` is in, without its line end, when it is at hand.
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
