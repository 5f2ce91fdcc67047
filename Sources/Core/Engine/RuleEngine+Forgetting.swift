internal import Events
internal import Market
internal import Rules
internal import Time

// Bounds on the state: no response can make it grow without limit. A symbol that no rule names exactly is forgotten
// once it has been gone for a long time, or when other symbols need its place.
extension RuleEngine {
    /// Duration that a symbol must be gone before it is forgotten.
    static let forgetAfter = Milliseconds.seconds(86_400)
    /// Interval of the search for symbols that have been gone for a long time.
    private static let sweepPeriod = Milliseconds.seconds(3_600)

    /// Forgets symbols that have been gone for a long time, and further symbols if the response has more new ones than
    /// there are places.
    ///
    /// - Returns: the ends of the firings of forgotten symbols.
    mutating func makeRoom(for batch: TickerBatch) -> [Occurrence] {
        forgetting.symbols.removeAll()
        if forgetting.nextSweep.map({ batch.received.boot >= $0 }) ?? true {
            forgetting.nextSweep = batch.received.boot.advanced(by: Self.sweepPeriod)
            forgetGone(but: Set(batch.tickers.map(\.symbol)), at: batch.received)
        }
        let limit = SymbolStates.capacity + watches.all.count
        guard symbols.table.count + batch.tickers.count > limit else { return [] }
        let present = Set(batch.tickers.map(\.symbol))
        let newCount = present.count { symbols.number(of: $0) == nil }
        return forget(symbols.table.count + newCount - limit, lackedBy: present, at: batch.received)
    }

    /// Forgets symbols that have been gone for a long time. Called before the rules change, so that the result does
    /// not depend on the time of the last sweep.
    mutating func forgetGone(at time: Instant) {
        forgetting.symbols.removeAll()
        forgetGone(but: [], at: time)
    }

    private mutating func forgetGone(but present: Set<Symbol>, at time: Instant) {
        for number in symbols.indices where isForgettable(number, at: time) {
            if !present.contains(symbols[number].symbol) { forget(number) }
        }
    }

    /// Marks the symbols that the last response lacks.
    mutating func markGone(at time: Instant) {
        for number in symbols.indices
        where symbols[number].presence.lastPoll != pollCount && symbols[number].presence.goneSince == nil {
            symbols[number].presence.goneSince = time
            if changes.isRecording, let slot = symbols[number].slot { changes.record.didDisappear(slot: slot) }
        }
    }

    /// Marks that a symbol is in the response again. Its state starts over if it could have been forgotten, so that
    /// the result does not depend on the time of the last sweep.
    mutating func recordReturn(of number: Int, at time: Instant) {
        if isForgettable(number, at: time) {
            if symbols[number].isRemembered { changes.isWhole = true }
            symbols.discount(number)
            insert(SymbolState(symbol: symbols[number].symbol), as: number)
        } else if changes.isRecording, let slot = symbols[number].slot {
            changes.record.didReturn(slot: slot)
        }
        symbols[number].presence.goneSince = nil
    }

    /// True if a symbol has been gone for a long time and has no state that must be kept.
    private func isForgettable(_ number: Int, at time: Instant) -> Bool {
        guard !symbols[number].presence.isVacant, symbols[number].watch == nil, symbols[number].isLongGone(at: time)
        else { return false }
        return !isNeeded(number, at: time)
    }

    /// True if a stored symbol can be forgotten, given the stored alerts.
    func isForgettable(_ state: SymbolState, _ alerts: [AlertSnapshot], clock: ClockTranslation) -> Bool {
        guard state.isLongGone(at: clock.now) else { return false }
        return !alerts.contains { alert in
            guard alert.symbol == state.symbol, let stored = StoredAlertState(alert.encodedState, clock: clock) else {
                return false
            }
            let policy = rules.first { $0.name == alert.rule }?.notification ?? NotificationPolicy()
            return stored.base != nil || isNeeded(stored.state, stored.notification, policy, at: clock.now)
        }
    }

