internal import Events
internal import Market
internal import Rules
internal import Time

/// The current rules, with an index by symbol, their expiry, and the limits changed at run time.
struct RuleSet: Sendable {
    /// In file order; alerts refer to a rule by its index here.
    let rules: [Rule]
    let index: RuleIndex
    /// True if a rule has limits relative to the price before a day.
    let hasDays: Bool
    /// The rules that must be evaluated before others.
    private let order: RuleOrder
    var expiry: RuleExpiry
    var overrides = OverrideTable()

    init(_ rules: [Rule], overrides: OverrideTable = OverrideTable()) {
        self.rules = rules
        self.overrides = overrides
        index = RuleIndex(rules)
        hasDays = rules.indices.contains { if case .day = rules[$0].condition.base { true } else { false } }
        order = RuleOrder(rules)
        expiry = RuleExpiry(rules)
    }

    /// The indices of rules by name.
    var places: [String: Int] { Dictionary(rules.enumerated().map { ($1.name, $0) }) { first, _ in first } }

    func context(of alert: Alert, in symbolState: SymbolState) -> AlertContext {
        AlertContext(alert: alert, rule: rules[alert.rule], symbolState: symbolState, overrides: overrides)
    }

    /// Creates the alerts of all rules for a symbol, in file order, and the inputs that they need.
    func equip(_ symbolState: inout SymbolState, keeping kept: [AlertKey: KeptAlert]) {
        let old = symbolState.inputs
        symbolState.inputs = []
        _ = symbolState.index(of: .last, in: nil, from: old)
        let numbers = index.rules(for: symbolState.symbol, in: rules, exactly: symbolState.isBeyondLimit)
        symbolState.alerts = []
        symbolState.alerts.reserveCapacity(numbers.reduce(0) { $0 + rules[$1].condition.testCount })
        for number in numbers {
            let input = symbolState.index(of: rules[number].price, in: rules[number].currency, from: old)
            let base = rules[number].condition.base == nil ? nil : base(ofRule: number, among: kept)
            for test in overrides.tests(of: rules[number], on: symbolState.symbol, from: base) {
                var alert = Alert(rule: number, test: test, input: input)
                alert.base = base
                alert.needsBase = base == nil && rules[number].condition.base != nil
                let before = kept[AlertKey(rule: rules[number].name, bound: test.bound)]
                alert.state = before?.state ?? .waiting
                alert.notification = before?.notification ?? NotificationState()
                (alert.path, alert.threshold) = (before?.path, before?.threshold)
                alert.isExpired = expiry.isExpired(number)
                alert.window = test.move.map {
                    symbolState.inputs[input].index(ofWindow: $0.window, from: before?.window)
                }
                symbolState.alerts.append(alert)
            }
        }
        symbolState.order = evaluationOrder(of: symbolState.alerts)
        symbolState.openWakeThresholds()
    }

    /// Returns the indices of alerts in the order of evaluation; empty if they are evaluated in their own order.
    private func evaluationOrder(of alerts: [Alert]) -> [Int] {
        guard !order.depths.isEmpty else { return [] }
        return alerts.indices.sorted {
            (order.depths[alerts[$0].rule], $0) < (order.depths[alerts[$1].rule], $1)
        }
    }

    /// Returns the index of the rule that a rule names in `only_while`; nil if it names none, or one that is missing.
    func companion(of rule: Int) -> Int? { order.companions.isEmpty ? nil : order.companions[rule] }

    /// Checks the rule that another rule names in `only_while`.
    ///
    /// - Parameters:
    ///   - rule: The index of the rule.
    ///   - alerts: All alerts of the symbol, in the order of the rules.
    /// - Returns: true if the named rule is missing, or is not firing on the symbol; false if the rule names none.
    func awaitsOther(_ rule: Int, among alerts: [Alert]) -> Bool {
        guard !order.companions.isEmpty, rules[rule].notification.onlyWhile != nil else { return false }
        return companion(of: rule).map { !alerts.fires($0) } ?? true
    }

    /// Returns the base of a rule's relative limits, which both of its alerts on a symbol share.
    private func base(ofRule number: Int, among kept: [AlertKey: KeptAlert]) -> Price? {
        [Bound.min, .max].lazy.compactMap { kept[AlertKey(rule: rules[number].name, bound: $0)]?.base }.first
    }

    /// Returns the state to keep of the alerts whose rules are in `names`; of all alerts if `names` is nil.
    func keptAlerts(of symbolState: SymbolState, _ names: Set<String>? = nil) -> [AlertKey: KeptAlert] {
        var alerts: [AlertKey: KeptAlert] = [:]
        for alert in symbolState.alerts where names?.contains(rules[alert.rule].name) ?? true {
            alerts[AlertKey(rule: rules[alert.rule].name, bound: alert.test.bound)] = KeptAlert(
                state: alert.state, notification: alert.notification,
                window: alert.window.map { symbolState.inputs[alert.input].windows[$0] }, path: alert.path,
                threshold: alert.threshold, base: alert.base)
        }
        return alerts
    }

    /// Restarts the alerts of a symbol whose limit has changed; all others keep their state.
    ///
    /// - Returns: the firings that end, each with the index of its rule.
    func restartChanged(
        _ symbolState: inout SymbolState, silences: [Silence], at time: Instant
    ) -> [(rule: Int, occurrence: Occurrence)] {
        var kept = keptAlerts(of: symbolState)
        var ended: [(rule: Int, occurrence: Occurrence)] = []
        for alert in symbolState.alerts {
            let rule = rules[alert.rule]
            let tests = overrides.tests(of: rule, on: symbolState.symbol, from: alert.base)
            guard tests.first(where: { $0.bound == alert.test.bound })?.limit != alert.test.limit else { continue }
            kept[AlertKey(rule: rule.name, bound: alert.test.bound)] = alert.base.map {
                KeptAlert(state: .waiting, notification: NotificationState(), base: $0)
            }
            guard alert.state.isFiring else { continue }
            let silence = silences.first(of: symbolState.symbol, rule: rule.name, rule.severity, at: time)
            let context = context(of: alert, in: symbolState)
            ended.append((alert.rule, context.endingByLimitChange(silence: silence, at: time)))
        }
        equip(&symbolState, keeping: kept)
        return ended
    }
}

extension [Alert] {
    /// Returns true if an alert of the rule is firing. The alerts must be in the order of their rules.
    fileprivate func fires(_ rule: Int) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].rule < rule { low = middle + 1 } else { high = middle }
        }
        return self[low...].prefix { $0.rule == rule }.contains(where: \.state.isFiring)
    }
}
