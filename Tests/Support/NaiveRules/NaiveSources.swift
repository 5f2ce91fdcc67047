package import Engine
package import Events
package import Market
package import Rules
package import Time

/// Several sources of prices, each with rules of its own. They share a list of rules, silences and limits, and nothing
/// that one of them does changes what happens to another.
package struct NaiveSources: Equatable {
    /// A source as the settings declare it.
    package struct Source: Equatable {
        package var name: SourceName
        package var settings: EngineSettings

        package init(_ name: SourceName, _ settings: EngineSettings) {
            self.name = name
            self.settings = settings
        }
    }

    package struct Lane: Equatable {
        package let name: SourceName
        package internal(set) var rules: NaiveRules
        /// Whether the present process has had a response.
        var hasResponse = false
    }

    package private(set) var lanes: [Lane] = []
    /// The rules of all sources, in the order of the files.
    private var rules: [Rule] = []
    /// The markets that are compared.
    var checks: [NaiveCheck] = []
    /// The limits that are changed at run time, also those of sources that are no longer polled.
    package private(set) var overrides: [LimitOverride] = []

    /// - Parameters:
    ///   - sources: in the order of the settings.
    ///   - rules: in the order of the files; each names its source.
    ///   - checks: the markets to compare.
    ///   - start: when they are polled first.
    package init(
        _ sources: [Source] = [], rules: [Rule] = [], checks: [PriceCheck] = [],
        start: BootTime = BootTime(milliseconds: 0)
    ) {
        self.rules = rules
        self.checks = checks.map(NaiveCheck.init)
        lanes = sources.map { source in
            let own = rules.filter { $0.source == source.name }
            return Lane(name: source.name, rules: NaiveRules(rules: own, settings: source.settings, start: start))
        }
    }

    package func lane(_ name: SourceName) -> NaiveRules? { lanes.first { $0.name == name }?.rules }

    /// Takes a response of a source; the silences are those of all sources.
    package mutating func take(_ poll: NaiveRules.Poll, of name: SourceName) -> [NaiveEvent] {
        guard let index = lanes.firstIndex(where: { $0.name == name }) else { return [] }
        lanes[index].hasResponse = true
        var own = poll
        own.silences = poll.silences.filter { $0.source == nil || $0.source == name }
        return change(name) { $0.take(own) } + compare(after: name, poll)
    }

    /// The limits that were reached in a gap of a source; see ``NaiveRules/touched(_:_:rates:at:silences:)``.
    package mutating func touched(
        _ gap: NaiveGapKey, of name: SourceName, _ candles: [Candle], rates: ReferenceRates?, at now: Instant,
        silences: [Silence]
    ) -> [NaiveEvent] {
        let matching = silences.filter { $0.source == nil || $0.source == name }
        return change(name) { $0.touched(gap, candles, rates: rates, at: now, silences: matching) }
    }

    /// The gaps of each source that candles may say something about.
    package var gaps: [SourceName: Set<NaiveGapKey>] {
        Dictionary(uniqueKeysWithValues: lanes.map { ($0.name, $0.rules.gaps) })
    }

    /// Forgets a gap of which nothing will be known.
    package mutating func drop(_ gap: NaiveGapKey, of name: SourceName) {
        _ = change(name) { rules in
            rules.drop(gap)
            return []
        }
    }

    /// Reports a source as stale when its time has come.
    package mutating func checkFeed(of name: SourceName, at now: Instant) -> [NaiveEvent] {
        change(name) { $0.checkFeed(at: now) }
    }

    /// The sources that become stale next, and when.
    package var feedDeadline: BootTime? { lanes.compactMap(\.rules.feedDeadline).min() }

    /// The machine was suspended.
    package mutating func resume(at now: BootTime) {
        for index in lanes.indices { lanes[index].rules.resume(at: now) }
    }

    package mutating func acknowledge(rule: String, _ isOn: Bool = true) {
        for index in lanes.indices { lanes[index].rules.acknowledge(rule: rule, isOn) }
    }

    package mutating func arm(rule: String) {
        for index in lanes.indices { lanes[index].rules.arm(rule: rule) }
    }

    /// Other sources and rules: the firings that end, then the change.
    package mutating func reload(
        _ sources: [Source], rules new: [Rule], checks newChecks: [PriceCheck] = [], silences: [Silence],
        at now: Instant
    ) -> [NaiveEvent] {
        let oldChecks = checks
        checks = newChecks.map { new in
            oldChecks.first { $0.check.name == new.name && $0.check.meaning == new.meaning }?.with(new)
                ?? NaiveCheck(new)
        }
        let places = Dictionary(rules.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let (old, meanings) = (Self.meanings(rules), Self.meanings(new))
        var ends: [NaiveEvent] = []
        for lane in lanes {
            let source = sources.first { $0.name == lane.name }
            let own = new.filter { $0.source == lane.name && source != nil }
            let matching = silences.filter { $0.source == nil || $0.source == lane.name }
            ends += change(lane.name) {
                $0.reload(rules: own, settings: source?.settings ?? $0.settings, silences: matching, at: now)
            }
        }
        let before = lanes
        lanes = sources.map { source in
            if let kept = before.first(where: { $0.name == source.name }) { return kept }
            let own = new.filter { $0.source == source.name }
            var lane = NaiveRules(rules: own, settings: source.settings, start: now.boot)
            lane.overrides = overrides.filter { $0.source == source.name }
            return Lane(name: source.name, rules: lane)
        }
        rules = new
        var events = places.sorted { $0.value < $1.value }.flatMap { place in ends.filter { $0.rule == place.key } }
        for index in events.indices where events[index].reason == .ruleRemoved {
            // It belongs to another source now.
            if events[index].rule.flatMap({ meanings[$0] }) != nil { events[index].reason = .ruleChanged }
        }
        return old == meanings ? events : events + [NaiveEvent(.rulesChanged, at: now.wall)]
    }

    /// What each rule means, with its source.
    private static func meanings(_ rules: [Rule]) -> [String: [String]] {
        Dictionary(rules.map { ($0.name, [$0.source?.description ?? "", $0.meaning]) }) { first, _ in first }
    }

    /// Another process continues, perhaps after a reboot; its settings follow as a reload.
    package mutating func restart(at now: Instant, isSameBoot: Bool) {
        for index in lanes.indices {
            lanes[index].rules.restart(at: now, isSameBoot: isSameBoot)
            lanes[index].hasResponse = false
        }
        guard !isSameBoot else { return }
        for index in checks.indices { checks[index].translate(to: now) }
    }

    /// Other limits at run time: the firings that end, by source and rule.
    package mutating func setOverrides(_ new: [LimitOverride], silences: [Silence], at now: Instant) -> [NaiveEvent] {
        overrides = new
        return lanes.map(\.name).flatMap { name in
            let own = new.filter { $0.source == name }
            guard own != lane(name)?.overrides else { return [NaiveEvent]() }
            let matching = silences.filter { $0.source == nil || $0.source == name }
            return change(name) { $0.setOverrides(own, silences: matching, at: now) }
        }
    }

    /// Changes a source.
    ///
    /// - Returns: the events, as events of that source. A change of rules is one of all sources, and left out.
    private mutating func change(
        _ name: SourceName, _ body: (inout NaiveRules) -> [NaiveEvent]
    ) -> [NaiveEvent] {
        guard let index = lanes.firstIndex(where: { $0.name == name }) else { return [] }
        return body(&lanes[index].rules).filter { $0.kind != .rulesChanged }.map { event in
            var event = event
            event.source = name
            return event
        }
    }
}
