package import Events
package import Market
internal import Rules
internal import Time

extension RuleEngine {
    /// Why an alert is as it is, in words.
    func note(_ condition: AlertCondition, _ alert: Alert, _ symbolState: SymbolState) -> String? {
        let rule = rules[alert.rule]
        switch condition {
        case .firing: return firingNote(alert, rule)
        case .pending:
            guard case .pending(let since, _, _) = alert.machine, let now = lastPoll else { return nil }
            return "\(max(.zero, now.boot.since(since.boot)).approximate) of \(rule.hold)"
        case .inactive: return nil
        case .waiting: return alert.window == nil ? "no usable price yet" : "fewer than two prices in the window"
        case .frozen: return symbolState.activity.frozenSince.map { "since \($0.wall)" }
        case .missing: return "not in the last response"
        case .unusable: return "no \(rule.price.rawValue) price in the last response"
        case .unconvertible:
            let quote = symbolState.quoteCurrency.map { "\($0)" } ?? "an unknown currency"
            return "no way from \(quote) to \(rule.currency.map { "\($0)" } ?? "it")"
        case .staleRate: return "the reference rates are too old"
        case .expired: return rule.expires.map { "since \($0)" }
        case .disarmed: return "notified once; to be armed again"
        }
    }

    private func firingNote(_ alert: Alert, _ rule: Rule) -> String? {
        switch alert.machine {
        case .firing(_, .notified(_, let acknowledgement?)): return "acknowledged by \(acknowledgement.user)"
        case .firing(_, .suppressed(.cooldown)):
            let end = alert.record.lastFired.map { $0.wall.milliseconds + rule.notification.cooldown.count }
            return "not notified: cooldown" + (end.map { " until \(WallTime(milliseconds: $0))" } ?? "")
        case .firing(_, .suppressed(let reason)): return "not notified: \(reason.rawValue)"
        default: return nil
        }
    }
}

// What people do to alerts.
extension RuleEngine {
    /// Stops the repeats of a rule's firings that were notified, on one symbol and bound or on all, until they are
    /// over; with nil lets them go on.
    ///
    /// - Returns: how many that changed.
    package mutating func acknowledge(
        rule name: String, symbol: Symbol? = nil, bound: Bound? = nil, _ acknowledgement: Acknowledgement?
    ) -> Int {
        change(rule: name, symbol) { alert in
            (bound == nil || alert.test.bound == bound) && alert.machine.acknowledge(acknowledgement)
        }
    }

    /// Arms the alerts of a rule that has notified its once.
    ///
    /// - Returns: how many were disarmed.
    package mutating func arm(rule name: String, symbol: Symbol? = nil) -> Int {
        change(rule: name, symbol) { alert in
            defer { alert.record.isDisarmed = false }
            return alert.record.isDisarmed
        }
    }

    private mutating func change(rule name: String, _ symbol: Symbol?, _ body: (inout Alert) -> Bool) -> Int {
        var count = 0
        for number in symbolStates.indices where symbol == nil || symbolStates[number].symbol == symbol {
            for index in symbolStates[number].alerts.indices
            where rules[symbolStates[number].alerts[index].rule].name == name {
                var alert = symbolStates[number].alerts[index]
                guard body(&alert) else { continue }
                noteChange(of: &alert, index, of: number)
                symbolStates[number].alerts[index] = alert
                symbolStates[number].wakeThresholds[index] = .open(alert.input)
                count += 1
            }
        }
        return count
    }
}
