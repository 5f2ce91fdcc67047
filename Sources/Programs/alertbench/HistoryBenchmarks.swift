internal import Feeds
internal import Glibc
internal import History
internal import Market
internal import Time

/// Measures the size of the history and the speed of queries.
func historyBenchmarks() throws -> [Row] {
    let polls = try recordedPolls()
    return try [sizeOfPolls(polls), sizeOfMinutes()] + monthRows(polls)
}

private let month = Milliseconds.seconds(30 * 86_400)

private func capacity(bytes: Int = 64 << 20) -> HistoryCapacity {
    HistoryCapacity(keep: month, interval: .seconds(30), bytes: bytes)
}

/// Returns the size of all blocks in bytes, including names, times and checksums.
private func blockBytes(_ history: History) -> Int {
    let open = history.encodeOpen(fromRow: 0)
    return history.sealed.reduce(open?.bytes.count ?? 0) { $0 + $1.bytes.count }
}

private func perSample(_ history: History, count: Int) -> String {
    "\(rounded(Double(blockBytes(history)) / Double(count), digits: 2)) bytes"
}

private func sizeOfPolls(_ polls: [RecordedPoll]) -> Row {
    var history = History(capacity())
    for poll in polls { history.append(poll.tickers, at: poll.time) }
    let count = polls.reduce(0) { $0 + $1.tickers.count }
    return Row(
        name: "a price of the recorded polls (\(count) prices)", figure: perSample(history, count: count),
        reference: "entropy of changes 0.69, Prometheus XOR 4.12 (elsewhere)", ratio: nil, goal: "at most 0.90")
}

private func sizeOfMinutes() throws -> Row {
    guard let symbol = Symbol("btcusdt") else { throw BenchmarkError(message: "btcusdt is no symbol") }
    let minutes = try recordedMinutes()
    var history = History(HistoryCapacity(keep: .seconds(1 << 32), interval: .seconds(60), bytes: 64 << 20))
    for minute in minutes { history.append([Ticker(symbol: symbol, last: minute.price)], at: minute.time) }
    return Row(
        name: "a price of btcusdt by the minute (\(minutes.count) prices)",
        figure: perSample(history, count: minutes.count),
        reference: "entropy of changes 1.50, Prometheus XOR 6.47 (elsewhere)", ratio: nil, goal: "at most 1.90")
}

/// A month of polls: 450 symbols every 30 s over 30 days, made by repeating the recorded polls. If fewer symbols were
/// recorded, their series are reused, shifted by half the recording. Each poll is up to 127 ms late.
struct Month {
    static let symbolCount = 450
    static let pollCount = 86_400

    let symbols: [Symbol]
    /// The prices of each poll, in the order of ``symbols``.
    private let rounds: [[Price?]]
    private var tickers: [Ticker]

    init(_ recorded: [RecordedPoll]) {
        let polls = recorded.map { poll in
            Dictionary(poll.tickers.compactMap { ticker in ticker.last.map { (ticker.symbol, $0) } }) { first, _ in
                first
            }
        }
        let sources = Set(polls.flatMap(\.keys)).sorted()
        let series = (0..<Self.symbolCount).compactMap { number -> (symbol: Symbol, source: Symbol, shift: Int)? in
            let source = sources[number % sources.count]
            let isCopy = number >= sources.count
            return Symbol(isCopy ? "\(source)x" : "\(source)").map { ($0, source, isCopy ? recorded.count / 2 : 0) }
        }
        symbols = series.map(\.symbol)
        rounds = polls.indices.map { poll in
            series.map { polls[(poll + $0.shift) % polls.count][$0.source] }
        }
        tickers = series.map { Ticker(symbol: $0.symbol) }
    }

    func time(_ poll: Int) -> WallTime {
        WallTime(
            milliseconds: 1_700_000_000_000 + Int64(poll) * 30_000 + Int64(truncatingIfNeeded: poll &* 7_919 & 127))
    }

    /// Appends all polls and returns the time that this takes.
    mutating func append(to history: inout History) -> Duration {
        var duration = Duration.zero
        for poll in 0..<Self.pollCount {
            for place in tickers.indices { tickers[place].last = rounds[poll % rounds.count][place] }
            let begin = ContinuousClock.now
            history.append(tickers, at: time(poll))
            duration += ContinuousClock.now - begin
        }
        return duration
    }
}

private func monthRows(_ recorded: [RecordedPoll]) throws -> [Row] {
    var month = Month(recorded)
    // The first history reuses memory that was freed after reading the recordings, so only the second one shows the
    // true growth.
    var first = History(capacity())
    _ = month.append(to: &first)
    let before = memoryKilobytes(of: getpid()).anonymous
    var history = History(capacity())
    let append = month.append(to: &history) / Month.pollCount
    let grown = memoryKilobytes(of: getpid()).anonymous - before
    guard first.pollCount == history.pollCount else { throw BenchmarkError(message: "two months differ") }
    let body = try responseBody()
    let bare = timed(calls: 200) { _ = readingBaseline(of: body) }
    return [
        Row(
            name: "30 days of \(Month.symbolCount) symbols in memory", figure: "\(grown) kB",
            reference: "counted: \(history.byteCount / 1_024) kB", ratio: nil, goal: "at most 49,152 kB"),
        Row(
            name: "append of a poll, sealing included", figure: readable(append),
            reference: "bare simdjson \(readable(bare))", ratio: append / bare, goal: "at most 0.5"),
    ] + questions(history, month)
}

private func questions(_ history: History, _ month: Month) -> [Row] {
    let end = month.time(Month.pollCount - 1)
    let window = { (seconds: Int64) in
        // The window begins inside a block, like most windows.
        let start = WallTime(milliseconds: end.milliseconds - seconds * 1_000 + 4_321)
        var durations: [Duration] = []
        for symbol in month.symbols {
            durations.append(timed(runs: 3, calls: 5) { _ = history.statistics(of: symbol, since: start) })
        }
        return median(durations)
    }
    let (day, all) = (window(86_400), window(30 * 86_400))
    let bars = timed(runs: 5, calls: 5) {
        _ = history.bars(of: month.symbols[0], since: WallTime(milliseconds: 0), step: .seconds(3_600))
    }
    var count = 0
    var sum: Int64 = 0
    let begin = ContinuousClock.now
    for symbol in month.symbols {
        history.forEachSample(of: symbol, since: WallTime(milliseconds: 0)) { sample in
            count += 1
            sum &+= sample.price.mantissa &+ sample.time.milliseconds
        }
    }
    let decoding = ContinuousClock.now - begin
    let row = { (name: String, figure: String, goal: String) in
        Row(name: name, figure: figure, reference: "-", ratio: nil, goal: goal)
    }
    return [
        row("lowest, highest, first, last of 24 h", readable(day), "under 5 µs"),
        row("lowest, highest, first, last of 30 days", readable(all), "under 50 µs"),
        row("30 days in steps of 1 h", readable(bars), "-"),
        row("decoding whole series (\(count) prices)", perSecond(count, in: decoding), "at least 50,000,000/s"),
    ]
}
