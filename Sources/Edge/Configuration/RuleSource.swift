package import Diagnostics
internal import Events

/// The place of a rule in a file, and of each of its keys.
package struct RuleSource: Sendable {
    /// A position in a file, and its line.
    package struct Place: Sendable {
        package var position: SourcePosition
        /// The line; nil when it must not be shown.
        package var line: String?

        /// Without a line, a finding shows the position only, as for files that may hold secrets.
        package init(position: SourcePosition, line: String?) {
            self.position = position
            self.line = line
        }
    }

    /// The places are looked up when a finding needs them: most rules have none.
    private enum Content: Sendable {
        case entries([TOMLEntry], begin: TextPosition, text: SourceText)
        case places([String: Place], begin: Place)
    }

    private let content: Content
    /// Whether no market can be converted to the rule's currency, as another finding says.
    package internal(set) var currencyIsUnreachable = false

    /// Keys that the rule leaves out have no place; findings about them point to its beginning.
    package init(begin: Place, keys: [String: Place]) {
        content = .places(keys, begin: begin)
    }

    init(begin: TextPosition, entries: [TOMLEntry], in text: SourceText) {
        content = .entries(entries, begin: begin, text: text)
    }

    /// The start of the rule.
    package var begin: Place {
        switch content {
        case .places(_, let begin): begin
        case .entries(_, let begin, let text): text.place(begin)
        }
    }

    /// The place of a key; nil when the rule does not have it.
    package func place(ofKey name: String) -> Place? {
        switch content {
        case .places(let keys, _): keys[name]
        case .entries(let entries, _, let text):
            entries.first { $0.key == name }.map { text.place($0.node.position) }
        }
    }

    /// The place of the first of these keys that the rule has, or else of the rule.
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
