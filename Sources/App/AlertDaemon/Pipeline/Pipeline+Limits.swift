internal import Control
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Rules
internal import Storage

extension Pipeline {
    /// The most overrides: 1,000 of about 200 bytes are 200 kB, which are written with each change.
    static let overrideLimit = 1_000

    /// Applies other overrides, and commits them before it returns, if possible.
    ///
    /// - Parameters:
    ///   - overrides: all overrides from now on.
    ///   - notes: the events of this change, after those of firings that end.
    func change(overrides: [LimitOverride], notes: [Occurrence]) {
        let ended = engine.setOverrides(overrides, at: clock.now())
        stateStore.stage(overrides: overrides)
        commitAndDeliver(ended + notes)
    }

    /// Takes over the overrides of a file that could not be read before; those made since then win.
    ///
    /// - Returns: what happens because of it: firings whose limit is a different one now.
    func adoptOverrides(_ past: [LimitOverride]) -> [Occurrence] {
        let own = engine.overrides
        let kept = past.filter { old in !own.contains { old.isFor(theSameAs: $0) } }
        stateStore.stage(overrides: kept + own, areSaved: own.isEmpty)
        return engine.setOverrides(kept + own, at: clock.now())
    }

    /// What a reload reports about limits that differ from the settings.
    func overrideNotes() -> [String] {
        let notes = engine.overrides.map { override in
            let state = overrideState(override)
            let what =
                "\(override.bound.rawValue) \(override.limit) of “\(override.rule)” on \(override.symbol), "
                + "set by \(override.author)"
            let settings = state.settingsLimit.map { "; the configured limit is \($0)" } ?? ""
            return engine.issue(of: override).map { "\(what), is not in effect: \($0.text)" }
                ?? "\(what), stays in effect\(settings)"
        }
        let shown = 20
        return notes.prefix(shown) + (notes.count > shown ? ["and \(notes.count - shown) more changed limits"] : [])
    }
}

extension OverrideIssue {
    var text: String {
        switch self {
        case .noRule: "the rule no longer exists"
        case .otherSymbols: "the rule no longer watches this symbol"
        case .noLimit: "the rule no longer has this limit"
        case .otherCurrency: "the currency of the rule has changed"
        case .faulty(let error): "with the current rule, \(error.text)"
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
    /// Why limits do not fit together.
    var text: String {
        switch self {
        case .notPositive(let bound): "\(bound.rawValue) would not be greater than 0"
        case .minNotBelowMax: "min would not be below max"
        case .hysteresisSwallows(let bound):
            "the hysteresis is so large that an alert on \(bound.rawValue) could never resolve"
        case .doesNotFit(let bound):
            "\(bound.rawValue) or its clear level cannot be represented exactly; use fewer digits"
        case .noLimit, .negativeHysteresis, .unreachable: "the limits are not valid"
        }
    }
}
