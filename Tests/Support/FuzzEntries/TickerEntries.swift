internal import Feeds
internal import HTTP
internal import Market
internal import PriceSources
internal import Time

extension FuzzEntry {
    /// Responses of each source that is read by its description; the first byte says of which.
    static let tickers = FuzzEntry(
        name: "tickers",
        seeds: {
            let bodies = [
                #"[{"symbol":"BTCUSDT","lastPrice":"1.5","bidPrice":"1","new":[{}],"closeTime":1669012549711}]"#,
                #"{"code":-1003,"msg":"Way too much; IP banned until 1669012570000."}"#,
                #"{"error":[],"result":{"XXBTZUSD":{"a":["2","8"],"c":["1.5"],"v":["1","2"],"o":"3"}},"x":"\u00e9"}"#,
                #"{"error":["EService: Throttled: 1669012560"]}"#,
                #"{"error":["EService: Throttled: -6111111111111111111"]}"#,
                #"[{"symbol":"btcinr","baseAsset":"btc","quoteAsset":"inr","openPrice":"1","lowPrice":"1e-8","#
                    + #""highPrice":"2.50","lastPrice":"7522957.5","volume":"0.0","bidPrice":"1","askPrice":"2","#
                    + #""at":1669012549711},{"symbol":"ethinr","lastPrice":-1,"at":"x"}]"#,
                #"{"status":"success","data":{"coins":[{"uuid":"Qw","symbol":"BTC","price":"1e-9","line":[null]}]}}"#,
                #"{"status":"success","data":{"change":"-1.5","history":[{"price":"9","timestamp":1669012500},"#
                    + #"{"price":null,"timestamp":1669012200}]}}"#,
                #"{"status":"fail","code":"RATE_LIMIT_EXCEEDED","message":"no"}"#,
                #"{"items":{"btc":{"price":["x",{"last":1.5}],"quote":"usd","time":1669012549}}}"#,
            ]
            return bodies.indices.flatMap { index in
                (0..<UInt8(decoders.count)).map { [$0] + Array(bodies[index].utf8) }
            }
        },
        run: { bytes in
            guard let choice = bytes.first else { return false }
            let body = Array(bytes.dropFirst()) + [UInt8](repeating: 0, count: HTTPResponse.paddingCount)
            return decoders[Int(choice) % decoders.count](body)
        })

    private static let received = Instant(
        boot: BootTime(milliseconds: 1_000), wall: WallTime(milliseconds: 1_669_012_550_000))

    private static let decoders: [@Sendable ([UInt8]) -> Bool] = [
        { accepts($0, RecordDecoder(BinanceFormat())) }, { accepts($0, RecordDecoder(KrakenFormat())) },
        { accepts($0, RecordDecoder(WazirXFormat())) },
        { accepts($0, RecordDecoder(CoinRankingFormat())) }, { accepts($0, RecordDecoder(JSONFormat(layout))) },
        hasCoins,
    ]

    /// Whether a response has something about coins, or past prices.
    @Sendable
    private static func hasCoins(_ body: [UInt8]) -> Bool {
        let coins = CoinReader.coins(in: body) { _ in Symbol("btcusd") }
        let history = CoinReader.history(in: body, of: "Qw", over: .day, at: received.wall)
        let times = (history?.points ?? []).map(\.time)
        precondition(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "not in order")
        precondition(times.allSatisfy { $0 <= received.wall }, "in the future")
        return !coins.isEmpty || history != nil
    }

    private static let layout: JSONLayout = {
        var layout = JSONLayout(last: JSONPointer("/price/1/last") ?? .root)
        layout.items = JSONPointer("/items")
        layout.quote = JSONPointer("/quote").map { .place($0) }
        layout.time = JSONPointer("/time")
        return layout
    }()

    /// Whether a response is read, twice with the same result; an error in it is looked for in any case.
    private static func accepts(_ body: [UInt8], _ decoder: consuming some TickerDecoding & ~Copyable) -> Bool {
        _ = decoder.exchangeError(in: body)
        let first = try? decoder.decode(body, received: received)
        let second = try? decoder.decode(body, received: received)
        precondition(first?.tickers == second?.tickers && first?.badElementCount == second?.badElementCount)
        return first != nil
    }
}
