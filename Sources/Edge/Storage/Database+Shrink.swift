extension Database {
    /// Returns true if more than a quarter of the file, and more than ``StoreOptions/freePages``, is free, for example
    /// because less history is kept.
    ///
    /// Normally, nothing has to be moved: the next block of history reuses the pages of the block that was dropped.
    func isShrinkable(_ options: StoreOptions) throws(StorageError) -> Bool {
        let free = try count("PRAGMA freelist_count")
        guard free > options.freePages else { return false }
        return try free > count("PRAGMA page_count") / 4
    }

    /// Shortens the file by at most 64 pages of 4 KiB, so that a commit moves at most a quarter of a megabyte. Runs
    /// inside a transaction.
    func shrink() throws(StorageError) {
        try pragma("PRAGMA incremental_vacuum(64)")
    }

    private func count(_ pragma: StaticString) throws(StorageError) -> Int64 {
        try self.pragma(pragma).flatMap { Int64($0) } ?? 0
    }
}
