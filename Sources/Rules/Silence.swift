package import Market

/// A time in which matching events are recorded but not told. What is nil matches everything.
package struct Silence: Equatable, Sendable {
    package var symbols: SymbolPattern?
    package var rule: String?
    package var severity: Severity?
    /// From then on it is over.
    package var end: WallTime

    package init(symbols: SymbolPattern? = nil, rule: String? = nil, severity: Severity? = nil, end: WallTime) {
        self.symbols = symbols
        self.rule = rule
        self.severity = severity
        self.end = end
    }

    func matches(_ symbol: Symbol, rule name: String?, _ severity: Severity, at time: WallTime) -> Bool {
        time < end && (symbols?.matches(symbol) ?? true) && (rule == nil || rule == name)
            && (self.severity == nil || self.severity == severity)
    }
}
