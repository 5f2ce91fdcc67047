extension Database {
    /// Shrinks the file when much of it is free, as when less history is kept; runs inside a transaction.
    ///
    /// Normally the next block of history reuses the pages of the one that was dropped, and nothing is moved.
    ///
    /// - Returns: whether there was nothing to do.
    func shrink(_ options: StoreOptions) throws(StorageError) -> Bool {
        let free = try count("PRAGMA freelist_count")
        guard free > options.freePages, try free > count("PRAGMA page_count") / 4 else { return true }
        // 64 pages of 4 KiB: each commit moves at most a quarter of a megabyte.
        try pragma("PRAGMA incremental_vacuum(64)")
        return false
    }

    private func count(_ pragma: StaticString) throws(StorageError) -> Int64 {
        try self.pragma(pragma).flatMap { Int64($0) } ?? 0
    }
}
