import Feeds
import Market
import PriceSources
import Testing
import Time

private func layout(last: String, _ change: (inout JSONLayout) throws -> Void = { _ in }) throws -> JSONFormat {
    var layout = JSONLayout(last: try pointer(last))
    try change(&layout)
    return JSONFormat(layout)
}

private func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }

@Suite struct JSONFormatTests {
    @Test func aListHasItsFieldsWhereTheSettingsSay() throws {
        let format = try layout(last: "/price/last") {
            $0.items = try pointer("/data/0/markets")
            $0.symbol = .place(try pointer("/id"))
            $0.quote = .place(try pointer("/a~1b"))
            $0.bid = try pointer("/book/0/1")
            $0.ask = try pointer("/book/1/1")
            $0.volume = try pointer("/v")
            $0.time = try pointer("/t")
        }
        let body = """
            {"data":[{"markets":[
              {"id":"BTC-EUR","a/b":"EUR","price":{"last":"1.50","x":2},"book":[["b",1.4],["a","1.6"]],
               "v":7,"t":1669012549},
              {"id":"eth","a/b":"usd","price":{"last":2}},
              {"id":"eth","a/b":"eur","price":[]}
            ]}]}
            """
        let batch = try decode(body, as: format)
        #expect(batch.symbols == ["btceur", "ethusd", "etheur"])
        let first = try #require(batch.tickers.first)
        #expect(first.base?.description == "btc")
        #expect(first.quote?.description == "eur")
        #expect(first.last?.description == "1.50")
        #expect(first.bid?.description == "1.4")
        #expect(first.ask?.description == "1.6")
        #expect(first.volume?.description == "7")
        #expect(first.exchangeTime == WallTime(milliseconds: 1_669_012_549_000))
        #expect(batch.tickers[1].base?.description == "eth")
        #expect(batch.tickers[2].last == nil)
    }

    /// As CoinGecko's simple prices: an object with the names of the coins.
    @Test func namesOfElementsAreSymbols() throws {
        let format = try layout(last: "/usd") {
            $0.items = .root
            $0.quote = .fixed("USD")
        }
        let batch = try decode(#"{"bitcoin":{"usd":64000.5},"usd-coin":{"usd":1.0},"x":{}}"#, as: format)
        #expect(batch.symbols == ["bitcoinusd", "usdcoinusd", "xusd"])
        #expect(batch.tickers.map { $0.last?.description } == ["64000.5", "1.0", nil])
    }

    /// As Coinbase's spot price: the whole response is one market.
    @Test func aResponseMayBeOneMarket() throws {
        let format = try layout(last: "/data/amount") {
            $0.symbol = .fixed("BTC-USD")
            $0.quote = .fixed("usd")
        }
        let batch = try decode(#"{"data":{"amount":"64000.5","base":"BTC","currency":"USD"}}"#, as: format)
        #expect(batch.symbols == ["btcusd"])
        #expect(batch.tickers.first?.base?.description == "btc")
        #expect(batch.tickers.first?.last?.description == "64000.5")
        let failure = DecodingFailure.noUsableElement(count: 1, example: #"{"data":{}}: no price"#)
        #expect(decodingFailure(#"{"data":{}}"#, as: format) == failure)
        #expect(decodingFailure(#"{"data":{"amount":"1"}"#, as: format) == .structureLost)
        #expect(decodingFailure(#"{"data":{"amount":"1"}} 2"#, as: format) == .structureLost)
    }

    @Test func anArrayAtTheTopIsAList() throws {
        let format = try layout(last: "/1") {
            $0.items = .root
            $0.symbol = .place(try pointer("/0"))
        }
        let batch = try decode(#"[["tBTCUSD",64000,1],["tETHUSD",3000.5,1],["t:X"]]"#, as: format)
        #expect(batch.symbols == ["tbtcusd", "tethusd", "tx"])
        #expect(batch.tickers.map { $0.last?.description } == ["64000", "3000.5", nil])
        #expect(batch.tickers.allSatisfy { $0.quote == nil })
        #expect(decodingFailure("{}", as: format) == .unexpectedObject)
    }

    @Test(
        arguments: [
            ("1669012549", 1_669_012_549_000), ("1669012549711", 1_669_012_549_711),
            ("1669012549711000", 1_669_012_549_711), (#""1669012549""#, 1_669_012_549_000), ("1", nil), ("-5", nil),
            ("9223372036854775807", nil), ("1669012549.5", nil), ("null", nil),
        ] as [(String, Int64?)])
    func aTimeIsInTheUnitThatFits(time: String, expected: Int64?) throws {
        let format = try layout(last: "/p") {
            $0.symbol = .fixed("a")
            $0.time = try pointer("/t")
        }
        let ticker = try #require(try decode(#"{"p":1,"t":\#(time)}"#, as: format).tickers.first)
        #expect(ticker.exchangeTime?.milliseconds == expected)
    }

    @Test(
        arguments: [
            (#"{"error":"slow down"}"#, ExchangeError(code: "", message: "slow down")),
            (#"{"code":42,"message":"no"}"#, ExchangeError(code: "42", message: "no")),
            (#"{"msg":"no"}"#, ExchangeError(code: "", message: "no")),
        ])
    func errorsAreQuoted(body: String, error: ExchangeError) throws {
        let format = try layout(last: "/p") { $0.items = try pointer("/data") }
        #expect(decodingFailure(body, as: format) == .exchangeError(error))
    }

    @Test func quoteAssetsAreOnlyCutFromTheEnd() throws {
        let format = try layout(last: "/p") { $0.items = .root }
        #expect(format.market("usd", "usd") == ListedMarket(base: "usd", quote: "usd"))
        #expect(format.market("usdbtc", "usd") == ListedMarket(base: "usdbtc", quote: "usd"))
        #expect(format.market("btc usd", "") == nil)
        #expect(format.market(String(repeating: "a", count: 33), "") == nil)
    }
}

@Suite struct JSONPointerTests {
    @Test(arguments: ["/a", "/a/0/b", "/a~1b/~0", "//", "/24hVolume", "/é"])
    func isRead(text: String) throws {
        #expect(JSONPointer(text)?.text == text)
    }

    @Test func aSlashIsTheWholeText() {
        #expect(JSONPointer("/") == .root)
        #expect(JSONPointer.root.text.isEmpty)
    }

    @Test(arguments: [
        "", "a", "a/b", "/~", "/~2", "/a~", "/\"", "/\\", "/\n", "/1/2/3/4/5/6/7/8/9",
        "/" + String(repeating: "a", count: 49),
    ])
    func isRefused(text: String) {
        #expect(JSONPointer(text) == nil)
    }
}
