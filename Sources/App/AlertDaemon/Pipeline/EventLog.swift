internal import Engine
internal import EventLoop
internal import Events
internal import Market

/// The source of event numbers. It keeps the last events in memory for clients that resume after a number.
///
/// No other code assigns numbers. ``StateStore`` commits the events before any of them is delivered.
struct EventLog {
    /// The maximum number of events in memory: 4,096 × at most about 700 bytes = less than 3 MB.
    static let capacity = 4_096

    /// True if prices are simulated; the text of each event then says so.
    let isSimulated: Bool
    /// The identity of this state file's events for receivers.
    var instance = randomInstance()
    private(set) var lastNumber: Int64 = 0
    /// The number of events since the start, by kind.
    private(set) var counts: [EventKind: Int] = [:]
    /// The last events, in the order of their numbers.
    private(set) var kept: [Event] = []
    private var lastByAlert: [AlertKey: Int64] = [:]

    init(isSimulated: Bool = false) {
        self.isSimulated = isSimulated
    }

    /// The key of an alert: one rule on one symbol and bound.
    struct AlertKey: Hashable {
        var source: SourceName?
        var rule: String
        var symbol: Symbol
        var bound: Bound
    }

    /// Assigns the next numbers to the occurrences, and keeps the events in memory.
    mutating func number(_ occurrences: [Occurrence]) -> [Event] {
        let events = occurrences.map { occurrence in
            lastNumber += 1
            counts[occurrence.kind, default: 0] += 1
            return Event(number: lastNumber, occurrence: isSimulated ? occurrence.simulated : occurrence)
        }
        append(events)
        return events
    }

    /// Continues after stored events.
    ///
    /// - Parameters:
    ///   - last: the highest number that any event had.
    ///   - events: the last stored events, in the order of their numbers.
    ///   - shift: applied to the numbers of the events that are already in memory.
    mutating func restore(last: Int64, _ events: [Event], shift: NumberShift = NumberShift()) {
        // If the state file was replaced, events in memory may have numbers that belong to events of the new file;
        // they are dropped.
        let own = kept.map(shift.applied).filter { $0.number > last }
        kept = []
        lastByAlert = [:]
        lastNumber = max(last, shift.applied(lastNumber))
        append(events + own)
    }

    private mutating func append(_ events: [Event]) {
        kept += events
        // Dropping a quarter at a time keeps the cost of moving the rest small.
        if kept.count > Self.capacity { kept.removeFirst(kept.count - Self.capacity * 3 / 4) }
        for event in events {
            if let key = AlertKey(event.occurrence) { lastByAlert[key] = event.number }
        }
        assert(zip(kept, kept.dropFirst()).allSatisfy { $0.number < $1.number }, "numbers rise")
        assert(kept.last?.number ?? 0 <= lastNumber, "none is beyond the last")
    }

    /// Returns at most `limit` kept events after the given number; nil if some events after it are no longer kept.
    func events(after number: Int64, limit: Int) -> ArraySlice<Event>? {
        guard number < lastNumber else { return [] }
        guard let first = kept.first?.number, number >= first - 1 else { return nil }
        var (low, high) = (0, kept.count)
        while low < high {
            let middle = (low + high) / 2
            if kept[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        return kept[low..<min(kept.count, low + limit)]
    }

    /// Returns the number of the last event of an alert; nil if no event of it is known.
    func lastNumber(of key: AlertKey) -> Int64? {
        lastByAlert[key]
    }

    /// Forgets the last events of alerts that no longer exist.
    mutating func keepAlerts(_ isCurrent: (AlertKey) -> Bool) {
        lastByAlert = lastByAlert.filter { isCurrent($0.key) }
    }
}

/// A renumbering of events, needed if the state file turns out to have other events with the same numbers. Numbers
/// from ``first`` on are increased.
struct NumberShift {
    var first: Int64 = .max
    var offset: Int64 = 0
    /// The increase of the numbers of silences in these events.
    var silenceOffset: Int64 = 0

    func applied(_ number: Int64) -> Int64 {
        number >= first ? number + offset : number
    }

    func applied(_ event: Event) -> Event {
        guard event.number >= first else { return event }
        var occurrence = event.occurrence
        occurrence.silence = occurrence.silence.map { $0 + silenceOffset }
        return Event(number: event.number + offset, occurrence: occurrence)
    }
}

extension EventLog.AlertKey {
    init?(_ occurrence: Occurrence) {
        guard let rule = occurrence.rule, let symbol = occurrence.symbol, let bound = occurrence.bound else {
            return nil
        }
        self.init(source: occurrence.source, rule: rule, symbol: symbol, bound: bound)
    }
}

extension Occurrence {
    /// The same occurrence with a text that says that prices are simulated.
    var simulated: Occurrence {
        var marked = self
        marked.text = "SIMULATED: " + marked.text
        return marked
    }
}
