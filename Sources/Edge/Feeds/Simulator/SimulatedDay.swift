/// The last 24 hours of a simulated market, in eight parts of three hours. Prices are in ticks.
struct SimulatedDay {
    private struct Part {
        var first: Int64
        var low: Int64
        var high: Int64
        var volume: Int64 = 0
    }

    private static let secondsPerPart: Int64 = 3 * 3_600

    private var parts: [Part]
    /// The number of the newest part, counted from the start.
    private var newest: Int64 = 0

    /// Creates a day on which the price moved from `open` to `last`.
    init(open: Int64, last: Int64, volume: Int64) {
        let first = Part(first: open, low: min(open, last), high: max(open, last), volume: volume / 8)
        let others = Part(first: last, low: last, high: last, volume: volume / 8)
        parts = [first] + Array(repeating: others, count: 7)
    }

    var open: Int64 { parts[0].first }
    var low: Int64 { parts.reduce(.max) { min($0, $1.low) } }
    var high: Int64 { parts.reduce(.min) { max($0, $1.high) } }
    var volume: Int64 { parts.reduce(0) { $0 + $1.volume } }

    /// Adds a trade at a second since the start.
    mutating func add(last: Int64, volume: Int64, second: Int64) {
        while newest < second / Self.secondsPerPart {
            newest = max(newest + 1, second / Self.secondsPerPart - 7)
            parts.removeFirst()
            parts.append(Part(first: last, low: last, high: last))
        }
        parts[7].low = min(parts[7].low, last)
        parts[7].high = max(parts[7].high, last)
        parts[7].volume += volume
    }
}
