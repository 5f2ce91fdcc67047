internal import EventLoop
internal import History
internal import Storage

extension Pipeline {
    /// Adds prices of other times to the history; existing prices stay.
    func importPrices(_ samples: [SymbolSample]) -> MergeCounts {
        history.merge(samples)
    }

    /// Saves all prices.
    ///
    /// - Throws: ``StorageError`` when that fails now; it is retried with each poll.
    func saveHistory() throws(StorageError) {
        persist()
        if let trouble = stateStore.trouble { throw trouble.error }
    }
}
