internal import EventLoop
internal import History
internal import Storage

extension Pipeline {
    /// Puts prices of other times into the history. What is there stays.
    func importPrices(_ samples: [SymbolSample]) -> MergeCounts {
        history.merge(samples)
    }

    /// Saves all prices that are kept.
    ///
    /// - Throws: ``StorageError`` when that cannot be done now; it is tried again with each poll.
    func saveHistory() throws(StorageError) {
        persist()
        if let trouble = stateStore.trouble { throw trouble.error }
    }
}
