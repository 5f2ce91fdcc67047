/// Writes findings for people, as compilers do:
///
///     alertd.toml:3:12: error: interval is 1s; at least 10s is needed for api.wazirx.com
///         interval = "1s"
///                    ^
///
/// Control characters are escaped, so the output is safe on a terminal.
package struct FindingRenderer: Sendable {
    /// The maximum width of a line of source, in columns.
    package static let defaultWidth = 100

    private static let indent = "    "
    private let width: Int
    private let isASCII: Bool

    /// - Parameters:
    ///   - width: the maximum width of a line of source, in columns; at least 20.
    ///   - isASCII: whether a terminal without other characters shows a line of source; they are question marks then.
    package init(width: Int = defaultWidth, isASCII: Bool = false) {
        self.width = max(20, width)
        self.isASCII = isASCII
    }

    /// All findings, one after the other, and a line that counts them; each line ends in a newline. Empty when there
    /// are none.
    package func render(_ findings: [Finding]) -> String {
        guard !findings.isEmpty else { return "" }
        return (findings.map(render) + [Self.summary(findings)]).map { $0 + "\n" }.joined()
    }

    /// One finding: its message line, and the line of source with a caret where there is one; without a final newline.
    package func render(_ finding: Finding) -> String {
        let head = Self.place(finding.position) + "\(finding.severity.rawValue): " + Self.sentence(finding)
        guard let line = finding.sourceLine, let position = finding.position else { return head }
        let excerpt = SourceExcerpt(line, column: position.column, width: width, isASCII: isASCII)
        return "\(head)\n\(Self.indent)\(excerpt.text)\n\(Self.indent)\(excerpt.caretLine)"
    }

    /// Position, message and advice in one line: for a log, which cannot show the line of source.
    package static func placedSentence(_ finding: Finding) -> String {
        place(finding.position) + sentence(finding)
    }

    /// Message and advice in one line, without the position.
    package static func sentence(_ finding: Finding) -> String {
        visible(finding.message) + (finding.advice.map { "; " + visible($0) } ?? "")
    }

    /// How many there are of each: `2 errors, 1 warning`.
    package static func summary(_ findings: [Finding]) -> String {
        let errors = findings.count { $0.severity == .error }
        let parts = [(errors, "error"), (findings.count - errors, "warning")]
        let counted = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return counted.isEmpty ? "no errors" : counted.joined(separator: ", ")
    }

    /// `file:line:column: `; without line and column when they are 0, which means the whole file.
    private static func place(_ position: SourcePosition?) -> String {
        guard let position else { return "" }
        let file = visible(position.file)
        return position.line > 0 ? "\(file):\(position.line):\(position.column): " : "\(file): "
    }
}
