internal import JSON
package import Market
internal import PriceSources
package import Time

/// A request for the candles of one market.
package struct CandleRequest: Equatable, Sendable {
    package var symbol: Symbol
    /// The quote asset, or nil if unknown.
    package var quote: Asset?
    /// The range of whole minutes.
    package var minutes: Range<WallTime>

    package init(symbol: Symbol, quote: Asset? = nil, minutes: Range<WallTime>) {
        (self.symbol, self.quote, self.minutes) = (symbol, quote, minutes)
    }

    var minuteCount: Int64 {
        minutes.upperBound.since(minutes.lowerBound).count / Candle.length.count
    }

    /// Returns the name of the market in upper case, with the exchange's own names of its assets: `XBTUSD`.
    fileprivate func name(_ own: [String: String] = [:]) -> String {
        let whole = "\(symbol)"
        guard let quote, whole.hasSuffix("\(quote)"), whole.utf8.count > "\(quote)".utf8.count else {
            return whole.uppercased()
        }
        let base = String(whole.dropLast("\(quote)".count))
        return ((own[base] ?? base) + (own["\(quote)"] ?? "\(quote)")).uppercased()
    }
}

/// The format of a source's requests for candles, and of its responses.
///
/// In all responses, a candle is an array that begins with the start of the minute, open, high, low and close.
struct CandleFormat: Sendable {
    /// Returns the part of the address that follows the base address of the API.
    let path: @Sendable (CandleRequest) -> String
    /// The unit of times, in milliseconds.
    let timeUnit: Int64
    /// The index of the volume in a candle.
    let volume: Int
    /// Returns the array of candles, or nil if a response has none.
    let list: @Sendable (JSONValue) -> JSONValue?
    /// Returns the source's own error in a response, or nil if there is none.
    let error: @Sendable (JSONValue) -> ExchangeError?

    /// Selects the format of a source. Nil for a source without candles.
    init?(_ source: PriceSource) {
        switch source {
        case .wazirx: self = .wazirX
        case .binance: self = .binance
        case .kraken: self = .kraken
        default: return nil
        }
    }

    private init(
        timeUnit: Int64, volume: Int = 5, path: @escaping @Sendable (CandleRequest) -> String,
        list: @escaping @Sendable (JSONValue) -> JSONValue? = { $0 },
        error: @escaping @Sendable (JSONValue) -> ExchangeError?
    ) {
        (self.timeUnit, self.volume, self.path, self.list, self.error) = (timeUnit, volume, path, list, error)
    }

    /// WazirX: `[[1710327600,73216,73250,73216,73216,0.00201]]`, in seconds and numbers. Minutes without a trade have
    /// volume 0.
    ///
    /// Sources: docs.wazirx.com (Kline/Candlestick Data), and a response recorded by the tests of ccxt.
    private static let wazirX = CandleFormat(
        timeUnit: 1_000,
        path: { request in
            "/klines?symbol=\(request.symbol)&interval=1m&limit=\(request.minuteCount)"
                + "&startTime=\(request.minutes.lowerBound.milliseconds / 1_000)"
                + "&endTime=\(request.minutes.upperBound.milliseconds / 1_000 - 1)"
        },
        error: { root in
            guard var object = try? root.object(), let code = object.text("code") else { return nil }
            return ExchangeError(code: code, message: object.text("message") ?? "")
        })

    /// Binance: `[[1731448080000,"88591.90","88630.90","88560.00","88574.10","173.581",1731448139999,…]]`, in
    /// milliseconds and strings. The exchange's name of a market is its symbol in upper case, without punctuation.
    ///
    /// Sources: github.com/binance/binance-spot-api-docs, `rest-api.md` (Kline/Candlestick data), and the files of
    /// candles that the exchange publishes.
    private static let binance = CandleFormat(
        timeUnit: 1,
        path: { request in
            "/klines?symbol=\(request.name())&interval=1m&limit=\(request.minuteCount)"
                + "&startTime=\(request.minutes.lowerBound.milliseconds)"
                + "&endTime=\(request.minutes.upperBound.milliseconds - 1)"
        }, error: { BinanceFormat().error(in: $0) })

    /// Kraken:
    /// `{"error":[],"result":{"XXBTZUSD":[[1616662740,"52591.9","52599.9","52591.8","52599.9","52599.1","0.11",5]],
    /// "last":1616662920}}`, in seconds and strings. The volume follows a mean price. A response has at most the last
    /// 720 candles, the newest of which is not complete.
    ///
    /// Sources: docs.kraken.com (Get OHLC Data), which has this response.
    private static let kraken = CandleFormat(
        timeUnit: 1_000, volume: 6,
        path: { request in
            "/OHLC?pair=\(request.name(KrakenFormat.ownNames))&interval=1"
                + "&since=\(request.minutes.lowerBound.milliseconds / 1_000 - 60)"
        },
        list: { root in
            guard var object = try? root.object(), let result = try? object.member("result")?.object() else {
                return nil
            }
            return result.members.first { $0.key != "last" }?.value
        }, error: { KrakenFormat().error(in: $0) })
}
