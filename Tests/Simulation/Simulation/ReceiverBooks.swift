internal import Time

/// The ledgers of all receivers. One with quiet hours has two: critical events, which come at any time, may overtake
/// the others.
struct ReceiverBooks {
    private struct Key: Hashable {
        var name: String
        var isUrgent: Bool
    }

    private var ledgers: [Key: ReceiverLedger] = [:]
    /// The receivers with quiet hours.
    private var quiet: Set<String> = []
    /// The events for receivers that were removed while nothing could be saved.
    private var unsaved: [Key: Set<Int64>] = [:]
    /// The events that quiet hours do not hold back.
    private var urgent: Set<Int64> = []

    private func keys(of name: String) -> [Key] {
        (quiet.contains(name) ? [true, false] : [false]).map { Key(name: name, isUrgent: $0) }
    }

    private func key(of name: String, _ number: Int64) -> Key {
        Key(name: name, isUrgent: quiet.contains(name) && urgent.contains(number))
    }

    /// Notes whether quiet hours hold back an event.
    mutating func note(_ number: Int64, isUrgent: Bool) {
        if isUrgent { urgent.insert(number) } else { urgent.remove(number) }
    }

    mutating func set(_ receivers: [SimulatedReceiver], isSaved: Bool) {
        let names = Set(receivers.map(\.name))
        for (key, ledger) in ledgers where !names.contains(key.name) {
            if !isSaved { unsaved[key, default: []].formUnion(ledger.all) }
            ledgers[key] = nil
        }
        quiet = Set(receivers.filter { $0.quiet != nil }.map(\.name))
        for key in receivers.flatMap({ keys(of: $0.name) }) where ledgers[key] == nil {
            ledgers[key] = ReceiverLedger(lost: unsaved[key] ?? [])
        }
    }

    mutating func expect(_ name: String, _ number: Int64, _ wall: WallTime, at boot: BootTime, isRequired: Bool) {
        ledgers[key(of: name, number)]?.expect(number, wall, at: boot, isRequired: isRequired)
    }

    /// Takes a request.
    mutating func take(_ name: String, _ id: String, _ numbers: [Int64], isQuiet: Bool) {
        for key in keys(of: name) {
            let part = numbers.filter { self.key(of: name, $0) == key }
            if !part.isEmpty { ledgers[key]?.take(id, part, isHeldBack: isQuiet && !key.isUrgent) }
        }
    }

    mutating func finish(_ name: String, _ id: String, _ numbers: [Int64], isKnown: Bool) {
        for key in keys(of: name) {
            let part = numbers.filter { self.key(of: name, $0) == key }
            if !part.isEmpty { ledgers[key]?.finish(id, part, isKnown: isKnown) }
        }
    }

    /// Since when the receiver accepts everything; nil while it does not.
    func healthySince(_ name: String) -> BootTime? { keys(of: name).first.flatMap { ledgers[$0]?.healthySince } }

    mutating func setHealthy(_ name: String, since: BootTime?) {
        for key in keys(of: name) { ledgers[key]?.healthySince = since }
    }

    /// Forgets what is too old to be sent, by its time and whether quiet hours hold it back.
    ///
    /// - Returns: whether there was anything.
    mutating func expire(_ name: String, where isOld: (WallTime, Bool) -> Bool) -> Bool {
        var isAny = false
        for key in keys(of: name) {
            let count = ledgers[key]?.pending.count
            let isHeldBack = quiet.contains(name) && !key.isUrgent
            ledgers[key]?.expire { isOld($0, isHeldBack) }
            if ledgers[key]?.pending.count != count { isAny = true }
        }
        return isAny
    }

    mutating func crash(isSaved: Bool) {
        for key in ledgers.keys { ledgers[key]?.crash(isSaved: isSaved) }
    }

    mutating func forget(after number: Int64) {
        for key in ledgers.keys { ledgers[key]?.forget(after: number) }
    }

    /// What does not hold.
    mutating func check() -> String? {
        for key in ledgers.keys { ledgers[key]?.check() }
        let faults = ledgers.compactMap { key, ledger in ledger.fault.map { "receiver \(key.name): \($0)" } }
        return faults.min()
    }

    /// The events that it still has to get; without those that quiet hours may hold back if only urgent ones are asked
    /// for.
    func pending(_ name: String, isUrgentOnly: Bool) -> [Int64: (boot: BootTime, wall: WallTime)] {
        keys(of: name).filter { $0.isUrgent || !isUrgentOnly }.compactMap { ledgers[$0]?.pending }
            .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }

    /// How many events were for it.
    func count(_ name: String) -> Int { keys(of: name).compactMap { ledgers[$0]?.count }.reduce(0, +) }
}
