internal import EventLoop
internal import Market
internal import Rules

/// Gives occurrences their numbers and keeps the last of them, so that who asks for those after a number gets them.
///
/// It is the one way from the rules to the sinks: nothing is told that was not committed here.
struct EventLog {
    /// 4,096 events of at most some 700 bytes: below 3 MB.
    static let capacity = 4_096

    /// Whether the prices are made up; then the text of each event says so, wherever it is read.
    let isSimulated: Bool
    private(set) var lastNumber: Int64 = 0
    /// The last events, oldest first, without holes.
    private var kept: [Event] = []
    private var lastByAlert: [AlertKey: Int64] = [:]

    init(isSimulated: Bool = false) {
        self.isSimulated = isSimulated
    }

    /// One rule on one symbol and bound.
    struct AlertKey: Hashable {
        var rule: String
        var symbol: Symbol
        var bound: Bound
    }

    /// Numbers the occurrences in their order and keeps them.
    mutating func commit(_ occurrences: [Occurrence]) -> [Event] {
        let events = occurrences.map { occurrence in
            lastNumber += 1
            var marked = occurrence
            if isSimulated { marked.text = "SIMULATED: " + marked.text }
            return Event(number: lastNumber, occurrence: marked)
        }
        kept += events
        // Dropping a quarter at a time keeps the cost of moving the rest small.
        if kept.count > Self.capacity { kept.removeFirst(kept.count - Self.capacity * 3 / 4) }
        for event in events {
            if let key = AlertKey(event.occurrence) { lastByAlert[key] = event.number }
        }
        return events
    }

    /// The events after the given number, and how many of them are not kept any more.
    func events(after number: Int64) -> (missed: Int64, events: [Event]) {
        let next = max(0, number) < lastNumber ? max(0, number) + 1 : lastNumber + 1
        let first = kept.first?.number ?? lastNumber + 1
        return (max(0, first - next), kept.filter { $0.number >= next })
    }

    /// The number of the event that told of an alert last.
    func lastNumber(of key: AlertKey) -> Int64? {
        lastByAlert[key]
    }

    /// Forgets which events told of alerts that are no more.
    mutating func keepAlerts(_ isCurrent: (AlertKey) -> Bool) {
        lastByAlert = lastByAlert.filter { isCurrent($0.key) }
    }
}

extension EventLog.AlertKey {
    fileprivate init?(_ occurrence: Occurrence) {
        guard let rule = occurrence.rule, let symbol = occurrence.symbol, let bound = occurrence.bound else {
            return nil
        }
        self.init(rule: rule, symbol: symbol, bound: bound)
    }
}
