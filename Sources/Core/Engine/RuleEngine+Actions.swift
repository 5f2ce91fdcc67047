package import Events
package import Market
internal import Rules

// What people do to alerts.
extension RuleEngine {
    /// Stops the repeat notifications of a rule's notified firings, on one symbol and bound or on all, until they
    /// resolve; with nil, resumes them.
    ///
    /// - Returns: how many alerts changed.
    package mutating func acknowledge(
        rule name: String, symbol: Symbol? = nil, bound: Bound? = nil, _ acknowledgement: Acknowledgement?
    ) -> Int {
        symbols.change(numbers(of: name), on: symbol, noting: &changes) { alert in
            (bound == nil || alert.test.bound == bound) && alert.state.acknowledge(acknowledgement)
        }
    }

    /// Re-arms the alerts of a one-shot rule.
    ///
    /// - Returns: how many were disarmed.
    package mutating func arm(rule name: String, symbol: Symbol? = nil) -> Int {
        symbols.change(numbers(of: name), on: symbol, noting: &changes) { alert in
            defer { alert.notification.isDisarmed = false }
            return alert.notification.isDisarmed
        }
    }

    private func numbers(of name: String) -> Set<Int> {
        Set(rules.indices.filter { rules[$0].name == name })
    }
}
