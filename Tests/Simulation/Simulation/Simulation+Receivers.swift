internal import Events
internal import Market
internal import Receivers
internal import Rules
internal import Time

/// The receivers that were notified of a firing.
struct SimulatedFiring {
    var possible: Set<String> = []
    /// Those of which that is certain.
    var required: Set<String> = []
}

// What the receivers get, against what they have to.
extension Simulation {
    /// Notes for which receivers an event is. What a former process saved is for those of its settings.
    func expectAtReceivers(_ event: Event, isEarlier: Bool) {
        guard event.occurrence.notified else { return }
        let isEndOfRule = event.occurrence.reason == .ruleRemoved || event.occurrence.reason == .ruleChanged
        let (firing, possible) = (firing(of: event), (isEarlier || isEndOfRule ? formerSettings : []) + [settings])
        var notified = SimulatedFiring()
        for name in settings.receivers.map(\.name) {
            let all = possible.map { Self.routes(event.occurrence, to: name, $0) }
            guard all.contains(true) || isEndOfRule && firing.possible.contains(name) else { continue }
            var isRequired = !all.contains(false)
            // The end of a rule goes where its firing went: by the settings before a reload, and by what was stored
            // before a start.
            if isEndOfRule {
                let last = isEarlier ? possible : formerSettings.suffix(1)
                isRequired =
                    firing.required.contains(name) && last.allSatisfy { Self.routes(event.occurrence, to: name, $0) }
            }
            // A receiver that fails itself does not get the report.
            isRequired = isRequired && event.occurrence.kind != .receiverFailed
            receivers.books.expect(
                name, event.number, event.occurrence.time, at: clock.now().boot, isRequired: isRequired)
            notified.possible.insert(name)
            // What is sent while nothing can be saved leaves no trace.
            if isRequired, !isDegraded, !isDiskFaulty { notified.required.insert(name) }
        }
        note(notified, of: event)
    }

    private func firing(of event: Event) -> SimulatedFiring {
        alertKey(of: event).flatMap { firings[$0] } ?? SimulatedFiring()
    }

    private func note(_ notified: SimulatedFiring, of event: Event) {
        guard let key = alertKey(of: event) else { return }
        switch event.occurrence.kind {
        case .fired: firings[key] = notified
        case .repeated: firings[key]?.possible.formUnion(notified.possible)
        default: firings[key] = nil
        }
    }

    private static func routes(_ what: Occurrence, to name: String, _ settings: SimulatedRules) -> Bool {
        guard let receiver = settings.receivers.first(where: { $0.name == name }) else { return false }
        let named = what.rule.flatMap { name in settings.rules.first { $0.name == name }?.receivers }
        if what.kind == .rulesChanged, !receiver.takes(what.kind) { return false }
        return what.kind == .test || named?.contains(name) ?? receiver.matches(what)
    }

    /// The greatest number that the process found.
    func restoredNumber(last: Int64) -> Int64 { min(last, (observed.first?.number ?? .max) - 1) }

    /// After a crash while nothing could be saved: the numbers are used again.
    func forgetLost(last: Int64) {
        receivers.books.forget(after: restoredNumber(last: last))
        // What is saved may be of earlier firings.
        for key in firings.keys { firings[key]?.required = [] }
        hasLostEvents = true
    }

    /// Whether quiet hours may hold back what is not critical: now, or a while ago, or after a step of the wall clock.
    private func isHeldBack(_ receiver: SimulatedReceiver) -> Bool {
        guard let quiet = receiver.quiet else { return false }
        let minute = Int(clock.now().wall.milliseconds / 60_000 % 1_440)
        return wasClockStepped || (0..<30).contains { quiet.hours.contains(minute: (minute + 1_440 - $0) % 1_440) }
    }

    func checkReceivers() throws(Broken) {
        receivers.expire()
        if let fault = receivers.fault { throw broken(fault) }
        if let fault = receivers.books.check() { throw broken(fault) }
    }

    /// Receivers that accept everything get it at once, whatever the others do.
    func checkHealthyReceivers() throws(Broken) {
        let now = clock.now().boot
        for receiver in settings.receivers where !isDead {
            let pending = receivers.books.pending(receiver.name, isUrgentOnly: isHeldBack(receiver))
            guard let since = receivers.books.healthySince(receiver.name),
                let oldest = pending.values.map(\.boot).min()
            else { continue }
            // A notification has 25 events, and only the first one waits for the time of a group.
            let batches = Int64(receivers.books.count(receiver.name) / 25 + 2)
            let limit = receiver.longestTime(for: batches)
            guard now.since(max(oldest, since)) > limit else { continue }
            let number = pending.keys.min() ?? 0
            throw broken("receiver \(receiver.name) works, but did not get event \(number) within \(limit)")
        }
    }

    /// After the last fault, everything was sent.
    func checkQueues() throws(Broken) {
        for receiver in settings.receivers {
            let left = receivers.books.pending(receiver.name, isUrgentOnly: isHeldBack(receiver))
            guard let first = left.min(by: { $0.key < $1.key }) else { continue }
            // It may be collecting a group.
            let all = receivers.books.count(receiver.name)
            let age = clock.now().boot.since(first.value.boot)
            guard age > receiver.longestTime(for: Int64(all / 25 + 2)) else { continue }
            throw broken("receiver \(receiver.name) never got event \(first.key), \(age) old, and \(left.count) in all")
        }
    }
}
