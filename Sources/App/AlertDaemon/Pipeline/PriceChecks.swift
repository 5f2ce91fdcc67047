internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Storage
internal import Time

/// The checks that compare prices of two sources, with their states.
struct PriceChecks {
    struct Entry {
        let check: PriceCheck
        var state = DivergenceState()
        /// The last comparison and its time; nil before the first one of this run.
        var last: (comparison: PriceComparison, time: WallTime)?
        /// The reason why the prices could not be compared at the last attempt; nil if they were compared.
        var obstacle: String? = "no prices yet"

        init(_ check: PriceCheck) {
            self.check = check
        }
    }

    var all: [Entry]

    init(_ checks: [PriceCheck]) {
        all = checks.map(Entry.init)
    }

    var stored: [StoredCheck] {
        all.map { StoredCheck(name: $0.check.name, meaning: $0.check.meaning, encodedState: $0.state.encoded) }
    }

    /// Applies new settings. A check keeps its state if its meaning is the same.
    mutating func reload(_ checks: [PriceCheck]) {
        let old = all
        all = checks.map { check in
            var entry = Entry(check)
            if let known = old.first(where: { $0.check.name == check.name && $0.check.meaning == check.meaning }) {
                (entry.state, entry.last, entry.obstacle) = (known.state, known.last, known.obstacle)
            }
            return entry
        }
    }

    /// Restores the stored states.
    ///
    /// - Returns: descriptions of the states that could not be read.
    mutating func restore(_ past: [StoredCheck], at now: Instant, isSameBoot: Bool) -> [String] {
        var unreadable: [String] = []
        for index in all.indices {
            let check = all[index].check
            guard let stored = past.first(where: { $0.name == check.name && $0.meaning == check.meaning }) else {
                continue
            }
            guard let state = DivergenceState(encoded: stored.encodedState, now: now, isSameBoot: isSameBoot) else {
                unreadable.append("the state of the check \(check.name)")
                continue
            }
            all[index].state = state
        }
        return unreadable
    }
}
