import Feeds
import Foundation
import HTTP
import Market
import Testing

/// Responses of the real exchange, where they are at hand.
@Suite(.enabled(if: recordings != nil)) struct RecordingsTests {
    private func body(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: #require(recordings).appending(path: name)))
    }

    private func batch(_ name: String) throws -> TickerBatch {
        var decoder = RecordDecoder(WazirXFormat())
        return try decoder.decode(padded(body(name)), received: receipt)
    }

    private struct Field: Sendable {
        var key: String
        var value: @Sendable (Ticker) -> Price?
    }

    private static let prices = [
        Field(key: "openPrice") { $0.open }, Field(key: "lowPrice") { $0.low }, Field(key: "highPrice") { $0.high },
        Field(key: "lastPrice") { $0.last }, Field(key: "volume") { $0.volume }, Field(key: "bidPrice") { $0.bid },
        Field(key: "askPrice") { $0.ask },
    ]

    @Test(arguments: [
        ("sapi-tickers-24hr_2022-11-21_450.json", 450), ("sapi-tickers-24hr_2022-11-22_450.json", 450),
        ("sapi-tickers-24hr_2022-06-11_first15.json", 15), ("sapi-tickers-24hr_2024-05-22_btcinr.json", 1),
        ("sapi-tickers-24hr_2024-08-09_halted.json", 2),
    ])
    func everyFieldIsWhatAnotherParserReads(name: String, count: Int) throws {
        let batch = try batch(name)
        #expect(batch.tickers.count == count)
        #expect(batch.badElementCount == 0)
        #expect(batch.symbols.first == "btcinr")
        let objects = try #require(
            try JSONSerialization.jsonObject(with: Data(body(name))) as? [[String: Any]])
        try #require(objects.count == count)
        for (object, ticker) in zip(objects, batch.tickers) {
            #expect(ticker.symbol.description == object["symbol"] as? String)
            #expect(ticker.base?.description == object["baseAsset"] as? String)
            #expect(ticker.quote?.description == object["quoteAsset"] as? String)
            for field in Self.prices {
                let text = try #require(object[field.key] as? String)
                let price = try #require(field.value(ticker), "\(ticker.symbol) \(field.key)")
                #expect(Decimal(string: price.description) == Decimal(string: text))
            }
        }
    }

    @Test func pricesWithAnExponentAreExact() throws {
        let tickers = try batch("sapi-tickers-24hr_2022-11-21_450.json").tickers
        let ticker = try #require(tickers.first { $0.symbol.description == "qkcbtc" })
        #expect(ticker.open == Price(mantissa: 54, scale: 8))
    }

    @Test func theTimeOfAResponseIsReadWhenItIsNear() throws {
        let near = try batch("sapi-tickers-24hr_2022-11-21_450.json").tickers
        #expect(near.allSatisfy { $0.exchangeTime != nil })
        let years = try batch("sapi-tickers-24hr_2024-05-22_btcinr.json").tickers
        #expect(years.allSatisfy { $0.exchangeTime == nil })
    }

    @Test func haltedMarketsAreReadAsTheyAre() throws {
        for ticker in try batch("sapi-tickers-24hr_2024-08-09_halted.json").tickers {
            #expect(ticker.volume == .zero)
            #expect(ticker.last == ticker.open)
            #expect(ticker.bid?.isPositive == true)
        }
    }

    @Test func singleTickersDecodeInAnArray() throws {
        let pairs = try #require(
            try JSONSerialization.jsonObject(with: Data(body("ticker-24hr_09Feb2022_status-and-body.json")))
                as? [String: [Any]])
        #expect(pairs.count == 12)
        for (symbol, pair) in pairs where pair.first as? Int == 200 {
            let element = try JSONSerialization.data(withJSONObject: [#require(pair.last)])
            var decoder = RecordDecoder(WazirXFormat())
            let batch = try decoder.decode(padded(element), received: receipt)
            #expect(batch.symbols == [symbol])
            #expect(batch.tickers.first?.last?.isPositive == true)
        }
    }

    @Test func otherInterfacesOfTheExchangeAreNotTakenForThisOne() throws {
        var decoder = RecordDecoder(WazirXFormat())
        for name in ["api-v2-tickers_2021-05-01_265.json", "api-v2-market-status_2020.json"] {
            let body = padded(try body(name))
            #expect(throws: DecodingFailure.self) { _ = try decoder.decode(body, received: receipt) }
        }
    }

    @Test func aCutOffRecordingIsNeverUsable() throws {
        let bytes = try body("sapi-tickers-24hr_2022-11-21_450.json")
        for count in stride(from: 1, to: bytes.count - 1, by: 997) {
            #expect(decodingFailure(bytes.prefix(count)) == .structureLost)
        }
    }
}
