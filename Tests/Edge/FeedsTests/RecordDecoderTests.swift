import Feeds
import HTTP
import Market
import Testing
import Time

/// What holds for each format.
@Suite struct RecordDecoderTests {
    private static let kraken = krakenBody(
        krakenElement("BTC/USD"), krakenElement("ETH/USD"), krakenElement("XXDGXXBT"))
    private static let binance = "[\(binanceElement("BTCUSDT")), {\"symbol\":\"X\",\"new\":[\"\\u00e9é\",{}]}]"

    @Test func aCutOffBodyIsNeverUsable() {
        for count in 0..<Self.kraken.utf8.count {
            #expect(decodingFailure(Self.kraken.utf8.prefix(count), as: KrakenFormat()) != nil, "\(count) bytes")
        }
        for count in 0..<Self.binance.utf8.count {
            #expect(decodingFailure(Self.binance.utf8.prefix(count), as: BinanceFormat()) != nil, "\(count) bytes")
        }
        #expect(decodingFailure(Self.kraken, as: KrakenFormat()) == nil)
        #expect(decodingFailure(Self.binance, as: BinanceFormat()) == nil)
    }

    @Test(arguments: [
        #"{"result":{"A/USD":{"c":["1"]}}"#, #"{"result":{"A/USD":{"c":["1"]}}}}"#,
        #"{"result":{"A/USD":{"c":["1"]},}}"#,
        #"{"result":{"A/USD":{"c":["1"]}},}"#, #"{"result":{"A/USD":{"c":["1"]}} 7}"#,
        #"{"result":{"A/USD":{"c":["1"]}]}"#,
        #"{"result":{"A/USD":{"c":["1"]}},"x":[1}"#, #"{"result":{,"A/USD":{"c":["1"]}}}"#,
        #"{"error":[}],"result":{"A/USD":{"c":["1"]}}}"#, #"{"result":{"A/USD":{"c":["1"]}},7:8}"#,
        #"{"result":{"A/USD":{"c":["1"]}}}{}"#, #"{"result":{"A/USD":{"c":["1"]}},"x":nul}"#,
    ])
    func whatIsAroundTheListMustBeValid(body: String) {
        #expect(decodingFailure(body, as: KrakenFormat()) == .structureLost)
    }

    @Test(arguments: [
        #"{"x":{"result":1,"y":[{}]},"result":{"A/USD":{"c":["1"]}},"result":{"B/USD":{"c":["2"]}}}"#,
        #" { "result" : { "A/USD" : { "z":{"c":["7"]}, "c" : [ "1" , "2" ] , "c":["3"] } } , "more" : [ 1, {} ] } "#,
        #"{"é":"é","result":{"A/USD":{"c":["1"]}},"t":"\n\"\u00e9"}"#,
    ])
    func theListIsFoundWhereverItIs(body: String) throws {
        let batch = try decode(body, as: KrakenFormat())
        #expect(batch.symbols == ["ausd"])
        #expect(batch.tickers.first?.last?.description == "1")
        #expect(batch.badElementCount == 0)
    }

    @Test func invalidBytesHarmOnlyTheirElement() throws {
        let start = Array("[\(binanceElement("A")),{\"symbol\":\"B\",\"x\":\"".utf8)
        let end = Array("\"},\(binanceElement("C")),{\"symbol\":\"D\",\"lastPrice\":\"1\"}]".utf8)
        for invalid in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x01], [0x0A]] as [[UInt8]] {
            var decoder = RecordDecoder(BinanceFormat())
            let batch = try decoder.decode(padded(start + invalid + end), received: receipt)
            #expect(batch.symbols == ["a", "c", "d"])
            #expect(batch.badElementCount == 1)
        }
        #expect(decodingFailure(Array("[\(binanceElement("A"))]".utf8) + [0xFF], as: BinanceFormat()) == .structureLost)
    }

    @Test func elementsThatAreTooDeepAreBad() throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let batch = try decode("[{\"symbol\":\"A\",\"x\":\(deep)},\(binanceElement("B"))]", as: BinanceFormat())
        #expect(batch.symbols == ["b"])
        let bottomless = String(repeating: "[", count: 100_000)
        #expect(decodingFailure("[\(binanceElement("A")),\(bottomless)", as: BinanceFormat()) == .structureLost)
        #expect(decodingFailure("{\"a\":\(bottomless)", as: KrakenFormat()) == .structureLost)
    }

    @Test func membersMayChangePlacesFromElementToElement() throws {
        let elements = [
            #"{"symbol":"A","lastPrice":"1","bidPrice":"2"}"#, #"{"lastPrice":"3","symbol":"B","bidPrice":"4"}"#,
            #"{"x":0,"symbol":"C","y":1,"bidPrice":"6","lastPrice":"5"}"#,
            #"{"symbol":"D","lastPrice":"7","bidPrice":"8"}"#,
            #"{"symbo\u006C":"E","symbol":"X","lastPrice":"9","bidPrice":"10"}"#,
        ]
        let batch = try decode("[\(elements.joined(separator: ","))]", as: BinanceFormat())
        #expect(batch.symbols == ["a", "b", "c", "d", "e"])
        #expect(batch.tickers.map { $0.last?.description } == ["1", "3", "5", "7", "9"])
        #expect(batch.tickers.map { $0.bid?.description } == ["2", "4", "6", "8", "10"])
    }

    @Test func manyUnknownMembersAreSkipped() throws {
        let many = (0..<100).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let element = "{\(many),\"symbol\":\"A\",\"lastPrice\":\"1\"}"
        let batch = try decode("[\(element),{\"symbol\":\"B\",\(many),\"lastPrice\":\"2\"}]", as: BinanceFormat())
        #expect(batch.tickers.map { $0.last?.description } == ["1", "2"])
    }

    @Test func oneDecoderServesResponsesThatDiffer() throws {
        var decoder = RecordDecoder(BinanceFormat())
        for order in [
            ["A", "B", "C"], ["A", "B", "C"], ["A", "C"], ["C", "A", "D", "Ü"], ["Ü", "D"], ["D", "A", "B", "C"],
        ] {
            let body = padded("[\(order.map { binanceElement($0) }.joined(separator: ","))]")
            for _ in 0..<2 {
                let batch = try decoder.decode(body, received: receipt)
                #expect(batch.symbols == order.filter { $0 != "Ü" }.map { $0.lowercased() })
                #expect(batch.badElementCount == order.count { $0 == "Ü" })
            }
        }
    }

    @Test func elementsAreLimited() throws {
        let limit = RecordDecoder<BinanceFormat>.elementLimit
        let many = (0..<limit).map { #"{"symbol":"s\#($0)"}"# }.joined(separator: ",")
        #expect(try decode("[\(many)]", as: BinanceFormat()).tickers.count == limit)
        #expect(decodingFailure("[\(many),{}]", as: BinanceFormat()) == .tooManyElements(limit: limit))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func flippedBitsNeverCrashNorAddElements(seed: UInt64) {
        var random = TestRandom(state: seed)
        var kraken = RecordDecoder(KrakenFormat())
        var binance = RecordDecoder(BinanceFormat())
        for round in 0..<2_000 {
            var damaged = Array((round % 2 == 0 ? Self.kraken : Self.binance).utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            let body = padded(damaged)
            let batch =
                round % 2 == 0
                ? try? kraken.decode(body, received: receipt) : try? binance.decode(body, received: receipt)
            guard let batch else { continue }
            // A brace that is lost makes elements of the members: nine of each.
            #expect(batch.tickers.count + batch.badElementCount <= 3 * 9)
            #expect(Set(batch.symbols).count == batch.tickers.count)
        }
    }
}
