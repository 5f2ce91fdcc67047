package import Diagnostics
internal import Events

/// The places of a rule and of its keys in a file.
package struct RuleSource: Sendable {
    /// A position in a file, with the text of its line.
    package struct Place: Sendable {
        package var position: SourcePosition
        /// The line, or nil if it must not be shown.
        package var line: String?

        /// Creates a place. Without a line, a finding shows only the position, as for files that may contain secrets.
        package init(position: SourcePosition, line: String?) {
            self.position = position
            self.line = line
        }
    }

    /// The origin of the places. Places are looked up only when a finding needs them, because most rules have no
    /// findings.
    private enum Content: Sendable {
        case entries([TOMLEntry], begin: TextPosition, text: SourceText)
        case places([String: Place], begin: Place)
    }

    private let content: Content
    /// True if no market can be converted to the rule's currency, which another finding reports.
    package internal(set) var currencyIsUnreachable = false

    /// Creates the places. A finding about a key that the rule omits points to the beginning of the rule.
    package init(begin: Place, keys: [String: Place]) {
        content = .places(keys, begin: begin)
    }

    init(begin: TextPosition, entries: [TOMLEntry], in text: SourceText) {
        content = .entries(entries, begin: begin, text: text)
    }

    package var begin: Place {
        switch content {
        case .places(_, let begin): begin
        case .entries(_, let begin, let text): text.place(begin)
        }
    }

    /// Returns the place of a key, or nil if the rule does not have it.
    package func place(ofKey name: String) -> Place? {
        switch content {
        case .places(let keys, _): keys[name]
        case .entries(let entries, _, let text):
            entries.first { $0.key == name }.map { text.place($0.node.position) }
        }
    }

    /// Returns the place of the first of these keys that the rule has, or else the beginning of the rule.
    package func place(of names: String...) -> Place {
        names.lazy.compactMap(place(ofKey:)).first ?? begin
    }
}

extension SourceText {
    fileprivate func place(_ position: TextPosition) -> RuleSource.Place {
        RuleSource.Place(
            position: SourcePosition(file: file, line: position.line, column: position.column),
            line: shownLine(position.line))
    }
}

extension Finding {
    package init(
        _ severity: Severity, at place: RuleSource.Place, _ message: String, advice: String? = nil
    ) {
        self.init(severity, at: place.position, message, advice: advice, sourceLine: place.line)
    }
}
