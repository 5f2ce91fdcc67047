import Feeds
import Market
import PriceSources
import Testing
import Time

@Suite struct KrakenTests {
    @Test(arguments: ["XXBTZUSD", "BTC/USD", "XBT/USD", "XBTUSD"])
    func aTickerHasAllItsFields(name: String) throws {
        let ticker = try #require(try decode(krakenBody(krakenElement(name)), as: KrakenFormat()).tickers.first)
        #expect(ticker.symbol.description == "btcusd")
        #expect(ticker.base?.description == "btc")
        #expect(ticker.quote?.description == "usd")
        #expect(ticker.last?.description == "27712.10000")
        #expect(ticker.bid?.description == "27712.00000")
        #expect(ticker.ask?.description == "27712.10000")
        #expect(ticker.open?.description == "27428.20000")
        #expect(ticker.high?.description == "27926.30000")
        #expect(ticker.low?.description == "27101.20000")
        #expect(ticker.volume?.description == "1686.74719574")
        #expect(ticker.exchangeTime == nil)
    }

    /// Recorded in 2016: two values in `a` and `b`.
    @Test func theOlderFormIsRead() throws {
        let body = """
            {
               "error":[ ],
               "result":{
                  "XXBTZEUR":{
                     "a":["562.26651", "1"], "b":["560.46600", "1"], "c":["560.87711", "0.01447739"],
                     "v":["84.23095922", "600.91850325"], "p":["562.19735", "576.77284"], "t":[305, 2783],
                     "l":["560.00000", "560.00000"], "h":["570.00000", "591.11000"], "o":"568.98910"
                  }
               }
            }
            """
        let ticker = try #require(try decode(body, as: KrakenFormat()).tickers.first)
        #expect(ticker.symbol.description == "btceur")
        #expect(ticker.ask?.description == "562.26651")
        #expect(ticker.high?.description == "591.11000")
    }

    @Test(
        arguments: [
            ("XETHZEUR", "eth", "eur"), ("XETHXXBT", "eth", "btc"), ("ZEURZUSD", "eur", "usd"),
            ("XXDGXXBT", "doge", "btc"),
            ("XDGUSD", "doge", "usd"), ("USDTZUSD", "usdt", "usd"), ("XTZUSD", "xtz", "usd"), ("XTZEUR", "xtz", "eur"),
            ("1INCHEUR", "1inch", "eur"), ("XBTUSDT", "btc", "usdt"), ("ZRXUSD", "zrx", "usd"),
            ("ZECXBT", "zec", "btc"),
            ("DOGE/BTC", "doge", "btc"), ("XDG/XBT", "doge", "btc"), ("USDC/USD", "usdc", "usd"),
            ("EURUSD", "eur", "usd"),
            ("ETH2.S/ETH", "eth2s", "eth"), ("AAPLx/USD", "aaplx", "usd"),
        ])
    func namesAreNormalised(name: String, base: String, quote: String) {
        #expect(KrakenFormat.market(name) == ListedMarket(base: base, quote: quote))
    }

    @Test(arguments: ["", "/", "BTC/", "/USD", "A/B/C", "BÜC/USD", "BTC USD"])
    func otherNamesAreNone(name: String) {
        #expect(KrakenFormat.market(name) == nil)
    }

    @Test func aNameWithAnUnknownEndHasNoAssets() {
        #expect(KrakenFormat.market("ABCQQQ")?.symbol.description == "abcqqq")
        #expect(KrakenFormat.market("ABCQQQ")?.quote == nil)
    }

    @Test func badElementsAreCountedAndTheOthersStay() throws {
        let body = krakenBody(
            krakenElement("BTC/USD"), #""ETH/USD":7"#, #""X/USD":{"c":[]}"#, #""":{"c":["1"]}"#,
            krakenElement("XXBTZUSD", last: "9"), #""SOL/USD":{"c":["1" "2"]}"#, #""ADA/USD":{"c":"5"}"#,
            krakenElement("DOT/USD"))
        let batch = try decode(body, as: KrakenFormat())
        #expect(batch.symbols == ["btcusd", "ethusd", "xusd", "adausd", "dotusd"])
        #expect(batch.tickers.map { $0.last != nil } == [true, false, false, false, true])
        #expect(batch.badElementCount == 3)
    }

    @Test(
        arguments: [
            (#"{"error":["EGeneral:Too many requests"]}"#, "EGeneral:Too many requests", "", nil),
            (#"{"error":["EGeneral:Too many requests"],"result":{}}"#, "EGeneral:Too many requests", "", nil),
            (#"{"error":["WGeneral:Slow","EQuery:Unknown asset pair"]}"#, "EQuery:Unknown asset pair", "", nil),
            (
                #"{"error":["EService: Throttled: 1669012560"]}"#, "EService:Throttled",
                "EService: Throttled: 1669012560",
                1_669_012_560_000
            ),
            (
                #"{"error":["EService: Throttled: 9223372036854775807"]}"#, "EService:Throttled",
                "EService: Throttled: 9223372036854775807", nil
            ),
            (
                #"{"error":["EService: Throttled: -9223372036854775808"]}"#, "EService:Throttled",
                "EService: Throttled: -9223372036854775808", nil
            ),
            (
                #"{"error":["EService: Throttled: 253402300800"]}"#, "EService:Throttled",
                "EService: Throttled: 253402300800", nil
            ),
        ] as [(String, String, String, Int64?)])
    func errorsComeInAnArray(body: String, code: String, message: String, until: Int64?) {
        let error = ExchangeError(code: code, message: message, until: until.map(WallTime.init(milliseconds:)))
        #expect(decodingFailure(body, as: KrakenFormat()) == .exchangeError(error))
    }

    @Test func aWarningBesidePricesIsNoError() throws {
        let body = #"{"error":["WGeneral:Slow"],"result":{\#(krakenElement("BTC/USD"))}}"#
        #expect(try decode(body, as: KrakenFormat()).symbols == ["btcusd"])
    }

    @Test(
        arguments: [
            (200, #"{"error":["EGeneral:Too many requests"]}"#, .rateLimited, nil),
            (200, #"{"error":["EService: Throttled: 1669012560"]}"#, .rateLimited, 10_000),
            (200, #"{"error":["EService: Throttled: 1"]}"#, .rateLimited, 0),
            (200, #"{"error":["EGeneral:Temporary lockout"]}"#, .banned, nil),
            (200, #"{"error":["EService:Unavailable"]}"#, .serverError, nil),
            (200, #"{"error":["EQuery:Unknown asset pair"]}"#, .rejected, nil), (520, "<html>", .serverError, nil),
            (200, #"{"error":[]}"#, .unusable, nil), (200, #"{"error":[],"result":{}}"#, .emptyResponse, nil),
            (200, #"{"error":[],"result":[]}"#, .unusable, nil),
            (200, #"{"error":[],"result":7}"#, .unusable, nil),
        ] as [(Int, String, FeedFailure.Kind, Int64?)])
    func errorsMeanWhatTheyDo(
        status: Int, body: String, kind: FeedFailure.Kind, wait: Int64?
    ) async throws {
        let failure = try #require(try await failure(of: .kraken, status: status, body))
        #expect(failure.kind == kind)
        #expect(failure.retryAfter?.count == wait)
    }
}
