package import Events
package import Market
package import Time

/// A rule as declared in a file: symbols, condition, currency and notification policy.
package struct Rule: Equatable, Sendable {
    /// Unique among the current rules.
    package var name: String
    /// The source of its symbols; nil for the first source of the settings.
    package var source: SourceName?
    /// The symbols that the rule applies to. A symbol that matches several patterns counts once.
    package var symbols: [SymbolPattern]
    package var condition: Condition
    /// The currency of the condition's amounts; nil for the market's quote currency.
    package var currency: Currency?
    /// The kind of price that is evaluated.
    package var price: PriceKind
    /// Duration that a breach must hold before the alert fires: `for`.
    package var hold: Milliseconds
    /// Duration that a firing alert must be clear before it resolves: `keep_firing_for`.
    package var keepFiring = Milliseconds.zero
    package var notification: NotificationPolicy
    /// The time at which the rule stops being evaluated; nil for never.
    package var expires: WallTime?
    package var severity: Severity
    /// The text of its events; nil to generate it from the evidence.
    package var message: MessageTemplate?
    /// The text of `repeated` events; nil for ``message``.
    package var messageRepeated: MessageTemplate?
    /// The text of `resolved` events; nil for ``message``.
    package var messageResolved: MessageTemplate?
    /// The names of the receivers of its events; nil for all receivers whose filters match.
    package var receivers: [String]?
    /// Index among the rules of all sources, in the order of the files; nil if it equals the index among the rules of
    /// its source.
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

    /// True if the rule applies to the symbol.
    package func matches(_ symbol: Symbol) -> Bool {
        symbols.contains { $0.matches(symbol) }
    }

    /// Returns the user's text for an event of the rule; nil if it is generated from the evidence.
    package func ownText(for event: Occurrence) -> String? {
        MessageTemplate.text(for: event, usual: message, repeated: messageRepeated, resolved: messageResolved)
    }
}

extension [SymbolPattern] {
    /// The symbols that are named exactly, without duplicates.
    package var exactSymbols: [Symbol] {
        guard count != 1 else { return self[0].exactSymbol.map { [$0] } ?? [] }
        var seen: Set<Symbol> = []
        return compactMap(\.exactSymbol).filter { seen.insert($0).inserted }
    }
}

/// When and how often an alert notifies.
package struct NotificationPolicy: Equatable, Sendable {
    /// Interval of repeat notifications while an alert fires; nil for none.
    package var repeatAfter: Milliseconds?
    /// Minimum time between two notified firings of an alert.
    package var cooldown: Milliseconds
    /// True if the first notified firing disarms an alert until a user re-arms it.
    package var once: Bool
    /// The name of the rule that must fire on the same symbol for a firing to be notified; nil for none.
    package var onlyWhile: String?

    /// By default: no repeats, no cooldown, any number of firings, and no other rule.
    package init(
        repeatAfter: Milliseconds? = nil, cooldown: Milliseconds = .zero, once: Bool = false, onlyWhile: String? = nil
    ) {
        self.repeatAfter = repeatAfter
        self.cooldown = cooldown
        self.once = once
        self.onlyWhile = onlyWhile
    }
}
