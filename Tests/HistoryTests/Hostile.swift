import History
import Market

/// Gives the bytes the right length and checksum, and if they then pass for a block, asks it everything.
///
/// - Returns: whether they passed.
func useAsBlock(_ bytes: [UInt8]) -> Bool {
    guard let block = try? HistoryBlock(bytes: withRightFrame(bytes)) else { return false }
    var history = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 64 << 20))
    history.restore(sealed: [block], parts: [block])
    let symbols = block.summaries.map(\.symbol)
    for symbol in symbols.prefix(20) {
        ask(history, of: symbol, since: block.oldest, until: block.newest)
        ask(history, of: symbol, since: .distantPast, until: .distantFuture)
    }
    var other = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 64 << 20))
    other.restore(sealed: [], parts: [block])
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
    let magic = Array("aHst".utf8) + [1]
    for (place, byte) in magic.enumerated() { bytes[place] = byte }
    let sum = { (bytes: [UInt8]) in CRC32C.checksum(of: bytes.span, count: bytes.count - 4) }
    for place in 0..<4 { bytes[12 + place] = UInt8(truncatingIfNeeded: bytes.count >> (8 * place)) }
    let checksum = sum(bytes)
    for place in 0..<4 { bytes[bytes.count - 4 + place] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * place)) }
    return bytes
}
