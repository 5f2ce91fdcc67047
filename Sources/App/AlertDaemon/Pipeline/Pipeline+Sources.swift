internal import Configuration
internal import Engine
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import Market
internal import Notifications
internal import Receivers
internal import Rules
internal import Storage
internal import Time

/// The changes to the sources by a reload.
struct SourceSetChange {
    var rules: RuleSetChange
    /// The sources that are no longer polled.
    var removed: [Lane] = []
    /// The sources that are polled from now on.
    var added: [Lane] = []
}

extension Pipeline {
    /// Returns the source of a rule; nil if there is no such rule.
    func lane(ofRule name: String) -> Lane? {
        lanes.first { $0.engine.rules.contains { $0.name == name } }
    }

    /// Returns the price of a coin in the first source that has one.
    func market(of coin: Currency) -> ExchangeRate? {
        for lane in lanes {
            if let rate = lane.engine.market(of: coin) { return rate }
        }
        return nil
    }

    /// Applies new settings.
    func reload(_ settings: Settings) -> SourceSetChange {
        let now = clock.now()
        updateSilences(at: now)
        let old = identities
        var change = SourceSetChange(rules: RuleSetChange())
        var ended: [Occurrence] = []
        for lane in lanes where !settings.sources.contains(where: { $0.name == lane.name }) {
            ended += lane.retire(at: now)
            change.removed.append(lane)
        }
        shared.removed.formUnion(change.removed.map(\.name))
        shared.unsaved.formUnion([.removed, .checks])
        lanes = settings.sources.map { feed in
            guard let lane = lane(feed.name) else {
                let lane = Lane(feed, of: settings, at: now)
                connect(lane)
                change.added.append(lane)
                return lane
            }
            ended += lane.reload(feed, of: settings, at: now)
            return lane
        }
        for lane in change.added { begin(lane) }
        setSilences(at: now)
        shared.checks.reload(settings.checks)
        change.rules = RuleSetChange(from: old, to: identities)
        stateStore.setRetention(settings.events)
        receivers?.replace(ReceiverRouting(settings))
        commit(inOrder(ended, of: old, change.rules) + announcement(of: change.rules))
        let names = Set(settings.rules.map(\.name))
        let forgotten = Dictionary(lanes.map { ($0.name, $0.engine.forgotten) }) { first, _ in first }
        events.keepAlerts { key in
            names.contains(key.rule) && !(key.source.flatMap { forgotten[$0] }?.contains(key.symbol) ?? false)
        }
        for lane in lanes { armStaleTimer(of: lane) }
        return change
    }

    /// Restores the stored data of a source that the settings have just added, if it was polled at an earlier time.
    private func begin(_ lane: Lane) {
        lane.engine.restore(overrides: overrides(of: lane))
        guard let past = stateStore.history(of: lane.name) else { return }
        stateStore.reportUnreadable(lane.restoreHistory(past))
    }

    /// Restores the alerts of all sources. If rules or sources differ from those of the earlier run, the effect is
    /// the same as that of a reload.
    ///
    /// - Returns: the resulting occurrences.
    func restoreAlerts(_ past: StoredState) -> [Occurrence] {
        let stored = past.sources.filter { $0.engine != nil }
        guard !stored.isEmpty else { return [] }
        let now = clock.now()
        let isSameBoot = stateStore.isSameBoot(as: past)
        var ended: [Occurrence] = []
        var isChanged = Set(stored.map(\.name)) != Set(lanes.map(\.name))
        for source in stored {
            guard let snapshot = source.engine else { continue }
            let lane = self.lane(source.name) ?? formerLane(source.name, at: now)
            let restoration = lane.restore(snapshot, gaps: source.gaps, at: now, isSameBoot: isSameBoot)
            isChanged = isChanged || restoration.isChanged
            ended += restoration.ended
            stateStore.reportUnreadable(restoration.unreadable)
        }
        shared.removed.formUnion(stored.map(\.name).filter { lane($0) == nil })
        shared.unsaved.insert(.removed)
        // If no rule has changed, the comparison, which takes long with many rules, is skipped.
        guard isChanged || !ended.isEmpty else { return [] }
        let old = stored.flatMap { source in (source.engine?.rules ?? []).map { $0.of(source.name) } }
            .sorted { ($0.place ?? 0) < ($1.place ?? 0) }
        let change = RuleSetChange(from: old, to: identities)
        return inOrder(ended, of: old, change) + announcement(of: change)
    }

    /// Creates the lane of a source that is no longer polled, without rules.
    private func formerLane(_ name: SourceName, at now: Instant) -> Lane {
        var feed = FeedSettings()
        feed.name = name
        var settings = Settings()
        settings.feed = feed
        let lane = Lane(feed, of: settings, at: now)
        lane.isAmongSeveral = true
        lane.engine.silences = silences.inForce(at: now, clock: { WallClock.shared.minutes(in: $0) }).filter {
            $0.source == nil || $0.source == name
        }
        return lane
    }

    /// The rules of all sources, in the order of the files. The meaning of a rule depends on its source.
    private var identities: [RuleIdentity] {
        lanes.flatMap { lane in lane.engine.rules.map { $0.identity.of(lane.name) } }
            .sorted { ($0.place ?? 0) < ($1.place ?? 0) }
    }

    /// Returns the ends of firings in the order of the old rules. A rule that has moved to another source counts as
    /// changed, not as removed.
    private func inOrder(
        _ ended: [Occurrence], of old: [RuleIdentity], _ change: RuleSetChange
    ) -> [Occurrence] {
        let changed = Set(change.changed)
        let places = Dictionary(old.enumerated().map { ($1.name, $0) }) { first, _ in first }
        return ended.enumerated().sorted { left, right in
            (places[left.element.rule ?? ""] ?? 0, left.offset) < (places[right.element.rule ?? ""] ?? 0, right.offset)
        }.map { _, occurrence in
            var occurrence = occurrence
            if occurrence.reason == .ruleRemoved, changed.contains(occurrence.rule ?? "") {
                occurrence.reason = .ruleChanged
            }
            return occurrence
        }
    }

    private func announcement(of change: RuleSetChange) -> [Occurrence] {
        change.isEmpty ? [] : [Occurrence(change, at: clock.now())]
    }
}

extension RuleIdentity {
    fileprivate func of(_ source: SourceName) -> RuleIdentity {
        RuleIdentity(name: name, meaning: "\(source): \(meaning)", place: place)
    }
}
