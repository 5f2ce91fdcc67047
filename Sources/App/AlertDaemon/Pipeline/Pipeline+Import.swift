internal import EventLoop
internal import History
internal import Storage

extension Pipeline {
    func importPrices(_ samples: [SymbolSample], of lane: Lane) -> MergeCounts {
        lane.merge(samples)
    }

    func saveHistory() throws(StorageError) {
        commit()
        if let trouble = stateStore.trouble { throw trouble.error }
    }
}
