internal import AlertDaemon
internal import Configuration
internal import EventLoop
internal import Glibc
internal import History
internal import Market
internal import Storage
internal import Time

/// Measures the start of the daemon's pipeline with a month of prices in the store.
@LoopActor
func startBenchmarks() throws -> [Row] {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    var month = Month(try recordedPolls())
    var history = History(HistoryCapacity(keep: .seconds(30 * 86_400), interval: .seconds(30), bytes: 64 << 20))
    _ = month.append(to: &history)
    let now = Instant(boot: BootTime(milliseconds: 1), wall: month.time(Month.pollCount))
    try store(history, in: folder, at: now.wall)
    let start = try timed(runs: 5, calls: 1) { try startOnce(folder, at: now, expecting: history.pollCount) }
    return [
        Row(
            name: "start with a month of prices (\(history.pollCount * Month.symbolCount) prices)",
            figure: readable(start), reference: "-", ratio: nil, goal: "at most 200 ms")
    ]
}

private func store(_ history: History, in folder: String, at now: WallTime) throws {
    let store = Store(folder: folder)
    _ = try store.open(at: now)
    defer { store.release() }
    let blocks = history.sealed.map { block in
        StoredBlock(
            id: block.id, oldest: block.oldest, newest: block.newest, rowCount: block.rowCount, bytes: block.bytes,
            blockSymbols: block.summaries.map {
                StoredBlockSymbol(
                    symbol: $0.symbol, since: $0.first.time, until: $0.last.time, samples: $0.count,
                    first: $0.first.price, lowest: $0.lowest, highest: $0.highest, last: $0.last.price)
            })
    }
    let parts = history.encodeOpenRows(fromRow: 0).map {
        [StoredOpenRows(block: $0.id, firstRow: $0.firstRow, rowCount: $0.rowCount, bytes: $0.bytes)]
    }
    let changes = HistoryChanges(sealed: blocks, parts: parts ?? [])
    try store.commit(Transaction(time: now, sources: [SourceChanges(Settings().feed.name, history: changes)]))
}

private struct StandingClock: TimeSource {
    let time: Instant

    func now() -> Instant { time }
}

@LoopActor
private func startOnce(_ folder: String, at now: Instant, expecting polls: Int) throws {
    let stateStore = StateStore(Store(folder: folder), bootID: "", now: now)
    var settings = Settings()
    settings.history.keep = .seconds(30 * 86_400)
    let pipeline = Pipeline(
        settings, sinks: [], isSimulated: false, stateStore: stateStore, clock: StandingClock(time: now))
    try pipeline.start()
    guard pipeline.pollCount == polls else { throw BenchmarkError(message: "not all prices are back") }
    pipeline.stop()
}
