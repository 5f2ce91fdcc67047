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
    /// Which price decides.
    package var price: PriceKind
    /// How long a breach must hold before it counts: `for`.
    package var hold: Milliseconds
    package var telling: TellingTerms
    /// From when on the rule no longer evaluates.
    package var expires: WallTime?
    package var severity: Severity
    /// The text of its events; one made from the evidence when nil.
    package var message: MessageTemplate?

    package init(
        name: String, symbols: [SymbolPattern], condition: Condition, currency: Currency? = nil,
        price: PriceKind = .last, hold: Milliseconds = .zero, telling: TellingTerms = TellingTerms(),
        expires: WallTime? = nil, severity: Severity = .warning, message: MessageTemplate? = nil
    ) {
        self.name = name
        self.symbols = symbols
        self.condition = condition
        self.currency = currency
        self.price = price
        self.hold = hold
        self.telling = telling
        self.expires = expires
        self.severity = severity
        self.message = message
    }

    /// Whether the rule is for the symbol.
    package func matches(_ symbol: Symbol) -> Bool {
        symbols.contains { $0.matches(symbol) }
    }
}

/// How often an alert is told.
package struct TellingTerms: Equatable, Sendable {
    /// After how long a firing that goes on is told again; never when nil.
    package var repeatAfter: Milliseconds?
    /// At least this long between two told firings of an alert.
    package var cooldown: Milliseconds
    /// Whether an alert is disarmed by its first told firing, until it is armed again by hand.
    package var once: Bool

    package init(repeatAfter: Milliseconds? = nil, cooldown: Milliseconds = .zero, once: Bool = false) {
        self.repeatAfter = repeatAfter
        self.cooldown = cooldown
        self.once = once
    }
}

/// Which of a ticker's prices decides.
package enum PriceKind: String, CaseIterable, Sendable {
    case last
    case bid
    case ask
    /// Half way between bid and ask.
    case mid
}

/// How much an event matters.
package enum Severity: String, CaseIterable, Sendable {
    case info
    case warning
    case critical
}

extension Ticker {
    /// The price of that kind; nil when it is missing, not greater than 0, or does not fit exactly.
    func price(_ kind: PriceKind) -> Price? {
        let price: Price? =
            switch kind {
            case .last: last
            case .bid: bid
            case .ask: ask
            case .mid:
                bid.flatMap { bid in ask.flatMap { bid.isPositive && $0.isPositive ? bid.midpoint(to: $0) : nil } }
            }
        guard let price, price.isPositive else { return nil }
        return price
    }
}
