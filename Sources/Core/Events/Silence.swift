package import Market
package import Time

/// A time in which matching events are recorded but not notified. What is nil matches everything.
package struct Silence: Equatable, Sendable {
    /// What people call it by; events that it holds back name it.
    package var number: Int64
    package var symbols: SymbolPattern?
    package var rule: String?
    package var severity: Severity?
    package var end: SilenceEnd

    package init(
        number: Int64, symbols: SymbolPattern? = nil, rule: String? = nil, severity: Severity? = nil, end: SilenceEnd
    ) {
        self.number = number
        self.symbols = symbols
        self.rule = rule
        self.severity = severity
        self.end = end
    }

    /// Whether its time is up.
    package func isOver(at time: Instant) -> Bool {
        switch end {
        case .after(let boot): time.boot >= boot
        case .at(let wall): time.wall >= wall
        }
    }

    /// Whether it is in force and holds back what a rule tells of a symbol; nil for what no rule tells.
    package func matches(_ symbol: Symbol, rule name: String?, _ severity: Severity, at time: Instant) -> Bool {
        (rule == nil || rule == name) && (self.severity == nil || self.severity == severity) && !isOver(at: time)
            && (symbols?.matches(symbol) ?? true)
    }
}

/// When a silence is over: from then on.
package enum SilenceEnd: Equatable, Sendable {
    /// A length of time was asked for: the clock decides that never jumps.
    case after(BootTime)
    /// A time of day was asked for: the clock decides that people read.
    case at(WallTime)
}

extension SilenceEnd {
    /// When that is, as people read it now.
    package func shown(at now: Instant) -> WallTime {
        switch self {
        case .after(let boot): now.wall.advanced(byAtMostAYear: boot.since(now.boot))
        case .at(let wall): wall
        }
    }
}

extension WallTime {
    /// The time so much later, or earlier; what is stored may be damaged, and no silence lasts longer.
    package func advanced(byAtMostAYear length: Milliseconds) -> WallTime {
        let most = SilenceList.longest.count
        return WallTime(milliseconds: milliseconds + max(-most, min(length.count, most)))
    }
}
