internal import History
internal import Market
internal import Time

extension FuzzEntry {
    /// A stored block of history, with a correct length and checksum so that the code after those checks is reached.
    package static let historyBlock = FuzzEntry(name: "history-block", seeds: blocks, longest: 1_536) { bytes in
        useAsBlock(bytes)
    }
}

private let capacity = HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 64 << 20)

private typealias Poll = [(name: String, mantissa: Int64, scale: UInt8)]

/// One price; ticks with a gap in time; prices of many scales; a hundred rows with gaps.
@Sendable
private func blocks() -> [[UInt8]] {
    let one: [Poll] = [[("a", 7, 1)]]
    let ticks: [Poll] = (0..<70).map { (row: Int64) -> Poll in [("btcinr", 700 + row * row % 13, 1), ("ethinr", 9, 0)] }
    let scales: [Poll] = (0..<20).map { (row: Int64) -> Poll in
        [("x", Int64.max - row, UInt8(row % 19)), ("y", row * 10 + 10, 2)]
    }
    let holes: [Poll] = (0..<100).map { (row: Int64) -> Poll in [(row % 3 == 0 ? "p" : "q", 1 << (row % 60), 8)] }
    return [one, ticks, scales, holes].compactMap(block)
}

private func block(of polls: [Poll]) -> [UInt8]? {
    var history = History(capacity)
    for (number, prices) in polls.enumerated() {
        let tickers = prices.compactMap { price in
            Symbol(price.name).map { Ticker(symbol: $0, last: Price(mantissa: price.mantissa, scale: price.scale)) }
        }
        let jump: Int64 = number > 50 ? 7_654_321 : number % 9 == 8 ? -40_000 : 0
        history.append(tickers, at: WallTime(milliseconds: Int64(number) * 30_000 + jump))
    }
    return history.encodeOpen(fromRow: 0)?.bytes
}

private func useAsBlock(_ bytes: [UInt8]) -> Bool {
    guard let block = try? HistoryBlock(bytes: withRightFrame(bytes)) else { return false }
    var history = History(capacity)
    history.restore(sealed: [block], parts: [])
    let symbols = block.summaries.map(\.symbol)
    for symbol in symbols.prefix(4) {
        ask(history, of: symbol, since: block.oldest, until: block.newest)
        ask(history, of: symbol, since: WallTime(milliseconds: .min), until: WallTime(milliseconds: .max))
    }
    if let symbol = symbols.first, let price = Price(mantissa: 5, scale: 0) {
        _ = history.merge([SymbolSample(symbol: symbol, time: block.newest, price: price)])
    }
    return true
}

private func ask(_ history: History, of symbol: Symbol, since start: WallTime, until end: WallTime) {
    var count = 0
    history.forEachSample(of: symbol, since: start, until: end) { _ in count += 1 }
    _ = history.statistics(of: symbol, since: start, until: end)
    _ = history.bars(of: symbol, since: start, until: end, step: .seconds(3_600))
    _ = history.sample(of: symbol, at: end)
    _ = history.lastSamples(of: symbol, count: 10)
}

private func withRightFrame(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 44 else { return bytes }
    var bytes = bytes
    for (place, byte) in (Array("aHst".utf8) + [1]).enumerated() { bytes[place] = byte }
    for place in 0..<4 { bytes[12 + place] = UInt8(truncatingIfNeeded: bytes.count >> (8 * place)) }
    let checksum = CRC32C.checksum(of: bytes.span, count: bytes.count - 4)
    for place in 0..<4 { bytes[bytes.count - 4 + place] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * place)) }
    return bytes
}
