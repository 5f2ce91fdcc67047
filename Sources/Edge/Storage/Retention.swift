internal import Market
internal import Time

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

    /// Deletes rates that are older than any event; the last ones of each source stay. Runs inside a transaction.
    ///
    /// 30 currencies on 250 days a year of some 80 bytes: 0.6 MB a year, without it for ever.
    func retainRates(_ options: StoreOptions, at now: WallTime) throws(StorageError) {
        let oldest = now.milliseconds.subtractingReportingOverflow(options.keepEvents.count)
        guard !oldest.overflow else { return }
        let date = CivilDate(daysSinceEpoch: oldest.partialValue / 86_400_000)
        try run(
            """
            DELETE FROM rate
            WHERE date < ? AND date < (SELECT max(date) FROM rate AS other WHERE other.source = rate.source)
            """,
            .text("\(date)"))
    }

    /// Makes the file smaller when much of it is free, such as after less history is kept; runs inside a transaction.
    ///
    /// In everyday life the next block of history takes the pages of the one that went, and nothing is moved.
    func shrink(_ options: StoreOptions) throws(StorageError) {
        let free = try count("PRAGMA freelist_count")
        guard free > options.freePages, try free > count("PRAGMA page_count") / 4 else { return }
        // 64 pages of 4 KiB: a commit moves a quarter of a megabyte at most.
        try pragma("PRAGMA incremental_vacuum(64)")
    }

    private func count(_ pragma: StaticString) throws(StorageError) -> Int64 {
        try self.pragma(pragma).flatMap { Int64($0) } ?? 0
    }
}
