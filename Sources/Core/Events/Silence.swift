package import Market
package import Time

/// A period in which matching events are recorded but not notified. A nil criterion matches everything.
package struct Silence: Equatable, Sendable {
    /// Its identifier, which suppressed events refer to.
    package var number: Int64
    /// The source that the event must have; nil for any.
    package var source: SourceName?
    /// The symbols that the event may have; nil for any.
    package var symbols: SymbolPattern?
    /// The rule that the event must have; nil for any.
    package var rule: String?
    /// The severity that the event must have; nil for any.
    package var severity: Severity?
    /// The end of the silence, on the clock that its creator chose.
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

    /// True if the silence has ended.
    package func isOver(at time: Instant) -> Bool {
        switch end {
        case .after(let boot): time.boot >= boot
        case .at(let wall): time.wall >= wall
        }
    }

    /// True if the silence is active and matches an event of a rule on a symbol, regardless of the source. `name` is
    /// nil for events without a rule.
    package func matches(_ symbol: Symbol, rule name: String?, _ severity: Severity, at time: Instant) -> Bool {
        (rule == nil || rule == name) && (self.severity == nil || self.severity == severity) && !isOver(at: time)
            && (symbols?.matches(symbol) ?? true)
    }
}

/// The end of a silence.
package enum SilenceEnd: Equatable, Sendable {
    /// The end of a duration, on the boot clock.
    case after(BootTime)
    /// A point in time, on the wall clock.
    case at(WallTime)
}

extension SilenceEnd {
    /// Returns the wall time of the end, estimated if the end is on the boot clock.
    package func shown(at now: Instant) -> WallTime {
        switch self {
        case .after(let boot): now.wall.advanced(byAtMostAYear: boot.since(now.boot))
        case .at(let wall): wall
        }
    }
}

extension WallTime {
    /// Returns the time `length` later (earlier if negative). The distance is limited to 366 days: stored values may
    /// be damaged, and no silence lasts longer.
    package func advanced(byAtMostAYear length: Milliseconds) -> WallTime {
        let most = SilenceList.longest.count
        return WallTime(milliseconds: milliseconds + max(-most, min(length.count, most)))
    }
}
