internal import Control
internal import Events
internal import Market
internal import Time

/// The table `event`: events by number.
struct EventTable {
    let database: Database

    /// Writes an event. Does nothing if it is already stored with the same content.
    func write(_ event: Event) throws(StorageError) {
        let occurrence = event.occurrence
        try database.run(
            """
            INSERT INTO event (number, time, kind, rule, symbol, severity, json) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, .integer(event.number), .integer(occurrence.time.milliseconds), .text(occurrence.kind.rawValue),
            .optional(occurrence.rule), .optional(occurrence.symbol.map { "\($0)" }),
            .text(occurrence.severity.rawValue), .text(String(decoding: EventRecord(event).json, as: UTF8.self)))
        guard database.changeCount == 0, try self.event(event.number) != event else { return }
        throw StorageError(
            .numberTaken, path: database.path, message: "another event already has the number \(event.number)")
    }

    /// Records that numbers up to this one were assigned. No number is assigned again, even if its event is no longer
    /// kept.
    ///
    /// - Parameters:
    ///   - number: The number of an event.
    ///   - last: At least the value of ``lastNumber()`` before this event. A `number` greater than that is recorded
    ///     without first reading the recorded number.
    /// - Throws: ``StorageError`` if the table cannot be read or written.
    func recordLastNumber(_ number: Int64, after last: Int64 = .max) throws(StorageError) {
        if number <= last {
            guard try number > database.facts.counter(.lastNumber) else { return }
        }
        try database.facts.set(FactTable.Counter.lastNumber.rawValue, "\(number)")
    }

    /// Returns the greatest event number ever assigned, or 0 if there was none. Ignores numbers beyond
    /// ``Schema/counters``.
    func lastNumber() throws(StorageError) -> Int64 {
        let kept = try database.number(
            "SELECT max(number) FROM event WHERE number <= ?", .integer(Schema.counters.upperBound))
        return try max(database.facts.counter(.lastNumber), kept ?? 0)
    }
}

extension EventTable {
    /// Finds the oldest events that are too old or too many. Only the oldest are found, so that the kept numbers have
    /// no gaps.
    ///
    /// - Parameters:
    ///   - options: The limits for the number and the age of events.
    ///   - now: The current time.
    ///   - added: The number of events that were added since the last call. At most twice as many are found, or 256
    ///     if that is more.
    /// - Returns: The greatest of their numbers, or nil if there are none.
    /// - Throws: ``StorageError`` if the table cannot be read.
    func outdated(_ options: StoreOptions, at now: WallTime, added: Int) throws(StorageError) -> Int64? {
        guard let last = try database.number("SELECT max(number) FROM event") else { return nil }
        let (kept, isShort) = last.subtractingReportingOverflow(options.mostEvents)
        let oldest = now.milliseconds.subtractingReportingOverflow(options.keepEvents.count)
        guard !isShort, !oldest.overflow else { return nil }
        var end: Int64?
        try database.read(
            "SELECT number, time FROM event ORDER BY number LIMIT ?", .integer(Int64(max(256, 2 * added)))
        ) { row throws(StorageError) in
            let number = try row.integer()
            guard try row.integer() < oldest.partialValue || number <= kept else { return false }
            end = number
            return true
        }
        return end
    }

    /// Deletes the events up to a number, and their notifications. Runs inside a transaction.
    func remove(through number: Int64) throws(StorageError) {
        try database.run("DELETE FROM event WHERE number <= ?", .integer(number))
        try database.notifications.retain()
    }
}
