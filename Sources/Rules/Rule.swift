package import Market

/// What the user declared in a file: which symbols, which condition, in which currency, how to tell.
package struct Rule: Equatable, Sendable {
    /// Unique among the rules in force.
    package var name: String
    /// The symbols that the rule is for; a symbol that several of them match is matched once.
    package var symbols: [SymbolPattern]
    package var condition: Condition
    /// The currency of the condition's amounts; the market's quote currency when nil.
    package var currency: Currency?
    package var severity: Severity

    package init(
        name: String, symbols: [SymbolPattern], condition: Condition, currency: Currency? = nil,
        severity: Severity = .warning
    ) {
        self.name = name
        self.symbols = symbols
        self.condition = condition
        self.currency = currency
        self.severity = severity
    }

    /// Whether the rule is for the symbol.
    package func matches(_ symbol: Symbol) -> Bool {
        symbols.contains { $0.matches(symbol) }
    }
}

/// When a rule has something to tell.
package enum Condition: Equatable, Sendable {
    /// The price reaches a limit that it should stay below or above.
    case band(Band)
}

/// How much an event matters.
package enum Severity: String, CaseIterable, Sendable {
    case info
    case warning
    case critical
}

/// The side of a rule that an alert stands for.
package enum Bound: String, CaseIterable, Sendable {
    case min
    case max
}
