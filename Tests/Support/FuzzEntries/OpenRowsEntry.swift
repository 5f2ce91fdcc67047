internal import History
internal import Market
internal import Time

extension FuzzEntry {
    /// Stored rows of the block that is being filled, with a correct frame and checksum so that the code after those
    /// checks is reached.
    package static let openRows = FuzzEntry(name: "open-rows", seeds: rows, longest: 1_024) { bytes in
        restore(framed(bytes))
    }
}

private let capacity = HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 64 << 20)

/// Ticks; symbols that come and go; prices of many scales.
@Sendable
private func rows() -> [[UInt8]] {
    let series: [(Int64) -> [(String, Int64, UInt8)]] = [
        { [("btcinr", 700 + $0 * $0 % 13, 1), ("ethinr", 9, 0)] },
        { [($0 % 3 == 0 ? "p" : "q", 1 << ($0 % 60), 8)] },
        { [("x", .max - $0, UInt8($0 % 19)), ("y", $0 * 10 + 10, 2)] },
    ]
    return series.compactMap { prices in
        var history = History(capacity)
        for row in 0..<20 as Range<Int64> {
            let tickers = prices(row).compactMap { name, mantissa, scale in
                Symbol(name).map { Ticker(symbol: $0, last: Price(mantissa: mantissa, scale: scale)) }
            }
            history.append(tickers, at: WallTime(milliseconds: row * 30_000 + row % 7))
        }
        return history.encodeOpenRows(fromRow: 0)?.bytes
    }
}

private func framed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 21 else { return bytes }
    var framed = Array("aRow".utf8) + [1] + bytes[5..<(bytes.count - 4)]
    framed.appendChecksum()
    return framed
}

private func restore(_ bytes: [UInt8]) -> Bool {
    guard let part = try? OpenRows(bytes: bytes) else { return false }
    var history = History(capacity)
    let result = history.restore(sealed: [], parts: [part])
    let (start, end) = (WallTime(milliseconds: .min), WallTime(milliseconds: .max))
    for symbol in [Symbol("btcinr"), Symbol("p"), Symbol("x")].compactMap(\.self) {
        _ = history.statistics(of: symbol, since: start, until: end)
        _ = history.lastSamples(of: symbol, count: 10)
    }
    // What was read can be stored, and read again.
    if let again = history.encodeOpenRows(fromRow: 0) {
        var other = History(capacity)
        precondition(other.restore(sealed: [], parts: [again]).unreadable.isEmpty, "not what was written")
        precondition(other.encodeOpenRows(fromRow: 0)?.bytes == again.bytes, "not what was written")
    }
    if let symbol = Symbol("btcinr") {
        history.append([Ticker(symbol: symbol, last: Price(mantissa: 5, scale: 18))], at: end)
    }
    return result.unreadable.isEmpty
}
