internal import Events
internal import Market
internal import Rules

/// The way in which the texts of events name their source.
struct LaneTexts {
    /// True if there are several sources, so that texts must name this one.
    var isAmongSeveral: Bool
    /// The names of rules whose event texts the user wrote (`own`: all events, `ownRepeats`: `repeated` only,
    /// `ownEnds`: `resolved` only). Such texts get no source in front, because they name it where needed.
    private let own: Set<String>
    private let ownRepeats: Set<String>
    private let ownEnds: Set<String>

    init(_ rules: [Rule], isAmongSeveral: Bool) {
        self.isAmongSeveral = isAmongSeveral
        own = Set(rules.indices.lazy.filter { rules[$0].message != nil }.map { rules[$0].name })
        ownRepeats = Set(rules.indices.lazy.filter { rules[$0].messageRepeated != nil }.map { rules[$0].name })
        ownEnds = Set(rules.indices.lazy.filter { rules[$0].messageResolved != nil }.map { rules[$0].name })
    }

    /// Returns the occurrence with the name of this source.
    func marked(_ occurrence: Occurrence, as name: SourceName) -> Occurrence {
        var marked = occurrence
        marked.source = name
        if isAmongSeveral, !hasOwnText(occurrence) { marked.text = "\(name): \(marked.text)" }
        return marked
    }

    /// Returns true if the user wrote the text of the occurrence. A firing that a price did not end never has such a
    /// text.
    private func hasOwnText(_ occurrence: Occurrence) -> Bool {
        guard let rule = occurrence.rule,
            own.contains(rule) || occurrence.kind == .resolved && ownEnds.contains(rule)
                || occurrence.kind == .repeated && ownRepeats.contains(rule)
        else { return false }
        return switch occurrence.reason {
        case .ruleRemoved, .ruleChanged, .ruleExpired, .symbolGone: false
        default: true
        }
    }
}
