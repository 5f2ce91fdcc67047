import EventLoop
import Feeds
import Foundation
import HTTP
import Market
import PriceSources
import TestSupport
import Testing
import Time

/// A coin as the service writes it.
private func coin(_ symbol: String, uuid: String, price: String = "\"25839.257181797795\"") -> String {
    #"{"uuid":"\#(uuid)","symbol":"\#(symbol)","name":"A coin","color":null,"iconUrl":"https://x.y/z","#
        + #""marketCap":null,"price":\#(price),"listedAt":1330214400,"tier":1,"change":null,"rank":1,"#
        + #""sparkline":["1.5",null],"lowVolume":false,"24hVolume":"9310853608","btcPrice":"1"}"#
}

private func page(_ coins: [String]) -> String {
    let stats = #"{"total":3,"totalMarketCap":"1053"}"#
    return #"{"status":"success","data":{"stats":\#(stats),"coins":[\#(coins.joined(separator: ","))]}}"#
}

private func coins(_ range: Range<Int>) -> String { page(range.map { coin("C\($0)", uuid: "u\($0)") }) }

/// The key that the next poll uses.
@LoopActor
private final class Key {
    var text: String? = "first"
}

/// The names that coins have had.
@LoopActor
private final class Names {
    var all: [CoinName] = []
}

@LoopActor
private func makeFeed(_ server: ScriptedServer, count: Int = 100, key: Key = Key()) -> CoinRankingFeed {
    var parameters = FeedParameters(.coinranking, url: server.url)
    parameters.count = count
    parameters.key = { () throws(FeedFailure) in key.text }
    return CoinRankingFeed(
        parameters, client: HTTPClient(.patient), time: SystemClock())
}

@LoopActor
private func failure(_ feed: any Feed) async -> FeedFailure? {
    do {
        _ = try await feed.poll()
        return nil
    } catch {
        return error
    }
}

