package import Events
package import Market
package import Time

/// A rule as declared in a file: symbols, condition, currency and how to notify.
package struct Rule: Equatable, Sendable {
    /// Unique among the current rules.
    package var name: String
    /// The source of its symbols; the first one of the settings when nil.
    package var source: SourceName?
    /// The symbols that the rule is for; a symbol that several of them match is matched once.
    package var symbols: [SymbolPattern]
    package var condition: Condition
    /// The currency of the condition's amounts; the market's quote currency when nil.
    package var currency: Currency?
    /// Which price decides.
    package var price: PriceKind
    /// How long a breach must hold before it counts: `for`.
    package var hold: Milliseconds
    package var notification: NotificationPolicy
    /// The rule stops evaluating at this time; never when nil.
    package var expires: WallTime?
    package var severity: Severity
    /// The text of its events; generated from the evidence when nil.
    package var message: MessageTemplate?
    /// The text of `resolved`; ``message`` when nil.
    package var messageResolved: MessageTemplate?
    /// The names of the receivers of its events; nil for those whose filters match.
    package var receivers: [String]?
    /// Its place among the rules of all sources, in the order of the files; nil where that is its place among the rules
    /// of its source.
    package var place: Int?

    package init(
        name: String, source: SourceName? = nil, symbols: [SymbolPattern], condition: Condition,
        currency: Currency? = nil,
        price: PriceKind = .last, hold: Milliseconds = .zero, notification: NotificationPolicy = NotificationPolicy(),
        expires: WallTime? = nil, severity: Severity = .warning, message: MessageTemplate? = nil,
        receivers: [String]? = nil
    ) {
        self.name = name
        self.source = source
        self.symbols = symbols
        self.condition = condition
        self.currency = currency
        self.price = price
        self.hold = hold
        self.notification = notification
        self.expires = expires
        self.severity = severity
        self.message = message
        self.receivers = receivers
    }

    /// Whether the rule is for the symbol.
    package func matches(_ symbol: Symbol) -> Bool {
        symbols.contains { $0.matches(symbol) }
    }

    /// The user's text for an event of the rule; nil if it is generated from the evidence.
    package func ownText(for event: Occurrence) -> String? {
        MessageTemplate.text(for: event, usual: message, resolved: messageResolved)
    }
}

extension [SymbolPattern] {
    /// The symbols that are named without a pattern, each once.
    package var exactSymbols: [Symbol] {
        guard count != 1 else { return self[0].exactSymbol.map { [$0] } ?? [] }
        var seen: Set<Symbol> = []
        return compactMap(\.exactSymbol).filter { seen.insert($0).inserted }
    }
}

/// How often an alert is notified.
package struct NotificationPolicy: Equatable, Sendable {
    /// The interval at which a lasting firing is notified again; never when nil.
    package var repeatAfter: Milliseconds?
    /// Minimum time between two notified firings of an alert.
    package var cooldown: Milliseconds
    /// Whether an alert is disarmed by its first notified firing, until it is armed again by hand.
    package var once: Bool

    /// Without arguments: no repeats, no cooldown, and any number of firings.
    package init(repeatAfter: Milliseconds? = nil, cooldown: Milliseconds = .zero, once: Bool = false) {
        self.repeatAfter = repeatAfter
        self.cooldown = cooldown
        self.once = once
    }
}
