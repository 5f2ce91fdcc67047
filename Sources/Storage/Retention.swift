internal import Market

extension Database {
    /// Deletes events that are too old or too many, the oldest first; runs inside a transaction.
    ///
    /// A commit deletes a few at a time, but more than it adds, so that the limits are reached again without one
    /// commit that takes long. Only the oldest go: the numbers that are kept have no holes.
    func retain(_ options: StoreOptions, at now: WallTime, added: Int) throws(StorageError) {
        guard let last = try number("SELECT max(number) FROM event") else { return }
        let (kept, isShort) = last.subtractingReportingOverflow(options.mostEvents)
        let oldest = now.milliseconds.subtractingReportingOverflow(options.keepEvents.count)
        guard !isShort, !oldest.overflow else { return }
        var end: Int64?
        try read(
            "SELECT number, time FROM event ORDER BY number LIMIT ?", .integer(Int64(max(256, 2 * added)))
        ) { row throws(StorageError) in
            let number = try row.integer()
            guard try row.integer() < oldest.partialValue || number <= kept else { return false }
            end = number
            return true
        }
        if let end { try run("DELETE FROM event WHERE number <= ?", .integer(end)) }
    }
}
