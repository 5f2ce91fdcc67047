internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Storage

/// The state that all sources share, and its changes since the last commit.
struct SharedState {
    var silences = SilenceList()
    /// The limits set at run time, for all sources.
    var overrides: [LimitOverride] = []
    /// The checks that compare prices of two sources.
    var checks: PriceChecks
    /// Sources that are no longer polled and whose alerts may still be in the file.
    var removed: Set<SourceName> = []
    /// The parts that the next transaction must contain.
    var unsaved: Parts = []

    struct Parts: OptionSet {
        let rawValue: Int

        static let silences = Parts(rawValue: 1)
        static let overrides = Parts(rawValue: 2)
        static let checks = Parts(rawValue: 4)
        static let removed = Parts(rawValue: 8)
        /// The exchange rates in effect.
        static let rates = Parts(rawValue: 16)
    }

    init(_ checks: [PriceCheck]) {
        self.checks = PriceChecks(checks)
    }

    /// Adds the changes to a transaction. If it cannot be committed, the next one is whole and contains everything.
    mutating func add(to new: inout Transaction, polled: [SourceName], rates: @autoclosure () -> [StoredRate]) {
        let has = { [unsaved, isWhole = new.isWhole] (part: Parts) in isWhole || unsaved.contains(part) }
        if has(.silences) { new.silences = silences }
        if has(.overrides) { new.overrides = overrides }
        if has(.checks) { new.checks = checks.stored }
        if has(.removed) { new.sources += removed.subtracting(polled).sorted().map(SourceChanges.removal) }
        if has(.rates) { new.rates = rates() }
        unsaved = []
    }
}
