import EventLoop
import Feeds
import HTTP
import Market
import PriceSources
import TestSupport
import Testing
import Time

/// 28 seconds after a full minute.
private struct LateInTheMinute: TimeSource {
    func now() -> Instant {
        Instant(
            boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 1_669_012_500_000 / 60_000 * 60_000 + 28_000))
    }
}

@Suite struct BinanceTests {
    @Test func aTickerHasAllItsFields() throws {
        let ticker = try #require(try decode("[\(binanceElement("SHIBTRY"))]", as: BinanceFormat()).tickers.first)
        #expect(ticker.symbol.description == "shibtry")
        #expect(ticker.base?.description == "shib")
        #expect(ticker.quote?.description == "try")
        #expect(ticker.last?.description == "0.00029220")
        #expect(ticker.bid?.description == "0.00029206")
        #expect(ticker.ask?.description == "0.00029223")
        #expect(ticker.open?.description == "0.00028275")
        #expect(ticker.high?.description == "0.00029500")
        #expect(ticker.low?.description == "0.00028180")
        #expect(ticker.volume?.description == "621432087719.00")
        #expect(ticker.exchangeTime == WallTime(milliseconds: 1_669_012_549_711))
    }

    @Test(
        arguments: [
            ("BTCUSDT", "btc", "usdt"), ("1INCHUSDT", "1inch", "usdt"), ("1000SATSFDUSD", "1000sats", "fdusd"),
            ("ADAEUR", "ada", "eur"), ("BTCEURI", "btc", "euri"), ("USDTTRY", "usdt", "try"),
            ("USDCUSDT", "usdc", "usdt"),
            ("WBTCBTC", "wbtc", "btc"), ("WBETHETH", "wbeth", "eth"), ("BNBBTC", "bnb", "btc"),
            ("BTCUSD1", "btc", "usd1"),
            ("FDUSDTRY", "fdusd", "try"), ("BTTUSDT", "btt", "usdt"), ("EURUSDT", "eur", "usdt"),
            ("RUNEEUR", "rune", "eur"),
            ("BTCUSDP", "btc", "usdp"), ("TRXXRP", "trx", "xrp"), ("BTCIDRT", "btc", "idrt"),
            ("PAXGBTC", "paxg", "btc"),
        ])
    func theQuoteAssetIsTheEndOfTheSymbol(name: String, base: String, quote: String) throws {
        #expect(BinanceFormat.market(name) == ListedMarket(base: base, quote: quote))
    }

    @Test func aSymbolWithAnUnknownQuoteAssetHasNoAssets() throws {
        let market = try #require(BinanceFormat.market("ABCQQQ"))
        #expect(market == ListedMarket(symbol: try #require(Symbol("abcqqq"))))
        #expect(BinanceFormat.market("USDT")?.quote == nil)
        #expect(BinanceFormat.market("币安人生USDT") == nil)
        #expect(BinanceFormat.market("") == nil)
    }

    /// Neither asset of a pair may be torn apart by the end of another.
    @Test func noQuoteAssetEndsWithAnother() {
        let bases = [
            "btc", "ada", "luna", "dot", "link", "sol", "u", "t", "eth", "bnb", "pepe", "sui", "fun", "data", "spell",
        ]
        for quote in BinanceFormat.quotes {
            for base in bases where !BinanceFormat.quotes.contains(base + quote) {
                let found = BinanceFormat.market((base + quote).uppercased())
                #expect(found == ListedMarket(base: base, quote: quote), "\(base) \(quote)")
            }
        }
    }

    /// What everything behind the address has used of the minute's weight decides whether the next poll has to wait.
    @Test(
        arguments: [("160", nil), ("5920", nil), ("5921", 34_000), ("999999999999", 34_000), ("x", nil), (nil, nil)]
            as [(String?, Int64?)])
    func aUsedUpWeightMakesTheNextPollWait(used: String?, expected: Int64?) async throws {
        let headers = used.map { ["x-mbx-used-weight-1m": $0] } ?? [:]
        let body = padded("[\(binanceElement("SHIBTRY"))]")
        try await onLoop {
            let client = AnsweringClient(.success(HTTPResponse(status: 200, headers: headers, paddedBody: body)))
            let feed = makeFeed(
                FeedParameters(.binance, url: "https://example.org"), client: { client }, time: LateInTheMinute())
            let batch = try await feed.poll()
            #expect(batch.pause?.count == expected)
        }
    }

    @Test func badElementsAreCountedAndTheOthersStay() throws {
        let body =
            "[\(binanceElement("BTCUSDT")),7,{\"symbol\":\"币USDT\",\"lastPrice\":\"1\"},"
            + "\(binanceElement("BTCUSDT", last: "9")),{\"lastPrice\":\"1\"},"
            + "{\"symbol\":\"ETHUSDT\",\"lastPrice\":null},{\"symbol\":\"A B\"}]"
        let batch = try decode(body, as: BinanceFormat())
        #expect(batch.symbols == ["btcusdt", "ethusdt"])
        #expect(batch.tickers.map { $0.last?.description } == ["0.00029220", nil])
        #expect(batch.badElementCount == 5)
    }

    @Test(
        arguments: [
            ("[]", .emptyArray), ("", .emptyBody), ("<html>", .notJSON(isHTML: true)),
            ("[{}]", .noUsableElement(count: 1, example: "{}: no valid symbol")),
            ("[{\"symbol\":\"A\"}", .structureLost), ("[{\"symbol\":\"A\"}] 1", .structureLost),
            ("{}", .unexpectedObject),
            (#"{"code":1"#, .structureLost),
            (
                #"{"code":-1003,"msg":"Too many requests queued."}"#,
                .exchangeError(ExchangeError(code: "-1003", message: "Too many requests queued."))
            ),
            (
                #"{"code":-1003,"msg":"Way too much request weight used; IP banned until 1669012570000. Please use"}"#,
                .exchangeError(
                    ExchangeError(
                        code: "-1003",
                        message: "Way too much request weight used; IP banned until 1669012570000. Please use",
                        until: WallTime(milliseconds: 1_669_012_570_000)))
            ),
        ] as [(String, DecodingFailure)])
    func aResponseThatGivesNothingSaysWhy(body: String, expected: DecodingFailure) {
        #expect(decodingFailure(body, as: BinanceFormat()) == expected)
    }

    @Test(
        arguments: [
            (418, "99", .banned, 99_000), (418, nil, .banned, 20_000), (429, "7", .rateLimited, 7_000),
            (403, nil, .rateLimited, 20_000),
        ] as [(Int, String?, FeedFailure.Kind, Int64)])
    func theEndOfABanIsKnown(
        status: Int, header: String?, kind: FeedFailure.Kind, wait: Int64
    ) async throws {
        let body = #"{"code":-1003,"msg":"Way too much request weight used; IP banned until 1669012570000. Please."}"#
        let failure = try await failure(of: .binance, status: status, body, headers: ["retry-after": header])
        #expect(failure?.kind == kind)
        #expect(failure?.retryAfter?.count == wait)
    }

    @Test func aCountryThatIsRefusedIsNamed() async throws {
        let body = #"{"code":0,"msg":"Service unavailable from a restricted location"}"#
        let failure = try #require(try await failure(of: .binance, status: 451, body))
        #expect(failure.kind == .rejected)
        #expect(failure.message.contains("restricted location"))
    }
}
