/// What a reload changed, by rule name.
package struct ReloadResult: Codable, Equatable, Sendable {
    package var added: [String]
    package var removed: [String]
    package var changed: [String]
    package var kept: [String]
    /// Settings that a reload cannot change, each a key: they need a restart.
    package var needsRestart: [String]
    package var warnings: [String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case added, removed, changed, kept
        case needsRestart = "needs_restart"
        case warnings
    }

    package init(
        added: [String], removed: [String], changed: [String], kept: [String], needsRestart: [String],
        warnings: [String]
    ) {
        self.added = added
        self.removed = removed
        self.changed = changed
        self.kept = kept
        self.needsRestart = needsRestart
        self.warnings = warnings
    }
}

/// What a poll on request brought.
package struct PollResult: Codable, Equatable, Sendable {
    /// `ok` or the word for what went wrong.
    package var state: String
    package var message: String?
    package var symbols: Int
    package var badElements: Int
    package var durationMilliseconds: Int
    /// Events that the poll gave rise to.
    package var events: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case state, message, symbols
        case badElements = "bad_elements"
        case durationMilliseconds = "duration_ms"
        case events
    }

    package init(
        state: String, message: String? = nil, symbols: Int, badElements: Int, durationMilliseconds: Int, events: Int
    ) {
        self.state = state
        self.message = message
        self.symbols = symbols
        self.badElements = badElements
        self.durationMilliseconds = durationMilliseconds
        self.events = events
    }
}
