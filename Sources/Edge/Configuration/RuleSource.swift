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

    /// The start of the rule.
    package var begin: Place
    /// The place of each key that the rule has.
    package var keys: [String: Place]

    /// Keys that the rule leaves out have no place; findings about them point to its beginning.
    package init(begin: Place, keys: [String: Place]) {
        self.begin = begin
        self.keys = keys
    }

    /// The place of the first of these keys that the rule has, or else of the rule.
    package func place(of names: String...) -> Place {
        names.lazy.compactMap { keys[$0] }.first ?? begin
    }
}

extension Finding {
    package init(
        _ severity: Severity, at place: RuleSource.Place, _ message: String, advice: String? = nil
    ) {
        self.init(severity, at: place.position, message, advice: advice, sourceLine: place.line)
    }
}
