package import Events
package import Market
package import Time

/// An expected event of a trial. Nil fields are not compared.
package struct ExpectedEvent: Equatable, Sendable {
    /// Time since the first poll.
    package var time: Milliseconds
    package var kind: EventKind
    /// The name of the rule.
    package var rule: String?
    package var symbol: Symbol?
    package var bound: Bound?
    package var severity: Severity?
    /// Compared as a number: `1.50` equals `1.5`.
    package var price: Price?
    /// Compared as a number, like ``price``.
    package var limit: LimitValue?
    package var currency: Currency?
    package var notified: Bool?
    package var reason: Reason?
    package var text: String?

    /// Creates an expected event; `time` counts from the first poll.
    package init(time: Milliseconds, kind: EventKind) {
        self.time = time
        self.kind = kind
    }

    /// Returns the differences of an event from this one: `price is 104, not 108`; empty if it matches. The time is
    /// not compared.
    package func differences(from event: Occurrence) -> [String] {
        [
            difference("kind", kind, event.kind, \.rawValue),
            difference("rule", rule, event.rule) { "\"\($0)\"" },
            difference("symbol", symbol, event.symbol, \.description),
            difference("bound", bound, event.bound, \.rawValue),
            difference("severity", severity, event.severity, \.rawValue),
            difference("price", price, event.price, \.description),
            difference("limit", limit, event.limit, \.description),
            difference("currency", currency, event.currency, \.description),
            difference("notified", notified, event.notified, \.description),
            difference("reason", reason, event.reason, \.rawValue),
            difference("text", text, event.text) { "\"\($0)\"" },
        ].compactMap(\.self)
    }

    private func difference<Fact: Equatable>(
        _ name: String, _ expected: Fact?, _ came: Fact?, _ words: (Fact) -> String
    ) -> String? {
        guard let expected, expected != came else { return nil }
        return "\(name) is \(came.map(words) ?? "absent"), not \(words(expected))"
    }

    /// Describes the event: `fired max of "btc band" on btcinr, price 110, not notified`
    package var words: String {
        let head = eventWords(kind, bound, rule, symbol)
        let facts = [
            price.map { "price \($0)" }, limit.map { "limit \($0)" }, currency.map(\.description),
            severity.map(\.rawValue), notified.map { $0 ? "notified" : "not notified" }, reason.map(\.rawValue),
            text.map { "text \"\($0)\"" },
        ]
        return ([head] + facts.compactMap(\.self)).joined(separator: ", ")
    }
}

extension TrialEvent {
    /// Describes the event: `fired max of "btc band" on btcinr, price 110, not notified: cooldown`
    package var words: String {
        let event = occurrence
        let notification =
            event.notified ? event.reason?.rawValue : "not notified" + (event.reason.map { ": \($0.rawValue)" } ?? "")
        let facts = [event.price.map { "price \($0)" }, notification]
        return ([eventWords(event.kind, event.bound, event.rule, event.symbol)] + facts.compactMap(\.self))
            .joined(separator: ", ")
    }
}

private func eventWords(_ kind: EventKind, _ bound: Bound?, _ rule: String?, _ symbol: Symbol?) -> String {
    let parts = [kind.rawValue, bound?.rawValue, rule.map { "of \"\($0)\"" }, symbol.map { "on \($0)" }]
    return parts.compactMap(\.self).joined(separator: " ")
}
