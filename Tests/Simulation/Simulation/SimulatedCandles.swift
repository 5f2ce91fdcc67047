internal import Market
internal import TestSupport
internal import Time

/// The candles of the simulated exchanges, which have nothing to do with their prices. Whoever asks for a minute again
/// gets the same.
enum SimulatedCandles {
    /// What is asked for.
    struct Query {
        let symbol: Symbol
        let minutes: Range<WallTime>

        /// Nil for an address that asks for something else.
        init?(_ address: String) {
            func value(_ name: String) -> Substring? {
                address.place(after: name + "=").map { address[$0...].prefix { $0 != "&" } }
            }
            guard address.place(after: "/klines?") != nil, let symbol = value("symbol").flatMap({ Symbol(String($0)) }),
                let start = value("startTime").flatMap({ Int64($0) }), let end = value("endTime").flatMap({ Int64($0) })
            else { return nil }
            self.symbol = symbol
            minutes = WallTime(milliseconds: start * 1_000)..<WallTime(milliseconds: (end + 1) * 1_000)
        }
    }

    /// The candles of a market; some minutes have none, and in some nothing was traded.
    static func of(_ symbol: Symbol, _ minutes: Range<WallTime>, seed: UInt64) -> [Candle] {
        let name = "\(symbol)".utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) }
        let scale: UInt8 = "\(symbol)".hasPrefix("wrx") ? 3 : 1
        let starts = stride(from: minutes.lowerBound.milliseconds, to: minutes.upperBound.milliseconds, by: 60_000)
        return starts.compactMap { start in
            var random = SplitMix(seed: name &* 1_009 &+ UInt64(start / 60_000))
            let fate = Int.random(in: 0..<8, using: &random)
            let width: Int64 = fate < 6 ? 30 : 150
            let (low, high) = (
                1_000 - Int64.random(in: 0...width, using: &random), 1_000 + Int64.random(in: 0...width, using: &random)
            )
            guard fate > 0, let least = Price(mantissa: low, scale: scale),
                let most = Price(mantissa: high, scale: scale),
                let volume = Price(mantissa: fate == 1 ? 0 : Int64(fate), scale: 2)
            else { return nil }
            return Candle(
                start: WallTime(milliseconds: start), open: least, high: most, low: least, close: most, volume: volume)
        }
    }

    /// The body of a response, with elements that do not count.
    static func body(_ candles: [Candle], _ asked: Query, seed: UInt64) -> String {
        var random = SplitMix(seed: seed)
        var rows = candles.map { candle in
            let start = candle.start.milliseconds / 1_000
            return "[\(start),\(candle.open),\(candle.high),\(candle.low),\(candle.close),\(candle.volume)]"
        }
        if Int.random(in: 0..<4, using: &random) == 0, let first = candles.first {
            let start = first.start.milliseconds / 1_000
            let early = asked.minutes.lowerBound.milliseconds / 1_000 - 60
            // A minute before those that were asked for, one again, and elements that are no candles.
            rows.append("[\(early),1,1000,1,1,5]")
            rows.append("[\(start),1,1000,1,1,5]")
            rows.append(contentsOf: ["[\(start + 1),1,1000,1,1,5]", "[]", "7"])
        }
        return "[" + rows.joined(separator: ",") + "]"
    }
}