@Suite(.timeLimit(.minutes(10))) struct CoinRankingTests {
    @Test func aCoinIsAMarketInDollars() throws {
        let ticker = try #require(
            try decode(page([coin("BTC", uuid: "Qwsogvtv82FCd")]), as: CoinRankingFormat()).tickers.first)
        #expect(ticker.symbol.description == "btcusd")
        #expect(ticker.base?.description == "btc")
        #expect(ticker.quote?.description == "usd")
        #expect(ticker.last?.description == "25839.257181797795")
        #expect(ticker.bid == nil && ticker.ask == nil && ticker.volume == nil && ticker.exchangeTime == nil)
    }

    @Test(
        arguments: [
            ("null", nil), (#""1.099952948e-9""#, "0.000000001099952948"), (#""1.0999529481e-10""#, nil), (#""""#, nil),
            ("1.5", "1.5"),
        ] as [(String, String?)])
    func aPriceMayBeMissing(price: String, expected: String?) throws {
        let batch = try decode(page([coin("BTC", uuid: "a", price: price)]), as: CoinRankingFormat())
        #expect(batch.badElementCount == 0)
        #expect(batch.tickers.first?.last?.description == expected)
    }

    /// The identity of a coin is its uuid, whatever place it has.
    @Test func coinsWithTheSameSymbolKeepTheirNames() throws {
        var decoder = RecordDecoder(CoinRankingFormat())
        let (first, second) = (coin("ABC", uuid: "Qwso-1", price: "1"), coin("abc", uuid: "razx_2", price: "2"))
        for order in [[first, second], [second, first], [second], [first, second]] {
            let batch = try decoder.decode(padded(page(order)), received: receipt)
            #expect(batch.tickers.count == order.count)
            for ticker in batch.tickers {
                #expect(ticker.symbol.description == (ticker.last?.description == "1" ? "abcusd" : "abcrazx2usd"))
            }
        }
    }

    /// The names of an earlier run come first, whatever the ranking is now.
    @Test func namesOfAnEarlierRunStay() throws {
        let known = [
            CoinName(identity: "b", symbol: try #require(Symbol("abcusd"))),
            CoinName(identity: "a", symbol: try #require(Symbol("abcausd"))),
        ]
        let body = page([coin("ABC", uuid: "a"), coin("ABC", uuid: "b"), coin("ABC", uuid: "c")])
        #expect(try decode(body, as: CoinRankingFormat(known)).symbols == ["abcausd", "abcusd", "abccusd"])
        #expect(try decode(body, as: CoinRankingFormat()).symbols == ["abcusd", "abcbusd", "abccusd"])
    }

    /// Names are kept for good, so they have a length: an identifier is at most 64 letters, digits, dashes.
    @Test func anIdentifierIsShortAndPlain() throws {
        let long = String(repeating: "x", count: 65)
        let bad = [long, "a b", "a/b", "../x", "", "\u{e9}"].map { coin("BAD", uuid: $0) }
        let batch = try decode(page(bad + [coin("BTC", uuid: "a-B_1")]), as: CoinRankingFormat())
        #expect(batch.symbols == ["btcusd"] && batch.badElementCount == bad.count)
    }

    /// Responses of any content change nothing for good: coins that come and go use up no names.
    @Test func newCoinsAlwaysGetNames() async throws {
        try await onLoop {
            let server = try ScriptedServer((0..<4).map { .status(text: coins($0 * 9_000..<($0 + 1) * 9_000)) })
            let names = Names()
            var parameters = FeedParameters(.coinranking, url: server.url)
            // What is kept elsewhere: the newest.
            parameters.coinNames = { Array(names.all.suffix(CoinName.limit)) }
            let feed = CoinRankingFeed(
                parameters, client: HTTPClient(.patient), time: SystemClock())
            for _ in 0..<4 {
                let batch = try await feed.poll()
                #expect(batch.tickers.count == 9_000 && batch.badElementCount == 0)
                names.all += batch.coins.map { CoinName(identity: $0.identity, symbol: $0.symbol) }
            }
        }
    }

    @Test func pagesHaveALimitTogether() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(text: coins(0..<9_000)), .status(text: coins(9_000..<10_001))])
            let failure = try #require(await failure(makeFeed(server, count: 200)))
            #expect(failure.message.contains("10000"), "\(failure.message)")
        }
    }

    @Test func aCoinHasMoreThanAPrice() async throws {
        try await onLoop {
            let full =
                #"{"uuid":"q","symbol":"BTC","name":"Bitcoin\u001b[31m","price":"5","marketCap":"503428137143","#
                + #""24hVolume":"9310853608","change":"-1.23","btcPrice":"1.0439511111111111111111e-12","rank":1,"#
                + #""tier":2,"listedAt":1330214400,"sparkline":["1.5",null,2,"x"],"lowVolume":true,"#
                + #""coinrankingUrl":"https://coinranking.com/coin/q"}"#
            let bare = #"{"uuid":"r","symbol":"ETH","price":"1","name":7,"rank":"x","sparkline":null,"change":[]}"#
            let odd = #"{"uuid":"s","symbol":"XYZ","price":"1","coinrankingUrl":"javascript:alert(1)","rank":-4}"#
            let server = try ScriptedServer([.status(text: page([full, bare, odd, "null", "7"]))])
            let batch = try await makeFeed(server).poll()
            #expect(batch.coins.map(\.symbol.description) == ["btcusd", "ethusd", "xyzusd"])
            let coin = try #require(batch.coins.first)
            #expect(coin.name == "Bitcoin\\u{1b}[31m" && coin.rank == 1 && coin.tier == 2)
            #expect(coin.marketCap?.description == "503428137143" && coin.turnover?.description == "9310853608")
            #expect(coin.changePercent?.description == "-1.23" && coin.hasLowVolume == true)
            #expect(coin.bitcoinPrice?.description == "0.000000000001043951")
            #expect(coin.sparkline.map { $0?.description } == ["1.5", nil, "2", nil])
            #expect(coin.listed?.description == "2012-02-26T00:00:00.000Z")
            #expect(coin.link == "https://coinranking.com/coin/q")
            for other in batch.coins.dropFirst() {
                #expect(other.name == nil && other.rank == nil && other.link == nil && other.sparkline == [])
            }
        }
    }

    @Test func pastPricesComeOldestFirst() async throws {
        try await onLoop {
            let points =
                #"{"price":"3","timestamp":1694320500},{"price":null,"timestamp":1694320400},"#
                + #"{"price":"2.5","timestamp":1694320200},{"price":"9","timestamp":1694320200},{"price":"-1"},"#
                + #"{"price":"1.000000000000000000001","timestamp":1694319900},{"price":"1","timestamp":99999999999}"#
            let body = #"{"status":"success","data":{"change":"0.36","history":[\#(points)]}}"#
            let server = try ScriptedServer([
                .status(text: body), .status(text: #"{"status":"success","data":{"history":[]}}"#),
                .status(404, text: #"{"status":"fail","type":"COIN_NOT_FOUND","message":"Coin not found"}"#),
            ])
            let feed = makeFeed(server)
            let history = try await feed.history(of: "Qwsogvtv82FCd", over: .week)
            #expect(history.points.map(\.price.description) == ["1", "2.5", "3"])
            #expect(history.points.first?.time.description == "2023-09-10T04:25:00.000Z")
            #expect(history.changePercent?.description == "0.36" && history.period == .week)
            let request = try #require(server.requests.first)
            #expect(request.path.hasPrefix("/coin/Qwsogvtv82FCd/history?") && request.path.contains("timePeriod=7d"))
            #expect(request.headers["x-access-token"] == "first")
            for expected in [FeedFailure.Kind.unusable, .rejected] {
                let failure = await #expect(throws: FeedFailure.self) {
                    _ = try await feed.history(of: "a", over: .day)
                }
                #expect(failure?.kind == expected)
            }
            // Only an identifier becomes part of an address.
            await #expect(throws: FeedFailure.self) { _ = try await feed.history(of: "a/../b?c", over: .day) }
            #expect(server.requests.count == 3)
        }
    }

    /// A refused key is refused for polls and past prices alike, and tried again when the settings are loaded again.
    @Test func aReloadTriesTheKeyAgain() async throws {
        try await onLoop {
            let body = #"{"status":"fail","type":"AUTH","message":"Invalid API key"}"#
            let server = try ScriptedServer([.status(401, text: body), .status(text: coins(0..<1))])
            let feed = makeFeed(server)
            await #expect(throws: FeedFailure.self) { _ = try await feed.history(of: "a", over: .day) }
            #expect(await failure(feed)?.kind == .unauthorized)
            #expect(server.requests.count == 1)
            feed.forgetRefusal()
            #expect(await failure(feed) == nil)
        }
    }

    @Test(.enabled(if: coinRecordings != nil)) func recordedPastPricesAreRead() async throws {
        let file = try #require(coinRecordings).appending(path: "coin-history_24h_288.json")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        try await onLoop {
            let server = try ScriptedServer([.status(text: text)])
            let history = try await makeFeed(server).history(of: "a", over: .day)
            #expect(history.points.count == 288)
            #expect(history.points.last?.price.description == "1643.8915748709505")
            #expect(zip(history.points, history.points.dropFirst()).allSatisfy { $0.time < $1.time })
        }
    }

    @Test func whatIsNoCoinIsCounted() throws {
        let body = page([
            coin("BTC", uuid: "a"), coin("BTC", uuid: "a"), coin("$", uuid: ""), #"{"symbol":"X","price":"1"}"#,
            #"{"uuid":"z","price":"1"}"#, "null", coin("USD₮0", uuid: "t"),
        ])
        let batch = try decode(body, as: CoinRankingFormat())
        #expect(batch.symbols == ["btcusd", "usd0usd"])
        #expect(batch.badElementCount == 5)
    }

    @Test func coinsComeInPages() async throws {
        try await onLoop {
            let server = try ScriptedServer([
                .status(text: coins(0..<100)), .status(text: coins(99..<199)), .status(text: coins(199..<249)),
            ])
            let batch = try await makeFeed(server, count: 250).poll()
            #expect(batch.tickers.count == 249)
            #expect(Set(batch.symbols).count == 249)
            let ends = server.requests.map { $0.path.split(separator: "&").suffix(2).joined(separator: "&") }
            #expect(ends == ["limit=100&offset=0", "limit=100&offset=100", "limit=50&offset=200"])
            #expect(server.requests.allSatisfy { $0.headers["x-access-token"] == "first" })
            #expect(server.requests.allSatisfy { $0.path.hasPrefix("/coins?") })
        }
    }

    @Test func anEmptyPageIsTheEnd() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(text: coins(0..<100)), .status(text: page([]))])
            #expect(try await makeFeed(server, count: 300).poll().tickers.count == 100)
            #expect(server.requests.count == 2)
        }
    }

    @Test func aPageThatFailsMakesThePollFail() async throws {
        try await onLoop {
            let server = try ScriptedServer([
                .status(text: coins(0..<100)), .status(500, text: "no"), .status(text: page([])),
            ])
            let feed = makeFeed(server, count: 300)
            #expect(await failure(feed)?.kind == .serverError)
            #expect(await failure(feed)?.kind == .emptyResponse)
        }
    }

    @Test(arguments: [401, 400, 500])
    func anAnswerThatRepeatsTheKeyIsNotShown(status: Int) async throws {
        try await onLoop {
            let body = #"{"status":"fail","type":"AUTH","message":"no such key: first"}"#
            let server = try ScriptedServer([.status(status, text: body)])
            let feed = makeFeed(server, key: Key())
            let failure = try #require(await failure(feed))
            #expect(!failure.sentence.contains("first"))
            #expect(failure.message.hasSuffix("(status \(status)); the response contains the key, so it is not shown"))
        }
    }

    @Test(arguments: [401, 403])
    func aKeyThatIsRefusedIsNotUsedAgain(status: Int) async throws {
        try await onLoop {
            let body = #"{"status":"fail","type":"AUTH","message":"Invalid API key"}"#
            let server = try ScriptedServer([.status(status, text: body), .status(text: coins(0..<1))])
            let key = Key()
            let feed = makeFeed(server, key: key)
            for _ in 0..<3 {
                let refused = try #require(await failure(feed))
                #expect(refused.kind == .unauthorized)
                #expect(refused.message.contains("Invalid API key") && refused.message.contains("accept the key"))
                #expect(!refused.sentence.contains("first"))
                #expect(
                    refused.message
                        == "CoinRanking does not accept the key (status \(status)): \"Invalid API key\" (code AUTH)")
                #expect(refused.isFinal && !refused.sentence.contains("exchange"))
            }
            #expect(server.requests.count == 1)
            key.text = "second"
            #expect(try await feed.poll().tickers.count == 1)
            #expect(server.requests.map { $0.headers["x-access-token"] } == ["first", "second"])
        }
    }

    @Test func withoutAKeyItIsAskedOnce() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(401), .status(text: coins(0..<1))])
            let key = Key()
            key.text = nil
            let feed = makeFeed(server, key: key)
            #expect(await failure(feed)?.message.contains("requires a key") == true)
            #expect(await failure(feed)?.kind == .unauthorized)
            #expect(server.requests.map { $0.headers["x-access-token"] } == [nil])
            key.text = "second"
            #expect(await failure(feed) == nil)
        }
    }

    @Test func theRateLimitHasACodeNotAType() async throws {
        let body = #"{"status":"fail","code":"RATE_LIMIT_EXCEEDED","message":"You've reached the API request limit."}"#
        for status in [429, 200] {
            let failure = try #require(try await failure(of: .coinranking, status: status, body))
            #expect(failure.kind == .rateLimited)
            #expect(failure.message.contains("reached the API request limit"))
            #expect(failure.message.hasPrefix("CoinRanking is limiting the request rate") && !failure.isFinal)
        }
    }

    @Test(.enabled(if: coinRecordings != nil), arguments: [("coins_2023-09_50", 50), ("coins_2025-01_20", 20)])
    func recordedCoinsAreReadExactly(name: String, count: Int) throws {
        let file = try #require(coinRecordings).appending(path: "\(name).json")
        let data = try Data(contentsOf: file)
        var decoder = RecordDecoder(CoinRankingFormat())
        let batch = try decoder.decode(padded(Array(data)), received: receipt)
        #expect(batch.badElementCount == 0)
        try #require(batch.tickers.count == count)
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let coins = try #require((root["data"] as? [String: Any])?["coins"] as? [[String: Any]])
        for (coin, ticker) in zip(coins, batch.tickers) {
            let price = try #require(coin["price"] as? String)
            #expect(ticker.last.map { Decimal(string: $0.description) } == Decimal(string: price))
            #expect(ticker.base?.description == (coin["symbol"] as? String)?.lowercased())
        }
    }
}

private let coinRecordings: URL? = ProcessInfo.processInfo.environment["ALERTD_RECORDED_DATA"]
    .map { URL(fileURLWithPath: $0).appending(path: "coinranking") }
