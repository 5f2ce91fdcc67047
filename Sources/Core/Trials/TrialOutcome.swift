internal import Events
internal import Market
package import Time

/// The comparison of a trial's events with the expected ones.
package struct TrialOutcome: Equatable, Sendable {
    /// One line of the comparison.
    package enum Entry: Equatable, Sendable {
        /// An event that happened as expected.
        case same(TrialEvent)
        /// An expected event that did not happen.
        case lacking(ExpectedEvent)
        /// An event that was not expected.
        case unexpected(TrialEvent)
        /// An event of the expected kind and time that differs otherwise, with the differences.
        case different(ExpectedEvent, TrialEvent, [String])

        /// Time since the first poll.
        package var time: Milliseconds {
            switch self {
            case .same(let event), .unexpected(let event), .different(_, let event, _): event.time
            case .lacking(let expected): expected.time
            }
        }

        /// True if the event happened as expected.
        package var isSame: Bool {
            if case .same = self { true } else { false }
        }
    }

    /// In the order of time.
    package private(set) var entries: [Entry] = []

    /// True if every event happened as expected.
    package var hasPassed: Bool { entries.allSatisfy(\.isSame) }
}

extension RuleTrial {
    /// Runs the rules and compares their events with the expected ones. The order of events with the same time does
    /// not matter.
    package func outcome(_ settings: TrialSettings) -> TrialOutcome {
        let events = events(settings).filter { kinds?.contains($0.occurrence.kind) ?? true }
        return TrialOutcome(events, expected)
    }
}

extension TrialOutcome {
    init(_ events: [TrialEvent], _ expected: [ExpectedEvent]) {
        let eventsByTime = Dictionary(grouping: events, by: \.time)
        let expectedByTime = Dictionary(grouping: expected, by: \.time)
        for time in Set(eventsByTime.keys).union(expectedByTime.keys).sorted() {
            add(eventsByTime[time] ?? [], expectedByTime[time] ?? [])
        }
    }

    /// Compares the events of one time.
    private mutating func add(_ events: [TrialEvent], _ expected: [ExpectedEvent]) {
        var pairing = Pairing(
            expected.map { wanted in
                events.indices.filter { wanted.differences(from: events[$0].occurrence).isEmpty }
            })
        let found = pairing.partners()
        var rest = expected.indices.filter { found[$0] == nil }.map { expected[$0] }
        let paired = Set(found.values)
        for (place, event) in events.enumerated() {
            if paired.contains(place) {
                entries.append(.same(event))
            } else if let near = rest.firstIndex(where: { $0.kind == event.occurrence.kind }) {
                let wanted = rest.remove(at: near)
                entries.append(.different(wanted, event, wanted.differences(from: event.occurrence)))
            } else {
                entries.append(.unexpected(event))
            }
        }
        entries += rest.map(Entry.lacking)
    }
}

/// A maximum matching of expectations and events (Kuhn's algorithm). It prevents a vague expectation from using up
/// the only event that matches a more exact one.
private struct Pairing {
    /// The candidates of each expectation.
    private let choices: [[Int]]
    private var holders: [Int: Int] = [:]
    private var visited: Set<Int> = []

    init(_ choices: [[Int]]) {
        self.choices = choices
    }

    mutating func partners() -> [Int: Int] {
        for seeker in choices.indices {
            visited = []
            _ = seek(seeker)
        }
        return Dictionary(holders.map { ($1, $0) }) { first, _ in first }
    }

    private mutating func seek(_ seeker: Int) -> Bool {
        for choice in choices[seeker] where visited.insert(choice).inserted {
            let holder = holders[choice]
            if holder == nil || seek(holder ?? seeker) {
                holders[choice] = seeker
                return true
            }
        }
        return false
    }
}
