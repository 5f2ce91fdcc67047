internal import Time

/// What one receiver has to get, and what it got: each event at least once, in order, and each attempt of a
/// notification with one id.
struct ReceiverLedger {
    private struct Batch {
        var id: String
        var numbers: Set<Int64>
    }

    /// The events that it still has to get, and when they happened.
    private(set) var pending: [Int64: (boot: BootTime, wall: WallTime)] = [:]
    /// All events that are for it.
    private var known: Set<Int64> = []
    /// What arrived, until it is compared with what is for it.
    private var arrived: Set<Int64> = []
    /// The last event of a notification that was accepted or refused.
    private var last: Int64 = 0
    private var lastBatch: Batch?
    /// What was sent and not answered, or answered with a failure.
    private var open: Batch?
    /// Whether a crash may repeat the last notification.
    private var mayRepeat = false
    /// Events up to this number may be repeated in any way: it is not known how far the receiver was.
    private var looseThrough: Int64 = 0
    /// Since when it accepts everything; nil while it does not.
    var healthySince: BootTime?
    private(set) var fault: String?

    /// How many events were for it.
    var count: Int { known.count }
    /// Events of a lost process, whose numbers are used again; they may have been sent, or have been saved after all.
    private var lost: Set<Int64>
    /// All events that may arrive.
    var all: Set<Int64> { known.union(lost) }

    init(lost: Set<Int64> = []) {
        self.lost = lost
    }

    /// An event was notified; it has to arrive if it is required.
    mutating func expect(_ number: Int64, _ wall: WallTime, at boot: BootTime, isRequired: Bool) {
        guard known.insert(number).inserted, isRequired, !arrived.contains(number) else { return }
        pending[number] = (boot, wall)
    }

    /// Takes a request.
    ///
    /// - Parameters:
    ///   - id: that of the notification.
    ///   - numbers: its events.
    ///   - isHeldBack: whether quiet hours hold back such events now, unless they were sent before.
    mutating func take(_ id: String, _ numbers: [Int64], isHeldBack: Bool = false) {
        let batch = Batch(id: id, numbers: Set(numbers))
        guard let first = numbers.first, let end = numbers.last, numbers == batch.numbers.sorted() else {
            return fail("notification \(id) has events \(numbers)")
        }
        defer { open = batch }
        guard first > looseThrough else { return }
        if isHeldBack, open?.id != id, lastBatch?.id != id, !mayRepeat {
            return fail("notification \(id) came in quiet hours")
        }
        if first <= last {
            let isSame = lastBatch.map { $0.id == id && batch.numbers.isSubset(of: $0.numbers) } ?? false
            guard mayRepeat, isSame else { return fail("events \(numbers) came again as \(id), after \(last)") }
            return
        }
        guard let open else { return }
        // Some of it may be too old by now.
        if open.id == id ? !batch.numbers.isSubset(of: open.numbers) : (open.numbers.max() ?? 0) > end {
            fail("notification \(id) has \(numbers), but \(open.id) had \(open.numbers.sorted())")
        } else if open.id != id, !open.numbers.isDisjoint(with: pending.keys) {
            fail("notification \(id) came before \(open.id) was accepted")
        }
    }

    /// The notification was accepted, or refused for good; it is known if the daemon gets the answer.
    mutating func finish(_ id: String, _ numbers: [Int64], isKnown: Bool) {
        arrived.formUnion(numbers)
        for number in numbers { pending[number] = nil }
        guard isKnown else { return }
        last = max(last, numbers.last ?? 0)
        lastBatch = Batch(id: id, numbers: Set(numbers))
        open = nil
        if (numbers.first ?? 0) > looseThrough { looseThrough = 0 }
        mayRepeat = false
    }

    /// The process was killed.
    ///
    /// - Parameter isSaved: whether what it did before is surely saved.
    mutating func crash(isSaved: Bool) {
        mayRepeat = true
        healthySince = nil
        guard !isSaved else { return }
        looseThrough = max(last, known.max() ?? 0)
        open = nil
    }

    /// Forgets events that were lost with the process, whose numbers are used again.
    mutating func forget(after number: Int64) {
        pending = pending.filter { $0.key <= number }
        lost.formUnion(known.filter { $0 > number })
        known = known.filter { $0 <= number }
        arrived = arrived.filter { $0 <= number }
        last = min(last, number)
        if let open, (open.numbers.max() ?? 0) > number { self.open = nil }
        looseThrough = number
    }

    /// Events that are older than this need not arrive.
    mutating func expire(where isOld: (WallTime) -> Bool) {
        pending = pending.filter { !isOld($0.value.wall) }
    }

    /// Whether everything that arrived was for it.
    mutating func check() {
        if let stranger = arrived.subtracting(known).subtracting(lost).min() { fail("event \(stranger) is not for it") }
    }

    private mutating func fail(_ text: String) { fault = fault ?? text }
}
