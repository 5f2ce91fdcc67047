import Feeds
import Market
import Testing
import Time

@Suite struct WazirXTests {
    @Test func allElevenFieldsAreRead() throws {
        let ticker = try #require(try decode("[\(element("btcinr"))]").tickers.first)
        #expect(ticker.symbol.description == "btcinr")
        #expect(ticker.base?.description == "btc")
        #expect(ticker.quote?.description == "inr")
        #expect(ticker.open == Price(mantissa: 49, scale: 8))
        #expect(ticker.low?.description == "11.0")
        #expect(ticker.high?.description == "13.0")
        #expect(ticker.last?.description == "12.5")
        #expect(ticker.volume?.description == "6.52125")
        #expect(ticker.bid?.description == "12.4")
        #expect(ticker.ask?.description == "12.6")
        #expect(ticker.exchangeTime == WallTime(milliseconds: 1_669_012_549_000))
    }

    @Test func orderOfFieldsSpacesAndUnknownFieldsDoNotMatter() throws {
        let body = """
             [ { "at" : 1669012549000 , "new" : [1, {"symbol": "x"}, "]", null, true], "askPrice":"2" ,
            "lastPrice" : "1.5", "more":{}, "none":[], "symbol" : "1inchinr" } ]\u{20}

            """
        let ticker = try #require(try decode(body).tickers.first)
        #expect(ticker.symbol.description == "1inchinr")
        #expect(ticker.last?.description == "1.5")
        #expect(ticker.ask?.description == "2")
        #expect(ticker.bid == nil)
        #expect(ticker.exchangeTime != nil)
    }

    @Test func ofEqualKeysTheFirstCounts() throws {
        let body = #"[{"symbol":"a","symbol":"b","lastPrice":null,"lastPrice":"2"}]"#
        let ticker = try #require(try decode(body).tickers.first)
        #expect(ticker.symbol.description == "a")
        #expect(ticker.last == nil)
    }

