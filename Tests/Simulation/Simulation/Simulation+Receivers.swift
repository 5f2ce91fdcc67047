internal import Events
internal import Market
internal import Rules
internal import Time

// What the receivers get, against what they have to.
extension Simulation {
    /// Notes for which receivers an event is.
    func expectAtReceivers(_ event: Event) {
        let what = event.occurrence
        guard what.notified else { return }
        let named = what.rule.flatMap { name in settings.rules.first { $0.name == name }?.receivers }
        for receiver in settings.receivers {
            guard what.kind == .test || named?.contains(receiver.name) ?? receiver.matches(what) else { continue }
            // A receiver that fails itself does not get the report.
            receivers.ledgers[receiver.name]?.expect(
                event.number, what.time, at: clock.now().boot, isRequired: what.kind != .receiverFailed)
        }
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
            // A notification has 25 events, and each begins with the time of a group.
            let batches = Int64(ledger.pending.count / 25 + 2)
            let limit = Milliseconds((receiver.group.count + 1_000) * batches)
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
            let age = clock.now().boot.since(first.value.boot)
            guard age > Milliseconds(receiver.group.count * 2 + 2_000) else { continue }
            throw broken("receiver \(receiver.name) never got event \(first.key), \(age) old, and \(left.count) in all")
        }
    }
}