    /// True if an alert of the symbol has state that must not be lost: it fires, has a deferred resolve notification,
    /// has notified within its cooldown, is disarmed, or has a base.
    private func isNeeded(_ number: Int, at time: Instant) -> Bool {
        symbols[number].alerts.contains {
            $0.base != nil || isNeeded($0.state, $0.notification, ruleSet.rules[$0.rule].notification, at: time)
        }
    }

    private func isNeeded(
        _ state: AlertState, _ notification: NotificationState, _ policy: NotificationPolicy, at time: Instant
    ) -> Bool {
        state.isFiring || state.isResolvePending || notification.isDisarmed
            || notification.lastFired.map { time.boot.since($0.boot) < policy.cooldown } ?? false
    }

    /// Forgets symbols that the response lacks: first those without state that must be kept, then those that have been
    /// gone longest. Equals are in the order of their names, because the numbers of symbols may change with a restart.
    private mutating func forget(_ count: Int, lackedBy present: Set<Symbol>, at time: Instant) -> [Occurrence] {
        guard count > 0 else { return [] }
        let candidates = symbols.indices.filter {
            !symbols[$0].presence.isVacant && symbols[$0].watch == nil && !present.contains(symbols[$0].symbol)
        }.map { number in
            (
                isNeeded: isNeeded(number, at: time) ? 1 : 0,
                gone: symbols[number].presence.goneSince?.boot ?? time.boot, number: number
            )
        }.sorted {
            ($0.isNeeded, $0.gone, symbols[$0.number].symbol)
                < ($1.isNeeded, $1.gone, symbols[$1.number].symbol)
        }
        var ended: [(rule: Int, occurrence: Occurrence)] = []
        for (_, _, number) in candidates.prefix(count) {
            ended += endsOfFirings(of: number, at: time)
            forget(number)
        }
        return ended.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element.occurrence)
    }

    private func endsOfFirings(of number: Int, at time: Instant) -> [(rule: Int, occurrence: Occurrence)] {
        let symbolState = symbols[number]
        return symbolState.alerts.filter(\.state.isFiring).map { alert in
            let context = ruleSet.context(of: alert, in: symbolState)
            let severity = context.rule.severity
            let silence = silences.first(of: symbolState.symbol, rule: context.rule.name, severity, at: time)
            let action = AlertAction(ending: alert.state.isNotifiedFiring, .symbolGone, silence: silence)
            return (alert.rule, Occurrence(ending: context.snapshot, action, symbolState, alert.path, at: time))
        }
    }

    private mutating func forget(_ number: Int) {
        let symbol = symbols[number].symbol
        if symbols[number].isRemembered { changes.isWhole = true }
        symbols.table.remove(symbol)
        symbols.discount(number)
        symbols[number] = SymbolState(vacatedBy: symbol)
        forgetting.symbols.insert(symbol)
    }
}

/// The symbols forgotten with the last response or reload, and the time of the next sweep.
struct SymbolForgetting: Sendable {
    var symbols: Set<Symbol> = []
    /// When to search again for symbols that have been gone for a long time; nil means with the next response.
    var nextSweep: BootTime?
}

extension SymbolState {
    /// True if the symbol has been gone for at least a day, and for at least the length of its longest window.
    fileprivate func isLongGone(at time: Instant) -> Bool {
        guard let goneSince = presence.goneSince else { return false }
        let longest = inputs.lazy.flatMap(\.windows).map(\.length).max() ?? .zero
        return time.boot.since(goneSince.boot) >= max(RuleEngine.forgetAfter, longest)
    }

    /// The placeholder under the number of a forgotten symbol.
    fileprivate init(vacatedBy symbol: Symbol) {
        self.init(symbol: symbol)
        presence.goneSince = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 0))
        presence.isVacant = true
    }
}
