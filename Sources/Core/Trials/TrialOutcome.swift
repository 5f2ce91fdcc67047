internal import Events
internal import Market
package import Time

/// The events of a trial compared with those expected.
package struct TrialOutcome: Equatable, Sendable {
    /// One line of the comparison.
    package enum Entry: Equatable, Sendable {
        /// It happened as expected.
        case same(TrialEvent)
        /// It was expected and did not happen.
        case lacking(ExpectedEvent)
        /// It happened and was not expected.
        case unexpected(TrialEvent)
        /// An event of that kind happened at that time, but differs, and how.
        case different(ExpectedEvent, TrialEvent, [String])

        /// How long after the first poll.
        package var time: Milliseconds {
            switch self {
            case .same(let event), .unexpected(let event), .different(_, let event, _): event.time
            case .lacking(let expected): expected.time
            }
        }

        /// Whether it happened as expected.
        package var isSame: Bool {
            if case .same = self { true } else { false }
        }
    }

    /// In the order of time.
    package private(set) var entries: [Entry] = []

    /// Whether every event happened as expected.
    package var hasPassed: Bool { entries.allSatisfy(\.isSame) }
}

extension RuleTrial {
    /// Runs the rules and compares their events with those expected, in any order within one time.
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

/// Pairs as many as possible (Kuhn's algorithm), so that a vague expectation does not take the event that a more exact
/// one needs.
private struct Pairing {
    /// The candidates of each.
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
