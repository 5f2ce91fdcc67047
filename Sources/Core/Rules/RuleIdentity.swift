internal import Market
internal import Time

/// The name and meaning of a rule: its alerts keep their state across a reload or restart when both are the same. With
/// its place, as the ends of firings are reported in the order of the rules.
package struct RuleIdentity: Hashable, Sendable {
    package var name: String
    /// See ``Rule/meaning``.
    package var meaning: String
    /// See ``Rule/place``.
    package var place: Int?

    /// The meaning is that of ``Rule/meaning``, as it was when the state was saved.
    package init(name: String, meaning: String, place: Int? = nil) {
        self.name = name
        self.meaning = meaning
        self.place = place
    }
}

extension [Rule] {
    /// The name, meaning and place of each, for the rules of one source.
    package var identities: [RuleIdentity] {
        indices.map { RuleIdentity(name: self[$0].name, meaning: self[$0].meaning, place: self[$0].place ?? $0) }
    }
}

extension Rule {
    /// The name, meaning and place of the rule.
    package var identity: RuleIdentity { RuleIdentity(name: name, meaning: meaning, place: place) }

    /// What the state of the rule's alerts depends on, in one line that stays the same from version to version:
    /// symbols, condition, price, currency, `for`. How an alert is notified (its severity, for one) is no part of it.
    ///
    /// Two texts are equal exactly when the rules mean the same: symbols are sorted, numbers have no zeros at their
    /// end, and what is at its default is left out.
    package var meaning: String {
        var text =
            symbols.count == 1 ? symbols[0].text : Set(symbols.map(\.text)).sorted().joined(separator: " ")
        text += ": "
        text += condition.meaning
        if price != .last {
            text += " price "
            text += price.rawValue
        }
        if let currency { text += " currency \(currency)" }
        if hold != .zero { text += " for \(hold)" }
        return text
    }
}