    @Test(arguments: [
        (#""72046""#, "72046"), (#""73216.0""#, "73216.0"), (#""0.00000041""#, "0.00000041"), (#"12.50"#, "12.50"),
        (#"4.9e-7"#, "0.00000049"), (#""0.0""#, "0.0"), (#""0""#, "0"),
    ])
    func numbersAreReadByTheirText(json: String, expected: String) throws {
        let ticker = try #require(try decode(#"[{"symbol":"a","lastPrice":\#(json)}]"#).tickers.first)
        #expect(ticker.last?.description == expected)
    }

    @Test(arguments: [
        "null", "true", "[]", "{}", #""""#, #"" 1""#, #""1,5""#, #""NaN""#, #""0x10""#,
        #""99999999999999999999""#, "1e400",
    ])
    func whatIsNoPriceIsNilAndTheTickerStays(json: String) throws {
        let batch = try decode(#"[{"symbol":"a","lastPrice":\#(json),"bidPrice":"1"}]"#)
        #expect(batch.badElementCount == 0)
        #expect(batch.tickers.first?.last == nil)
        #expect(batch.tickers.first?.bid?.description == "1")
    }

    @Test(arguments: [
        "7", #""text""#, "null", "[]", "[[1,[2]]]", "{}", #"{"symbol":7}"#, #"{"symbol":""}"#, #"{"symbol":"BTCINR"}"#,
        #"{"symbol":"btc/inr"}"#, #"{"symbol":null}"#, #"{"symbol":"a" "x":1}"#,
        #"{"symbol":"a","x":01}"#, #"{"symbol":"a","x":nul}"#, #"{"symbol":"a","x":1.}"#, #"{"symbol":"a",}"#,
        #"{"symbol":"a","x":"\q"}"#, #"{"symbol":"a","x":"\u12g4"}"#, #"{"symbol":"a"} 7"#, #"{"symbol":"a","x":}"#,
        #"{"symbol":"a","x":[1 2]}"#, #"{"symbol":"a","x":tru"y"}"#, #"{7:8,"symbol":"a"}"#,
        #"{"symbol":"\#(String(repeating: "a", count: 33))"}"#,
    ])
    func oneBadElementDoesNotDropTheOthers(bad: String) throws {
        let batch = try decode("[\(element("one")),\(bad),\(element("two"))]")
        #expect(batch.symbols == ["one", "two"])
        #expect(batch.badElementCount == 1)
    }

    @Test func aSymbolOfTheGreatestLengthIsGood() throws {
        let longest = String(repeating: "a", count: 32)
        #expect(try decode("[\(element(longest))]").symbols == [longest])
    }

    @Test func aValueThatIsTooDeepMakesOnlyItsElementBad() throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let batch = try decode("[\(element("one")),{\"symbol\":\"a\",\"x\":\(deep)},\(element("two"))]")
        #expect(batch.symbols == ["one", "two"])
        let bottomless = String(repeating: "[", count: 100_000)
        #expect(decodingFailure("[\(element("one")),\(bottomless)") == .structureLost)
    }

    @Test func ofEqualSymbolsTheFirstCounts() throws {
        var decoder = RecordDecoder(WazirXFormat())
        let body = padded("[\(element("a", last: "1")),\(element("b")),\(element("a", last: "2"))]")
        for _ in 0..<3 {
            let batch = try decoder.decode(body, received: receipt)
            #expect(batch.symbols == ["a", "b"])
            #expect(batch.tickers.first?.last?.description == "1")
            #expect(batch.badElementCount == 1)
        }
    }

    @Test func symbolsMayComeGoAndChangePlaces() throws {
        var decoder = RecordDecoder(WazirXFormat())
        for order in [["a", "b", "c"], ["a", "b", "c"], ["a", "c"], ["c", "a", "d"], ["d"], ["d", "a", "b", "c"]] {
            let body = padded("[\(order.map { element($0) }.joined(separator: ","))]")
            let batch = try decoder.decode(body, received: receipt)
            #expect(batch.symbols == order)
            #expect(batch.badElementCount == 0)
        }
    }

    @Test(
        arguments: [
            ("1669012549", nil), ("1669012549000", 1_669_012_549_000), (#""1669012549000""#, 1_669_012_549_000),
            ("1668926150000", 1_668_926_150_000), ("1668926149999", nil), ("1669098950001", nil),
            ("1669012549000.5", nil),
            ("1.669e12", nil), ("-1", nil), ("99999999999999999999", nil), ("null", nil),
        ] as [(String, Int64?)])
    func aTimeIsMillisecondsWithinADay(at: String, expected: Int64?) throws {
        let ticker = try #require(try decode("[\(element("a", at: at))]").tickers.first)
        #expect(ticker.exchangeTime?.milliseconds == expected)
    }

    @Test(
        arguments: [
            ("", .emptyBody), (" \n", .emptyBody), ("[]", .emptyArray), (" [ ] ", .emptyArray),
            ("<html><body>403 Forbidden</body></html>", .notJSON(isHTML: true)),
            ("\r\n <!DOCTYPE html>", .notJSON(isHTML: true)), ("error code: 1020", .notJSON(isHTML: false)),
            ("null", .notJSON(isHTML: false)), (#""text""#, .notJSON(isHTML: false)),
            (
                #"{"code":2136,"message":"Too many api request"}"#,
                .exchangeError(ExchangeError(code: "2136", message: "Too many api request"))
            ),
            (
                #"{"message":"Invalid symbol.","code":-1121}"#,
                .exchangeError(ExchangeError(code: "-1121", message: "Invalid symbol."))
            ),
            (#"{"code":1}"#, .exchangeError(ExchangeError(code: "1", message: ""))),
            (#"{"status":"normal","message":"System is running normally."}"#, .unexpectedObject),
            ("{}", .unexpectedObject),
            (#"{"code":"text"}"#, .unexpectedObject), (#"{"code":1"#, .structureLost),
            (#"{"code":1}{}"#, .structureLost),
            ("[", .structureLost), ("]", .notJSON(isHTML: false)), ("[[]", .structureLost), ("[{}]]", .structureLost),
            (#"[{"symbol":"a"},]"#, .structureLost), (#"[,{"symbol":"a"}]"#, .structureLost),
            (#"[{"symbol":"a"}] 1"#, .structureLost), (#"[{"symbol":"a"},[}]"#, .structureLost),
            (#"[{"symbol":"a"}"#, .structureLost), (#"[{"symbol":"a}]"#, .structureLost),
            ("[{}]", .noUsableElement(count: 1, example: "{}: no valid symbol")),
            ("[1,2,null]", .noUsableElement(count: 3, example: "1: no valid symbol")),
        ] as [(String, DecodingFailure)])
    func aResponseThatGivesNothingSaysWhy(body: String, expected: DecodingFailure) {
        #expect(decodingFailure(body) == expected)
    }

    @Test func elementsAreLimited() throws {
        let limit = RecordDecoder<WazirXFormat>.elementLimit
        let many = (0..<limit).map { #"{"symbol":"s\#($0)"}"# }.joined(separator: ",")
        #expect(try decode("[\(many)]").tickers.count == limit)
        #expect(decodingFailure("[\(many),{}]") == .tooManyElements(limit: limit))
    }

    @Test func oneDecoderServesBodiesOfAllSizes() throws {
        var decoder = RecordDecoder(WazirXFormat())
        let filler = String(repeating: " ", count: 2 << 20)
        for body in ["[\(element("a"))]", "[\(filler)\(element("b"))]", "[\(element("c"))]"] {
            #expect(try decoder.decode(padded(body), received: receipt).tickers.count == 1)
        }
    }
}
