internal import Events
internal import Market
internal import Rules

/// The way in which the texts of events name their source.
struct LaneTexts {
    /// True if there are other sources, so that texts must name this one.
    var isAmongSeveral: Bool
    /// The names of rules with texts that the user wrote, which name the source where needed: for all events, and for
    /// `resolved`.
    private let own: Set<String>
    private let ownEnds: Set<String>

    init(_ rules: [Rule], isAmongSeveral: Bool) {
        self.isAmongSeveral = isAmongSeveral
        own = Set(rules.indices.lazy.filter { rules[$0].message != nil }.map { rules[$0].name })
        ownEnds = Set(rules.indices.lazy.filter { rules[$0].messageResolved != nil }.map { rules[$0].name })
    }

    /// Returns the occurrence as one of this source.
    func marked(_ occurrence: Occurrence, as name: SourceName) -> Occurrence {
        var marked = occurrence
        marked.source = name
        if isAmongSeveral, !hasOwnText(occurrence) { marked.text = "\(name): \(marked.text)" }
        return marked
    }

    /// Returns true if the user wrote the text. Ends that no price caused never have such a text.
    private func hasOwnText(_ occurrence: Occurrence) -> Bool {
        guard let rule = occurrence.rule,
            own.contains(rule) || occurrence.kind == .resolved && ownEnds.contains(rule)
        else { return false }
        return switch occurrence.reason {
        case .ruleRemoved, .ruleChanged, .ruleExpired, .symbolGone: false
        default: true
        }
    }
}
