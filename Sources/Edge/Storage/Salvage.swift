internal import Engine
internal import Events
internal import Market
internal import Receivers

/// A copier of everything that can be read of a damaged state file into a new one.
struct Salvage {
    let old: Database
    let new: Database
    let options: StoreOptions

    /// Copies everything that can be read, in one transaction of the new file. Leaves out the rest.
    ///
    /// - Returns: The amount of data that was copied.
    /// - Throws: ``StorageError`` if the new file cannot be written.
    func run() throws(StorageError) -> Salvaged {
        var salvaged = Salvaged()
        try new.transaction { () throws(StorageError) in
            try copyState()
            salvaged.events = try copyEvents()
            salvaged.blocks = try copyHistory()
            if lastNumber > 0 { try new.events.recordLastNumber(lastNumber) }
            salvaged.lastNumber = try new.events.lastNumber()
        }
        return salvaged
    }

    private func copyState() throws(StorageError) {
        for source in sources {
            if let names = try? old.coins(source.id).names(), !names.isEmpty {
                try new.coins(try new.sources.id(of: source.name)).write(names)
            }
            let tables = old.engine(source.id)
            guard let engine = (try? tables.snapshot()) ?? (try? tables.alertsAlone()) else { continue }
            guard !engine.rules.isEmpty || !engine.checkpoint.isEmpty else { continue }
            let id = try new.sources.id(of: source.name)
            try new.engine(id).write(.whole(engine))
            var gaps = GapChanges()
            gaps.added = (try? old.gaps(source.id).all()) ?? []
            try new.gaps(id).write(gaps)
        }
        if let boot = (try? old.facts.value("boot_id")) ?? nil { try new.facts.set("boot_id", boot) }
        if let cursors = try? old.cursors.all() { try new.cursors.write(cursors) }
        for rate in (try? old.rates.all()) ?? [] { try new.rates.write(rate) }
        if let silences = try? old.silences.list() { try new.silences.write(silences) }
        if let overrides = try? old.overrides.all() { try new.overrides.write(overrides) }
        if let checks = try? old.checks.all() { try new.checks.write(checks) }
        if let queues = try? old.notifications.queues() {
            try new.notifications.write(
                QueueChanges(added: queues.queued, batches: queues.batches.mapValues { .some($0) }))
        }
        // If the last number is not known, event numbers may start again. The new file then keeps its own instance,
        // so that receivers do not confuse the events.
        if lastNumber > 0, let instance = (try? old.facts.value("instance")) ?? nil {
            try new.facts.set("instance", instance)
        }
    }

    /// The sources in the file, or only ``StoreOptions/firstSource`` if none can be read.
    private var sources: [(id: Int64, name: SourceName)] {
        let found = ((try? old.sources.all()) ?? []).filter { Schema.counters.contains($0.id) }
        return found.isEmpty ? [(id: Int64(1), name: options.firstSource)] : found
    }

    /// Copies events in small ranges of numbers, so that an unreadable page costs only a few of them.
    private func copyEvents() throws(StorageError) -> Int {
        guard let numbers else { return 0 }
        var count = 0
        for start in stride(from: numbers.lowerBound, through: numbers.upperBound, by: Int(Self.step)) {
            let end = min(numbers.upperBound, start + Self.step - 1)
            for event in readable(start...end) {
                try new.events.write(event)
                count += 1
            }
        }
        return count
    }

    /// The range of event numbers to copy. A damaged page may contain any number, so the range is limited to the
    /// number of events that a file may keep.
    private var numbers: ClosedRange<Int64>? {
        let last = lastNumber
        guard last > 0 else { return nil }
        let first = ((try? old.number("SELECT min(number) FROM event")) ?? nil) ?? 1
        let earliest = max(1, first, last - options.mostEvents + 1)
        return earliest <= last ? earliest...last : nil
    }

    private var lastNumber: Int64 {
        let kept = try? old.number(
            "SELECT max(number) FROM event WHERE number <= ?", .integer(Schema.counters.upperBound))
        return max((try? old.facts.counter(.lastNumber)) ?? 0, (kept ?? nil) ?? 0)
    }

    /// Returns the events that can be read upwards from the lowest number until there is damage, and downwards from
    /// the highest number.
    private func readable(_ numbers: ClosedRange<Int64>) -> [Event] {
        var events: [Event] = []
        let isWhole: Void? = try? old.events.forEach(EventQuery(), in: numbers) { event in
            events.append(event)
            return true
        }
        guard isWhole == nil else { return events }
        let low = events.last?.number ?? .min
        var others: [Event] = []
        _ = try? old.events.forEach(EventQuery(newestFirst: true), in: numbers) { event in
            guard event.number > low else { return false }
            others.append(event)
            return true
        }
        return events + others.reversed()
    }

    private func copyHistory() throws(StorageError) -> Int {
        var count = 0
        for source in sources {
            let (old, new) = (old.history(source.id), new.history(try new.sources.id(of: source.name)))
            for id in (try? old.blockIDs()) ?? [] where Schema.counters.contains(id) {
                guard let block = (try? old.block(id)) ?? nil else { continue }
                try new.write(HistoryChanges(sealed: [block]))
                count += 1
            }
            let parts = try? self.old.polls(source.id).openRows()
            try new.write(HistoryChanges(parts: parts ?? []))
        }
        return count
    }

    private static let step = Int64(256)
}
