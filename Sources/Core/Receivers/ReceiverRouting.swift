package import Events

/// The routing of events to receivers: a pure function of the settings.
package struct ReceiverRouting: Equatable, Sendable {
    /// In the order of the settings.
    package var receivers: [Receiver]
    /// The receivers that rules name, by the name of the rule; rules that name none are absent.
    package var receiversOfRules: [String: [String]]

    package init(receivers: [Receiver] = [], receiversOfRules: [String: [String]] = [:]) {
        self.receivers = receivers
        self.receiversOfRules = receiversOfRules
    }

    /// Returns the receivers of an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - isFailing: True if a receiver is failing; it does not get the report about its own failure.
    /// - Returns: The names of the receivers, in the order of the settings.
    package func names(for event: Occurrence, isFailing: (String) -> Bool = { _ in false }) -> [String] {
        guard event.notified, !receivers.isEmpty else { return [] }
        if let sink = event.sink { return receivers.contains { $0.name == sink } ? [sink] : [] }
        if event.kind == .test { return receivers.map(\.name) }
        let takers = receivers.lazy.filter { !$0.kind.profile.sendsPrices }
        let chosen = event.rule.flatMap { receiversOfRules[$0] }
        return takers.compactMap { receiver in
            if event.kind == .receiverFailed, isFailing(receiver.name) { return nil }
            // Setting a limit at run time is a `rules_changed` event with a rule. The receivers that the rule names
            // get it only if their filters have that kind.
            if event.kind == .rulesChanged, !receiver.filter.accepts(event.kind) { return nil }
            let isChosen = chosen?.contains(receiver.name) ?? receiver.filter.matches(event)
            return isChosen ? receiver.name : nil
        }
    }
}
