/// A place in a text file; line and column count from 1, the column in Unicode scalars. Both are 0 for the whole file.
package struct SourcePosition: Hashable, Sendable {
    /// The path of the file, as it is shown.
    package var file: String
    /// Counted from 1; 0 for the whole file.
    package var line: Int
    /// In Unicode scalars, counted from 1; 0 for the whole file.
    package var column: Int

    /// Line and column count from 1; both are 0 for the whole file.
    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

/// Something found in what a user wrote: what it is, where, and what to do about it.
package struct Finding: Hashable, Sendable {
    /// An error makes a file unusable; a warning does not.
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    package var severity: Severity
    /// Where it is; nil when it does not concern a file.
    package var position: SourcePosition?
    /// What is wrong, without a full stop.
    package var message: String
    /// What to do about it, phrased to follow "; "; nil when there is nothing to add.
    package var advice: String?
    /// The line of ``position`` without its line ending; nil when it is not available.
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
