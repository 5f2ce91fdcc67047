package import Market
package import Time

/// A time in which matching events are recorded but not notified. A nil criterion matches everything.
package struct Silence: Equatable, Sendable {
    /// Its identifier; the events that it suppresses carry it.
    package var number: Int64
    /// Matches the source of the event exactly.
    package var source: SourceName?
    /// Matches the symbol of the event.
    package var symbols: SymbolPattern?
    /// Matches the name of the rule exactly.
    package var rule: String?
    /// Matches the severity exactly.
    package var severity: Severity?
    /// When it ends, by the clock that its creator chose.
    package var end: SilenceEnd

    package init(
        number: Int64, source: SourceName? = nil, symbols: SymbolPattern? = nil, rule: String? = nil,
        severity: Severity? = nil, end: SilenceEnd
    ) {
        self.number = number
        self.source = source
        self.symbols = symbols
        self.rule = rule
        self.severity = severity
        self.end = end
    }

    /// Whether it has ended.
    package func isOver(at time: Instant) -> Bool {
        switch end {
        case .after(let boot): time.boot >= boot
        case .at(let wall): time.wall >= wall
        }
    }

    /// Whether it is active and matches an event of a rule on a symbol, of any source; `name` is nil for events without
    /// a rule.
    package func matches(_ symbol: Symbol, rule name: String?, _ severity: Severity, at time: Instant) -> Bool {
        (rule == nil || rule == name) && (self.severity == nil || self.severity == severity) && !isOver(at: time)
            && (symbols?.matches(symbol) ?? true)
    }
}

/// When a silence ends.
package enum SilenceEnd: Equatable, Sendable {
    /// After a length of time, by the monotonic clock.
    case after(BootTime)
    /// At a time of day, by the wall clock.
    case at(WallTime)
}

extension SilenceEnd {
    /// The wall time of the end, as far as it is known now.
    package func shown(at now: Instant) -> WallTime {
        switch self {
        case .after(let boot): now.wall.advanced(byAtMostAYear: boot.since(now.boot))
        case .at(let wall): wall
        }
    }
}

extension WallTime {
    /// The time `length` later, or earlier when negative, limited to a year: stored values may be damaged, and no
    /// silence lasts longer.
    package func advanced(byAtMostAYear length: Milliseconds) -> WallTime {
        let most = SilenceList.longest.count
        return WallTime(milliseconds: milliseconds + max(-most, min(length.count, most)))
    }
}
