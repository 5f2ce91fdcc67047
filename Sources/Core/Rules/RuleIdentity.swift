internal import Market
internal import Time

/// The name and meaning of a rule. Its alerts keep their state across a reload or restart if both are unchanged. The
/// place is included because the ends of firings are reported in the order of the rules.
package struct RuleIdentity: Hashable, Sendable {
    package var name: String
    /// See ``Rule/meaning``.
    package var meaning: String
    /// See ``Rule/place``.
    package var place: Int?

    /// Creates an identity; `meaning` is the rule's ``Rule/meaning`` when the state was saved.
    package init(name: String, meaning: String, place: Int? = nil) {
        self.name = name
        self.meaning = meaning
        self.place = place
    }
}

extension [Rule] {
    /// The identities of the rules of one source.
    package var identities: [RuleIdentity] {
        indices.map { RuleIdentity(name: self[$0].name, meaning: self[$0].meaning, place: self[$0].place ?? $0) }
    }
}

extension Rule {
    package var identity: RuleIdentity { RuleIdentity(name: name, meaning: meaning, place: place) }

    /// Everything that the state of the rule's alerts depends on: symbols, condition, price, currency, `for`,
    /// `keep_firing_for`. It is one line whose format does not change between versions. Notification settings such as
    /// the severity are not included.
    ///
    /// Two texts are equal if and only if the rules have the same meaning: symbols are sorted, numbers have no
    /// trailing zeros, and defaults are omitted.
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
        if keepFiring != .zero { text += " keep_firing_for \(keepFiring)" }
        return text
    }
}
