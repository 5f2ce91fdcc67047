/// A renderer that formats findings for people, like a compiler:
///
///     alertd.toml:3:12: error: interval is 1s; at least 10s is needed for api.wazirx.com
///         interval = "1s"
///                    ^
///
/// Control characters are escaped, so the output is safe on a terminal.
package struct FindingRenderer: Sendable {
    /// The default maximum width of a line of source, in columns.
    package static let defaultWidth = 100

    private static let indent = "    "
    private let width: Int
    private let isASCII: Bool

    /// Makes a renderer.
    ///
    /// - Parameters:
    ///   - width: the maximum width of a line of source, in columns; at least 20.
    ///   - isASCII: true if the terminal shows only ASCII. All other characters in a line of source become question
    ///     marks.
    package init(width: Int = defaultWidth, isASCII: Bool = false) {
        self.width = max(20, width)
        self.isASCII = isASCII
    }

    /// Returns all findings, followed by a line with their counts. Each line ends with a newline. The result is empty
    /// if there are no findings.
    package func render(_ findings: [Finding]) -> String {
        guard !findings.isEmpty else { return "" }
        return (findings.map(render) + [Self.summary(findings)]).map { $0 + "\n" }.joined()
    }

    /// Returns one finding: the line with its message and, if available, the line of source with a caret. There is no
    /// final newline.
    package func render(_ finding: Finding) -> String {
        let head = Self.location(finding.position) + "\(finding.severity.rawValue): " + Self.sentence(finding)
        guard let line = finding.sourceLine, let position = finding.position else { return head }
        let excerpt = SourceExcerpt(line, column: position.column, width: width, isASCII: isASCII)
        return "\(head)\n\(Self.indent)\(excerpt.text)\n\(Self.indent)\(excerpt.caretLine)"
    }

    /// Returns position, message and advice as one line, for a log, which cannot show the line of source.
    package static func placedSentence(_ finding: Finding) -> String {
        location(finding.position) + sentence(finding)
    }

    /// Returns message and advice as one line, without the position.
    package static func sentence(_ finding: Finding) -> String {
        visible(finding.message) + (finding.advice.map { "; " + visible($0) } ?? "")
    }

    /// Returns the counts of errors and warnings: `2 errors, 1 warning`.
    package static func summary(_ findings: [Finding]) -> String {
        let errors = findings.count { $0.severity == .error }
        let parts = [(errors, "error"), (findings.count - errors, "warning")]
        let counted = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return counted.isEmpty ? "no errors" : counted.joined(separator: ", ")
    }

    /// Returns `file:line:column: `, without line and column if they are 0, which means the whole file.
    private static func location(_ position: SourcePosition?) -> String {
        guard let position else { return "" }
        let file = visible(position.file)
        return position.line > 0 ? "\(file):\(position.line):\(position.column): " : "\(file): "
    }
}
