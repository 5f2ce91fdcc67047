internal import Delivery
internal import EventLoop
internal import Events
internal import Journal
internal import NaiveRules

/// A sink with a cursor that sees all events; what it gets outlives the process.
@LoopActor
final class Watcher: Sink {
    let name = "watcher"
    var counters: SinkCounters { SinkCounters() }
    private(set) var cursor: Int64? = 0
    private let onEvent: (Event) -> Void

    init(onEvent: @escaping (Event) -> Void) {
        self.onEvent = onEvent
    }

    func resume(after number: Int64) { cursor = number }

    func deliver(_ event: Event) {
        onEvent(event)
        cursor = event.number
    }

    func flush() {}
    func outcome(of number: Int64) -> DeliveryOutcome { .delivered(nil) }
}

/// What the journal has.
@LoopActor
final class SimulatedJournal {
    var numbers: Set<Int64> { former.union(present) }
    /// What earlier processes and the current one sent.
    private var former: Set<Int64> = []
    private var present: Set<Int64> = []
    private var largest: Int64 = 0
    private var repeats: [Int64] = []
    /// What it accepted since the process last had nothing to do; a crash may repeat it.
    private var recent: Set<Int64> = []
    /// What may come once more after a crash.
    private var granted: Set<Int64> = []
    /// Events that it did not accept.
    private(set) var refused: Set<Int64> = []
    var isWell = true
    /// Called before an entry is taken; false when the process is dead by then.
    var onEntry: () -> Bool = { true }
    /// Called with the number of each event that it takes.
    var onTake: (Int64) -> Void = { _ in }

    func take(_ entry: JournalEntry) -> Int32 {
        guard onEntry() else { return 0 }
        guard let number = entry.number else { return 0 }
        onTake(number)
        let isLate = number < largest && !refused.contains(number)
        if present.contains(number) || former.contains(number) || isLate, !granted.contains(number) {
            repeats.append(number)
        }
        guard isWell else {
            // It is offered again later, also if it was accepted before a loss of power.
            refused.insert(number)
            present.remove(number)
            former.remove(number)
            return -11
        }
        present.insert(number)
        recent.insert(number)
        largest = max(largest, number)
        return 0
    }

    /// The events that came once more since the last call.
    func takeRepeats() -> [Int64] {
        defer { repeats = [] }
        return repeats
    }

    /// The process has nothing to do; by now it has saved what it delivered.
    func settle() {
        recent = []
        granted = []
    }

    /// Another process begins.
    func beginLife() {
        granted.formUnion(recent)
        recent = []
        former.formUnion(present)
        present = []
    }

    /// Forgets what the present process sent.
    func discardLife() {
        present = []
        recent = []
        repeats = []
        largest = former.max() ?? 0
    }

    /// Forgets what earlier processes sent after that number: it was lost, and the numbers are used again.
    func forget(after number: Int64) {
        former = former.filter { $0 <= number }
        largest = max(former.max() ?? 0, present.max() ?? 0)
    }
}

extension JournalEntry {
    /// The number of the event.
    fileprivate var number: Int64? { value("ALERTD_NUMBER").flatMap { Int64($0) } }
    var message: String { value("MESSAGE") ?? "" }

    private func value(_ name: String) -> String? {
        let key = Array("\(name)=".utf8)
        return fields.first { $0.starts(with: key) }.map { String(decoding: $0.dropFirst(key.count), as: UTF8.self) }
    }
}
