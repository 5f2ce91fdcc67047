internal import Events
internal import Market
internal import Rules
internal import Time

// What the receivers get, against what they have to.
extension Simulation {
    /// Notes for which receivers an event is. What a former process saved is for those of its settings.
    func expectAtReceivers(_ event: Event, isEarlier: Bool) {
        guard event.occurrence.notified else { return }
        let possible = (isEarlier ? formerSettings : []) + [settings]
        for name in settings.receivers.map(\.name) {
            let all = possible.map { Self.routes(event.occurrence, to: name, $0) }
            guard all.contains(true) else { continue }
            // A receiver that fails itself does not get the report.
            let isRequired = !all.contains(false) && event.occurrence.kind != .receiverFailed
            receivers.ledgers[name]?.expect(
                event.number, event.occurrence.time, at: clock.now().boot, isRequired: isRequired)
        }
    }

    private static func routes(_ what: Occurrence, to name: String, _ settings: SimulatedRules) -> Bool {
        guard let receiver = settings.receivers.first(where: { $0.name == name }) else { return false }
        let named = what.rule.flatMap { name in settings.rules.first { $0.name == name }?.receivers }
        return what.kind == .test || named?.contains(name) ?? receiver.matches(what)
    }

    /// The greatest number that the process found.
    func restoredNumber(last: Int64) -> Int64 { min(last, (observed.first?.number ?? .max) - 1) }

    /// After a crash while nothing could be saved: the numbers are used again.
    func forgetLost(last: Int64) {
        for name in receivers.ledgers.keys { receivers.ledgers[name]?.forget(after: restoredNumber(last: last)) }
    }

    func checkReceivers() throws(Broken) {
        receivers.expire()
        if let fault = receivers.fault { throw broken(fault) }
        for name in receivers.ledgers.keys.sorted() {
            receivers.ledgers[name]?.check()
            if let fault = receivers.ledgers[name]?.fault { throw broken("receiver \(name): \(fault)") }
        }
    }

    /// Receivers that accept everything get it at once, whatever the others do.
    func checkHealthyReceivers() throws(Broken) {
        let now = clock.now().boot
        for receiver in settings.receivers where !isDead {
            guard let ledger = receivers.ledgers[receiver.name], let since = ledger.healthySince,
                let oldest = ledger.pending.values.map(\.boot).min()
            else { continue }
            // A notification has 25 events, and only the first one waits for the time of a group.
            let batches = Int64(ledger.count / 25 + 2)
            let limit = receiver.longestTime(for: batches)
            guard now.since(max(oldest, since)) > limit else { continue }
            let number = ledger.pending.keys.min() ?? 0
            throw broken("receiver \(receiver.name) works, but did not get event \(number) within \(limit)")
        }
    }

    /// After the last fault, everything was sent.
    func checkQueues() throws(Broken) {
        for receiver in settings.receivers {
            guard let left = receivers.ledgers[receiver.name]?.pending, let first = left.min(by: { $0.key < $1.key })
            else { continue }
            // It may be collecting a group.
            let all = receivers.ledgers[receiver.name]?.count ?? 0
            let age = clock.now().boot.since(first.value.boot)
            guard age > receiver.longestTime(for: Int64(all / 25 + 2)) else { continue }
            throw broken("receiver \(receiver.name) never got event \(first.key), \(age) old, and \(left.count) in all")
        }
    }
}
