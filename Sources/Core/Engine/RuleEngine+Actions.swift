package import Events
package import Market
internal import Rules

// Actions of people on alerts.
extension RuleEngine {
    /// Acknowledges a rule's notified firings, on one symbol and bound or on all: there are no repeat notifications
    /// until they resolve. Nil removes the acknowledgement.
    ///
    /// - Returns: the number of changed alerts.
    package mutating func acknowledge(
        rule name: String, symbol: Symbol? = nil, bound: Bound? = nil, _ acknowledgement: Acknowledgement?
    ) -> Int {
        symbols.change(numbers(of: name), on: symbol, recording: &changes) { alert in
            (bound == nil || alert.test.bound == bound) && alert.state.acknowledge(acknowledgement)
        }
    }

    /// Re-arms the alerts of a one-shot rule.
    ///
    /// - Returns: the number of alerts that were disarmed.
    package mutating func arm(rule name: String, symbol: Symbol? = nil) -> Int {
        symbols.change(numbers(of: name), on: symbol, recording: &changes) { alert in
            defer { alert.notification.isDisarmed = false }
            return alert.notification.isDisarmed
        }
    }

    private func numbers(of name: String) -> Set<Int> {
        Set(rules.indices.filter { rules[$0].name == name })
    }
}
