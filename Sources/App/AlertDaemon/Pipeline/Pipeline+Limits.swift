internal import Control
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Rules
internal import Storage

extension Pipeline {
    /// The most overrides: 1,000 of some 200 bytes, 200 kB, are written again with each change.
    static let overrideLimit = 1_000

    /// Puts other overrides in force, and commits them before it returns, if that can be done now.
    ///
    /// - Parameters:
    ///   - overrides: all that are to hold.
    ///   - notes: what is to be notified of it, after the firings that end.
    func change(overrides: [LimitOverride], notes: [Occurrence]) {
        let ended = engine.setOverrides(overrides, at: clock.now())
        stateStore.stage(overrides: overrides)
        commitAndDeliver(ended + notes)
    }

    /// Takes up the overrides of a file that could not be read before; those that were made since win over its own.
    ///
    /// - Returns: what is to be notified: firings whose limit is another one now.
    func adoptOverrides(_ past: [LimitOverride]) -> [Occurrence] {
        let own = engine.overrides
        let kept = past.filter { old in !own.contains { old.isFor(theSameAs: $0) } }
        stateStore.stage(overrides: kept + own, areSaved: own.isEmpty)
        return engine.setOverrides(kept + own, at: clock.now())
    }

    /// What a reload says of limits that are not those of the settings.
    func overrideNotes() -> [String] {
        let notes = engine.overrides.map { override in
            let state = overrideState(override)
            let what =
                "\(override.bound.rawValue) \(override.limit) of “\(override.rule)” on \(override.symbol), "
                + "set by \(override.author)"
            let settings = state.settingsLimit.map { "; the settings say \($0)" } ?? ""
            return engine.issue(of: override).map { "\(what), is not in force: \($0.words)" }
                ?? "\(what), stays in force\(settings)"
        }
        let shown = 20
        return notes.prefix(shown) + (notes.count > shown ? ["and \(notes.count - shown) more changed limits"] : [])
    }
}

extension OverrideIssue {
    var words: String {
        switch self {
        case .noRule: "there is no such rule any more"
        case .otherSymbols: "the rule is not for this symbol any more"
        case .noLimit: "the rule has no such limit any more"
        case .otherCurrency: "the rule is in another currency now"
        case .faulty(let error): "with the rule as it is now, \(error.words)"
        }
    }

    var name: String {
        switch self {
        case .noRule: "no_rule"
        case .otherSymbols: "other_symbols"
        case .noLimit: "no_limit"
        case .otherCurrency: "other_currency"
        case .faulty: "faulty"
        }
    }
}

extension ConditionError {
    /// Why limits do not go together.
    var words: String {
        switch self {
        case .notPositive(let bound): "\(bound.rawValue) would not be greater than 0"
        case .minNotBelowMax: "min would not be below max"
        case .hysteresisSwallows(let bound):
            "the hysteresis is so large that an alert of \(bound.rawValue) could never be over"
        case .doesNotFit(let bound): "\(bound.rawValue) or its clear level could not be held exactly; use fewer digits"
        case .noLimit, .negativeHysteresis, .unreachable: "the limits make no sense"
        }
    }
}
