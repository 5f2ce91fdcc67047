package import Market

/// Another limit than the rule's, for one symbol and bound: set while the daemon runs, in force until it is reset.
package struct LimitOverride: Equatable, Sendable {
    package var rule: String
    package var symbol: Symbol
    /// `min` or `max`.
    package var bound: Bound
    package var limit: Price
    /// The rule's currency when it was set; the market's own when nil. In another currency it would mean another thing.
    package var currency: Currency?
    package var author: UserIdentity
    package var since: WallTime

    package init(
        rule: String, symbol: Symbol, bound: Bound, limit: Price, currency: Currency?, author: UserIdentity,
        since: WallTime
    ) {
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
        self.limit = limit
        self.currency = currency
        self.author = author
        self.since = since
    }
}

extension LimitOverride {
    /// Whether both are for one alert, so that only one of them can hold.
    package func isFor(theSameAs other: LimitOverride) -> Bool {
        rule == other.rule && symbol == other.symbol && bound == other.bound
    }
}

/// Why an override is not in force.
package enum OverrideHindrance: Equatable, Sendable {
    /// No rule has its name.
    case noRule
    /// The rule is not for the symbol.
    case otherSymbols
    /// The rule has no such limit.
    case noLimit
    /// The rule's currency is another one now.
    case otherCurrency
    /// The limits do not go together: ``Band`` says why.
    case faulty(ConditionError)
}

/// The overrides, by the alerts that they are for.
struct OverrideTable: Sendable {
    struct Key: Hashable {
        var rule: String
        var symbol: Symbol
    }

    /// In the order in which they were set.
    let all: [LimitOverride]
    private let byKey: [Key: [LimitOverride]]

    init(_ overrides: [LimitOverride] = []) {
        all = overrides
        byKey = Dictionary(grouping: overrides) { Key(rule: $0.rule, symbol: $0.symbol) }
    }

    func overrides(of rule: Rule, on symbol: Symbol) -> [LimitOverride] {
        byKey.isEmpty ? [] : byKey[Key(rule: rule.name, symbol: symbol)] ?? []
    }

    /// The condition that holds for the symbol.
    func condition(of rule: Rule, on symbol: Symbol) -> Condition {
        let overrides = overrides(of: rule, on: symbol)
        guard !overrides.isEmpty, case .success(let band) = rule.band(overrides) else { return rule.condition }
        return .band(band)
    }
}

extension Rule {
    /// The rule's limit of that bound, as the settings have it.
    package func limit(of bound: Bound) -> Price? {
        guard case .band(let band) = condition else { return nil }
        return switch bound {
        case .min: band.min?.price
        case .max: band.max?.price
        default: nil
        }
    }

    /// The rule's limits with others in their place. All of a rule and symbol hold, or none: a `min` that was moved
    /// because of the `max` makes no sense without it.
    package func band(_ overrides: [LimitOverride]) -> Result<Band, ConditionError> {
        guard case .band(let band) = condition, !overrides.contains(where: { hindrance($0) != nil }) else {
            return .failure(.noLimit)
        }
        let limit = { (bound: Bound) in overrides.last { $0.bound == bound }?.limit ?? self.limit(of: bound) }
        return Result { () throws(ConditionError) in
            try Band(min: limit(.min), max: limit(.max), hysteresis: band.hysteresis)
        }
    }

    /// What the override alone does not share with the rule.
    fileprivate func hindrance(_ override: LimitOverride) -> OverrideHindrance? {
        if !matches(override.symbol) { return .otherSymbols }
        if limit(of: override.bound) == nil { return .noLimit }
        return override.currency == currency ? nil : .otherCurrency
    }
}

extension RuleEngine {
    /// The limits that were changed at run time, in the order in which that was done, also those not in force.
    package var overrides: [LimitOverride] { overrideTable.all }

    /// Why an override is not in force with the present rules; nil when it is.
    package func hindrance(of override: LimitOverride) -> OverrideHindrance? {
        guard let rule = rules.first(where: { $0.name == override.rule }) else { return .noRule }
        if let hindrance = rule.hindrance(override) { return hindrance }
        guard case .failure(let error) = rule.band(overrideTable.overrides(of: rule, on: override.symbol)) else {
            return nil
        }
        return .faulty(error)
    }

    /// The limit in force of a rule for a symbol; nil when the rule has none of that bound.
    package func limit(of bound: Bound, in rule: Rule, on symbol: Symbol) -> Price? {
        activeOverride(of: rule, on: symbol, bound)?.limit ?? rule.limit(of: bound)
    }

    /// What a symbol is paid in; nil while that is not known.
    package func quote(of symbol: Symbol) -> Asset? { track(of: symbol)?.quote }

    /// The override in force of an alert.
    func activeOverride(of rule: Rule, on symbol: Symbol, _ bound: Bound) -> LimitOverride? {
        let overrides = overrideTable.overrides(of: rule, on: symbol)
        guard let found = overrides.last(where: { $0.bound == bound }), case .success = rule.band(overrides) else {
            return nil
        }
        return found
    }

    /// Takes over the overrides of an earlier run; before the alerts are restored.
    package mutating func restore(overrides: [LimitOverride]) {
        overrideTable = OverrideTable(overrides)
    }

    /// Puts other overrides in place of those that hold.
    ///
    /// An alert whose limit becomes another one starts afresh, as with a changed rule; all others go on as they are.
    ///
    /// - Returns: what is to be told: the firings that end, in the order of the rules.
    package mutating func setOverrides(_ new: [LimitOverride], at time: Instant) -> [Occurrence] {
        let old = overrideTable
        overrideTable = OverrideTable(new)
        let touched = Set((old.all + new).map(\.symbol))
        var ended: [(rule: Int, occurrence: Occurrence)] = []
        for number in tracks.indices where touched.contains(tracks[number].symbol) {
            ended += restartChanged(number, at: time)
        }
        changes.isWhole = true
        return ended.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element.occurrence)
    }

    /// Makes those alerts of a symbol anew whose limit is another one now.
    private mutating func restartChanged(
        _ number: Int, at time: Instant
    ) -> [(rule: Int, occurrence: Occurrence)] {
        let track = tracks[number]
        var kept = keptAlerts(of: track, Set(track.alerts.map { rules[$0.rule].name }))
        var ended: [(rule: Int, occurrence: Occurrence)] = []
        for alert in track.alerts {
            let rule = rules[alert.rule]
            let tests = overrideTable.condition(of: rule, on: track.symbol).tests
            guard tests.first(where: { $0.bound == alert.test.bound })?.limit != alert.test.limit else { continue }
            kept[AlertKey(rule: rule.name, bound: alert.test.bound)] = nil
            if alert.machine.isFiring { ended.append((alert.rule, ending(alert, track, at: time))) }
        }
        equip(&tracks[number], keeping: kept)
        return ended
    }

    private func ending(_ alert: Alert, _ track: MarketTrack, at time: Instant) -> Occurrence {
        let rule = rules[alert.rule]
        let isTold = alert.machine.isToldFiring
        let silence = isTold ? silence(of: track.symbol, rule: rule.name, rule.severity, at: time) : nil
        let action = AlertAction(
            kind: .resolved, told: isTold && silence == nil, reason: .ruleChanged, silence: silence)
        var occurrence = Occurrence(ending: snapshot(of: alert, in: track), action, track, at: time)
        occurrence.grounds.clear = alert.test.clear
        occurrence.text =
            "\(track.symbol) \(alert.test.bound.rawValue)"
            + (occurrence.limit.map { " \($0)" } ?? "") + ": the limit was changed"
        return occurrence
    }
}
