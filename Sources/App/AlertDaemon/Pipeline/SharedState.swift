internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Storage

/// What all sources share, and what of it has changed since the last commit.
struct SharedState {
    var silences = SilenceList()
    /// The limits that are changed at run time, of all sources.
    var overrides: [LimitOverride] = []
    /// The prices of two sources that are compared.
    var checks: PriceChecks
    /// Sources that are no longer polled, whose alerts may still be in the file.
    var removed: Set<SourceName> = []
    /// What the next transaction has to have.
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

    /// Adds what has changed to a transaction, which is committed, or else the next one is whole and gets all of it.
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
