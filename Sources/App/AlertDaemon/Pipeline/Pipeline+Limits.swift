internal import Engine
internal import EventLoop
internal import Events
internal import Rules
internal import Storage

extension Pipeline {
    /// The maximum number of overrides: 1,000 × about 200 bytes = 200 kB, which are written with each change.
    static let overrideLimit = 1_000

    func change(overrides: [LimitOverride], notes: [Occurrence]) {
        let ended = apply(overrides)
        shared.unsaved.insert(.overrides)
        commit(ended + notes)
    }

    private func apply(_ new: [LimitOverride]) -> [Occurrence] {
        shared.overrides = new
        return lanes.flatMap { lane in
            let own = overrides(of: lane)
            return own == lane.engine.overrides ? [] : lane.marked(lane.engine.setOverrides(own, at: clock.now()))
        }
    }

    func overrides(of lane: Lane) -> [LimitOverride] {
        overrides.filter { $0.source == lane.name }
    }

    /// Restores the overrides of an earlier run, before the alerts are restored.
    func restore(overrides past: [LimitOverride]) {
        shared.overrides = past
        for lane in lanes { lane.engine.restore(overrides: overrides(of: lane)) }
    }

    /// Adopts the overrides of a file that could not be read before. Overrides set since then take precedence.
    ///
    /// - Returns: the occurrences: the ends of firings whose limit has changed.
    func adoptOverrides(_ past: [LimitOverride]) -> [Occurrence] {
        let own = overrides
        let kept = past.filter { old in !own.contains { old.isFor(theSameAs: $0) } }
        if !own.isEmpty { shared.unsaved.insert(.overrides) }
        return apply(kept + own)
    }
}
