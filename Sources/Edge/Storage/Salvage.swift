internal import Engine
internal import Events

/// What can be read of a damaged state file, written into a new one.
struct Salvage {
    let old: Database
    let new: Database
    let options: StoreOptions

    /// Copies what can be read, all of it in one transaction. What cannot be read is left out.
    ///
    /// - Returns: how much it was.
    /// - Throws: ``StorageError`` when the new file cannot be written.
    func run() throws(StorageError) -> Salvaged {
        var salvaged = Salvaged()
        try new.transaction { () throws(StorageError) in
            try copyState()
            salvaged.events = try copyEvents()
            salvaged.blocks = try copyHistory()
            if lastNumber > 0 { try new.noteLastNumber(lastNumber) }
            salvaged.lastNumber = try new.lastEventNumber()
        }
        return salvaged
    }

    private func copyState() throws(StorageError) {
        if let engine = (try? old.engineSnapshot()) ?? nil { try new.write(.whole(engine)) }
        if let boot = (try? old.fact("boot_id")) ?? nil { try new.setFact("boot_id", boot) }
        if let cursors = try? old.cursors() { try new.write(cursors: cursors) }
        for rate in (try? old.rates()) ?? [] { try new.write(rate) }
        if let silences = try? old.silences() { try new.write(silences) }
        if let overrides = try? old.overrides() { try new.write(overrides: overrides) }
    }

    /// Copies events in steps of so many numbers that one page that cannot be read costs few of them.
    private func copyEvents() throws(StorageError) -> Int {
        guard let numbers else { return 0 }
        var count = 0
        for start in stride(from: numbers.lowerBound, through: numbers.upperBound, by: Int(Self.step)) {
            let end = min(numbers.upperBound, start + Self.step - 1)
            for event in readable(start...end) {
                try new.write(event)
                count += 1
            }
        }
        return count
    }

    /// The numbers that events may have. A damaged page may hold any number at all: no more are tried than a file can
    /// have, and none that leaves no room for more.
    private var numbers: ClosedRange<Int64>? {
        let last = lastNumber
        guard last > 0, last < .max - Self.step else { return nil }
        let first = ((try? old.number("SELECT min(number) FROM event")) ?? nil) ?? 1
        let earliest = max(1, first, last - options.mostEvents + 1)
        return earliest <= last ? earliest...last : nil
    }

    private var lastNumber: Int64 {
        let noted = ((try? old.fact("last_number")) ?? nil).flatMap { Int64($0) } ?? 0
        return max(noted, ((try? old.number("SELECT max(number) FROM event")) ?? nil) ?? 0)
    }

    /// What can be read from the least number on until there is damage, and from the greatest one down.
    private func readable(_ numbers: ClosedRange<Int64>) -> [Event] {
        var events: [Event] = []
        let isWhole: Void? = try? old.forEachEvent(EventQuery(), in: numbers) { event in
            events.append(event)
            return true
        }
        guard isWhole == nil else { return events }
        let low = events.last?.number ?? .min
        var others: [Event] = []
        _ = try? old.forEachEvent(EventQuery(newestFirst: true), in: numbers) { event in
            guard event.number > low else { return false }
            others.append(event)
            return true
        }
        return events + others.reversed()
    }

    private func copyHistory() throws(StorageError) -> Int {
        var count = 0
        for id in (try? old.blockIDs()) ?? [] {
            guard let block = (try? old.block(id)) ?? nil else { continue }
            try new.write(HistoryChanges(sealed: [block]))
            count += 1
        }
        if let parts = try? old.parts() { try new.write(HistoryChanges(parts: parts)) }
        return count
    }

    private static let step = Int64(256)
}
