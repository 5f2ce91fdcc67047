import EventLoop
import Feeds
import Foundation
import HTTP
import Market
import PriceSources
import TestSupport
import Testing
import Time

/// Candles as the exchanges write them.
@Suite(.timeLimit(.minutes(10))) struct CandleTests {
    /// 2024-03-13T11:00:00Z.
    private static let start: Int64 = 1_710_327_600_000

    private func request(_ symbol: String = "btcusdt", _ quote: String = "usdt", minutes: Int64 = 5) throws
        -> CandleRequest
    {
        let end = WallTime(milliseconds: Self.start + minutes * 60_000)
        return CandleRequest(
            symbol: try #require(Symbol(symbol)), quote: Asset(quote),
            minutes: WallTime(milliseconds: Self.start)..<end)
    }

    private func read(_ source: PriceSource, _ body: String) throws(DecodingFailure) -> CandleReader.Result? {
        guard let request = try? request() else { return nil }
        return try CandleReader(source)?.read(padded(body), request)
    }

    private func text(_ candles: [Candle]) -> [String] {
        candles.map {
            "\(($0.start.milliseconds - Self.start) / 60_000) \($0.open) \($0.high) \($0.low) \($0.close) \($0.volume)"
        }
    }

    /// Recorded on 2024-03-13.
    @Test func candlesOfWazirXAreNumbersAndSeconds() throws {
        let result = try #require(try read(.wazirx, "[[1710327600,73216,73250,73216,73216,0.00201]]"))
        #expect(text(result.candles) == ["0 73216 73250 73216 73216 0.00201"] && result.badCount == 0)
    }

    @Test func candlesOfBinanceAreTextsAndMilliseconds() throws {
        let body = """
            [[1710327600000,"88591.90","88630.90","88560.00","88574.10","173.581",1710327659999,"15378315.4",28],
             [1710327660000,"88574.10","88574.10","88574.10","88574.10","0.00000000",1710327719999,"0",0,"0","0","0"]]
            """
        let result = try #require(try read(.binance, body))
        #expect(
            text(result.candles) == [
                "0 88591.90 88630.90 88560.00 88574.10 173.581",
                "1 88574.10 88574.10 88574.10 88574.10 0.00000000",
            ])
    }

    /// Kraken sends its newest candles, whatever is asked for, and the last one is not complete.
    @Test func candlesOfKrakenHaveTheirVolumeLater() throws {
        let body = """
            {"error":[],"result":{"XXBTZUSD":[[1710327540,"1","2","1","2","1.5","9",5],
            [1710327600,"52591.9","52599.9","52591.8","52599.9","52599.1","0.11091626",5],
            [1710327900,"1","2","1","2","1.5","9",5]],"last":1710327600}}
            """
        let result = try #require(try read(.kraken, body))
        #expect(text(result.candles) == ["0 52591.9 52599.9 52591.8 52599.9 0.11091626"] && result.badCount == 0)
    }

    @Test(arguments: [
        (
            PriceSource.wazirx, "btcinr", "inr",
            "/klines?symbol=btcinr&interval=1m&limit=5&startTime=1710327600&endTime=1710327899"
        ),
        (
            .binance, "1000satsusdt", "usdt",
            "/klines?symbol=1000SATSUSDT&interval=1m&limit=5&startTime=1710327600000&endTime=1710327899999"
        ),
        (.kraken, "btcusd", "usd", "/OHLC?pair=XBTUSD&interval=1&since=1710327540"),
        (.kraken, "dogebtc", "btc", "/OHLC?pair=XDGXBT&interval=1&since=1710327540"),
    ])
    func exchangesAreAskedInTheirOwnWords(
        source: PriceSource, symbol: String, quote: String, path: String
    ) async throws {
        let request = try request(symbol, quote)
        let addresses = try await onLoop {
            let client = AnsweringClient(.failure(.truncated))
            let feed = CandleFeed(
                FeedParameters(source, url: "https://example.org/v1/"), client: { client }, time: FixedTime())
            await #expect(throws: FeedFailure.self) { _ = try await feed?.candles(request) }
            return client.addresses
        }
        #expect(addresses == ["https://example.org/v1" + path])
    }

    @Test(arguments: PriceSource.allCases)
    func aSourceHasAFormatIfItsProfileHasCandles(source: PriceSource) {
        #expect((CandleReader(source) == nil) == (source.profile.candles == nil))
    }

    /// A day has 1,440 minutes.
    @Test(arguments: [(PriceSource.wazirx, 1), (.binance, 2), (.kraken, 1)])
    func aDayTakesFewRequests(source: PriceSource, count: Int) async throws {
        let whole = try request(minutes: 1_440)
        let parts = try await onLoop {
            CandleFeed(
                FeedParameters(source, url: ""), client: { AnsweringClient(.failure(.truncated)) }, time: FixedTime())?
                .requests(whole) ?? []
        }
        #expect(parts.count == count)
        #expect(parts.first?.minutes.lowerBound == whole.minutes.lowerBound)
        #expect(parts.last?.minutes.upperBound == whole.minutes.upperBound)
        for (one, next) in zip(parts, parts.dropFirst()) {
            #expect(one.minutes.upperBound == next.minutes.lowerBound)
        }
    }

    /// Each with the candles and the bad elements that are left.
    @Test(arguments: [
        ("[]", 0, 0), ("[[1710327600,1,2,1,2,5],[1710327600,1,9,1,2,5]]", 1, 0),
        ("[[1710327660,1,2,1,2,5],[1710327600,1,2,1,2,5]]", 2, 0), ("[[1710327600,1,2,1,2,5],7,{},null,[]]", 1, 4),
        ("[[1710327600,1,2,1,2,5],[1710327601,1,2,1,2,5]]", 1, 1),
        ("[[1710327600,1,2,1,2,5],[1710327660,1,1,2,2,5]]", 1, 1),
        ("[[1710327600,1,2,1,2,5],[1710327660,1,2,0,2,5]]", 1, 1),
        ("[[1710327600,1,2,1,2,5],[1710327660,1,2,-1,2,5]]", 1, 1),
        ("[[1710327600,1,2,1,2,5],[1710327660,1,1e99,1,2,5]]", 1, 1),
        ("[[1710327600,1,2,1,2,5],[1710327660,1,2,1,2,-5]]", 1, 1),
        ("[[1710327600,1,2,1,2,5],[1710327660,1,2,1,2]]", 1, 1),
        ("[[1710327600,1,2,1,2,5],[9223372036854775807,1,2,1,2,5]]", 1, 1),
        ("[[1710327600,1,2,1,2,5],[\"x\",1,2,1,2,5]]", 1, 1), ("[[1710327540,1,2,1,2,5]]", 0, 0),
        ("[[1710327900,1,2,1,2,5]]", 0, 0),
    ])
    func whatIsNoCandleIsLeftOut(body: String, count: Int, bad: Int) throws {
        let result = try #require(try read(.wazirx, body))
        #expect(result.candles.count == count && result.badCount == bad)
        #expect(result.candles.map(\.start) == result.candles.map(\.start).sorted())
        #expect(result.candles.first?.high != (try Price("9")), "the first of a minute counts")
    }

    @Test(arguments: [
        ("", DecodingFailure.emptyBody), (" \n", .emptyBody), ("<html>", .notJSON(isHTML: true)),
        ("no", .notJSON(isHTML: false)), ("[[1710327600,1,2", .structureLost), ("{}", .unexpectedObject),
        ("[7]", .noUsableElement(count: 1)),
        (
            #"{"code":2136,"message":"Too many api request"}"#,
            .exchangeError(ExchangeError(code: "2136", message: "Too many api request"))
        ),
    ])
    func otherBodiesAreRefused(body: String, failure: DecodingFailure) {
        #expect(throws: failure) { _ = try read(.wazirx, body) }
    }

    /// Values of other types than those that are expected, at each place.
    @Test(arguments: [PriceSource.wazirx, .binance, .kraken])
    func otherTypesAreNoCandles(source: PriceSource) {
        let lists = [
            #"[["x","1","2","1","2","5","6"]]"#, #"[{"open":1},{"open":2}]"#, "null", "7", #""text""#, "true",
            "[[]]", "{}",
            #"{"a":[1,2]}"#, "[[null,null,null,null,null,null,null]]", "[[[[[[[[]]]]]]]]", #"[["","","","","","",""]]"#,
            #"[[1710327600,[1],{"a":1},"1","2","5","6"]]"#, #"[[1710327600000,"1",true,"1","2","5","9"]]"#,
            #"[[1710327600,"1e999","2","1","2","5","6"]]"#, "[[1e400,1,2,1,2,5,6]]", "[[-1710327600,1,2,1,2,5,6]]",
            "[[1710327600.5,1,2,1,2,5,6]]", "[[18446744073709551615,1,2,1,2,5,6]]", "[[1710327600000,1,2,1,2,null,{}]]",
        ]
        let errors = [
            #"{"error":"x","result":null}"#, #"{"error":{},"result":{"X":"y"}}"#, #"{"code":{},"message":[]}"#,
            #"{"code":null,"msg":7}"#, #"{"error":[7,{}],"result":{}}"#, #"{"error":[],"result":[]}"#,
        ]
        let results = lists.map { #"{"error":[],"result":{"X":\#($0),"last":{}}}"# }
        for body in lists + results + errors {
            let result = try? read(source, body)
            #expect(result?.candles.isEmpty != false, "\(body)")
        }
    }

    @Test func tooManyAreRefused() {
        let body = "[" + Array(repeating: "[]", count: CandleReader.elementLimit + 1).joined(separator: ",") + "]"
        #expect(throws: DecodingFailure.tooManyElements(limit: CandleReader.elementLimit)) {
            _ = try read(.wazirx, body)
        }
    }

    @Test(arguments: [
        (PriceSource.wazirx, 429, "{}", FeedFailure.Kind.rateLimited), (.wazirx, 418, "", .banned),
        (.wazirx, 400, #"{"message":"Too many api request","code":2136}"#, .rateLimited),
        (.binance, 400, #"{"code":-1121,"msg":"Invalid symbol."}"#, .rejected),
        (.kraken, 200, #"{"error":["EGeneral:Too many requests"]}"#, .rateLimited),
        (.kraken, 502, "<html>", .serverError),
    ])
    func refusalsAreReported(source: PriceSource, status: Int, body: String, kind: FeedFailure.Kind) async throws {
        let found = try await failure(of: source, status, body)
        #expect(found?.kind == kind && found?.retryAfter == .seconds(7))
    }

    @Test(arguments: [
        ("{}", "the exchange sent JSON that is not a list of candles"),
        ("[7]", "none of the 1 elements received is a valid candle"),
        (
            "[" + Array(repeating: "7", count: CandleReader.elementLimit + 1).joined(separator: ",") + "]",
            "the exchange sent more than 5000 candles"
        ),
    ])
    func failuresNameCandles(body: String, message: String) async throws {
        #expect(try await failure(of: .wazirx, 200, body)?.message == message)
    }

    /// The query of an address may be a key, which a server may repeat.
    @Test func theQueryOfTheAddressIsNotShown() async throws {
        let body = #"{"code":-1,"msg":"no key SEKRETkey"}"#
        let found = try await failure(of: .binance, 400, body, url: "https://example.org/?key=SEKRETkey")
        #expect(found?.message.hasSuffix("(status 400): (not shown: it repeats a secret)") == true)
    }

    /// What a response with `Retry-After: 7` leads to; nil if it can be used.
    private func failure(
        of source: PriceSource, _ status: Int, _ body: String, url: String = ""
    ) async throws -> FeedFailure? {
        let request = try request()
        return try await onLoop { () -> FeedFailure? in
            let response = HTTPResponse(status: status, headers: ["retry-after": "7"], paddedBody: padded(body))
            let feed = CandleFeed(
                FeedParameters(source, url: url), client: { AnsweringClient(.success(response)) }, time: FixedTime())
            do {
                _ = try await feed?.candles(request)
                return nil
            } catch let failure as FeedFailure {
                return failure
            }
        }
    }

    /// Recorded: the flash crash of 2021-05-19, minute by minute.
    @Test(.enabled(if: recordings != nil)) func aRecordedDayIsRead() throws {
        let folder = try #require(recordings).deletingLastPathComponent()
        let file = folder.appending(path: "series/binance-1m_BTCUSDT_2021-05-19.csv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        let rows = lines.map { line in
            let fields = line.split(separator: ",")
            return "[\(fields[0])," + fields[1...5].map { "\"\($0)\"" }.joined(separator: ",") + "]"
        }
        let start = try #require(Int64(lines[0].prefix { $0 != "," }))
        let minutes = WallTime(milliseconds: start)..<WallTime(milliseconds: start + 86_400_000)
        let symbol = try #require(Symbol("btcusdt"))
        let result = try #require(
            try CandleReader(.binance)?.read(
                padded("[" + rows.joined(separator: ",") + "]"), CandleRequest(symbol: symbol, minutes: minutes)))
        #expect(result.candles.count == 1_440 && result.badCount == 0)
        #expect(result.candles.map(\.low).min() == (try Price("30000")))
    }
}
