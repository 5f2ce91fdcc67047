internal import Feeds
internal import HTTP
internal import Market
internal import PriceSources
internal import Time

extension FuzzEntry {
    /// Responses with candles; the first byte says of which source.
    static let candles = FuzzEntry(
        name: "candles",
        seeds: {
            let bodies = [
                "[[1710327600,73216,73250,73216,73216,0.00201],[1710327660,1,2,1,2,0]]",
                #"[[1710327600000,"88591.90","88630.90","88560.00","88574.10","1.5",1710327659999]]"#,
                #"{"error":[],"result":{"XXBTZUSD":[[1710327600,"1","2","1e-3","1.5","1","0.1",5]],"last":17}}"#,
                #"{"error":["EQuery:Unknown asset pair"]}"#, #"{"code":-1121,"msg":"Invalid symbol."}"#,
            ]
            return bodies.flatMap { body in (0..<UInt8(sources.count)).map { [$0] + Array(body.utf8) } }
        },
        run: { bytes in
            guard let choice = bytes.first, let symbol = Symbol("btcusdt"),
                let reader = CandleReader(sources[Int(choice) % sources.count])
            else { return false }
            let body = Array(bytes.dropFirst()) + [UInt8](repeating: 0, count: HTTPResponse.paddingCount)
            _ = reader.error(in: body)
            let start: Int64 = 1_710_327_600_000
            let minutes = WallTime(milliseconds: start)..<WallTime(milliseconds: start + 600_000)
            guard let result = try? reader.read(body, CandleRequest(symbol: symbol, minutes: minutes)) else {
                return false
            }
            for candle in result.candles {
                precondition(candle.low.isPositive && candle.low <= candle.high && candle.volume >= .zero, "no candle")
                precondition(minutes.contains(candle.start) && candle.end <= minutes.upperBound, "not asked for")
            }
            let starts = result.candles.map(\.start)
            precondition(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }, "not in order")
            return true
        })

    private static let sources: [PriceSource] = [.wazirx, .binance, .kraken]
}
