internal import Engine
internal import EventLoop
internal import Events
internal import Rules
internal import Storage

extension Pipeline {
    /// The most overrides: 1,000 of about 200 bytes are 200 kB, which are written with each change.
    static let overrideLimit = 1_000

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
}
