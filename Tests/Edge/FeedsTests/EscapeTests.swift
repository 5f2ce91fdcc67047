import Feeds
import Market
import PriceSources
import TestSupport
import Testing
import Time

private func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }

/// An escape in JSON is the character, in values and in names of members.
@Suite struct EscapeTests {
    private static let pairs = #"""
        [{"pair":"BTC\/EUR","last":"70000.5"},{"pair":"\u0045TH-EUR","last":"2500"},{"pair":"SOL-EUR","last":"150"}]
        """#

    private func format(items: String, symbol: String, last: String, quote: String) throws -> JSONFormat {
        var layout = JSONLayout(last: try pointer(last))
        layout.items = items.isEmpty ? .root : try pointer(items)
        layout.symbol = .place(try pointer(symbol))
        layout.quote = .fixed(quote)
        return JSONFormat(layout)
    }

    @Test func symbolsMayBeEscaped() throws {
        var layout = JSONLayout(last: try pointer("/last"))
        layout.items = .root
        layout.symbol = .place(try pointer("/pair"))
        layout.quote = .fixed("eur")
        let batch = try decode(Self.pairs, as: JSONFormat(layout))
        #expect(batch.symbols == ["btceur", "etheur", "soleur"])
        #expect(batch.tickers.map { $0.last?.description } == ["70000.5", "2500", "150"])
        #expect(batch.badElementCount == 0 && batch.badExample == nil)
    }

    @Test func namesOfMembersMayBeEscaped() throws {
        let format = try format(items: "/d\u{e9}j\u{e0}/a~1b", symbol: "/s", last: "/\u{1F600}/p", quote: "eur")
        let body = #"""
            {"x\"":"\\","d\u00E9j\u00e0" : {"a\/b":[
            {"\u0073":"btc","\ud83d\uDE00":{"\u0070":"1\u002e5"}}, {"s":"et\u0068"}]}}
            """#
        let batch = try decode(body, as: format)
        #expect(batch.symbols == ["btceur", "etheur"])
        #expect(batch.tickers.map { $0.last?.description } == ["1.5", nil])
    }

    @Test func krakenMayEscapeSlashes() throws {
        let body = #"{"error":[],"result":{"BTC\/USD":{"c":["7","1"]},"\u0058XBTZEUR":{"\u0063":["8"]}}}"#
        let batch = try decode(body, as: KrakenFormat())
        #expect(batch.symbols == ["btcusd", "btceur"])
        #expect(batch.tickers.map { $0.last?.description } == ["7", "8"])
    }

    @Test func coinsMayBeEscaped() throws {
        let body = #"""
            {"status":"success","d\u0061ta":{"coins":[
            {"uuid":"\u0061","symbol":"\u0042TC","price":"64\u0030"},{"uuid":"b","symb\u006fl":"ETH","price":"3"}]}}
            """#
        let batch = try decode(body, as: CoinRankingFormat())
        #expect(batch.symbols == ["btcusd", "ethusd"])
        #expect(batch.tickers.map { $0.last?.description } == ["640", "3"])
    }

    @Test func wazirXMayEscape() throws {
        let body = #"""
            [{"symbol":"\u0062tcinr","baseAsset":"btc","quoteAsset":"inr","lastPrice":"7\u0030"},
            {"symb\u006fl":"ethinr","\u0062aseAsset":"eth","quoteAsset":"inr","lastPrice":"5","x":"\/"}]
            """#
        let batch = try decode(body)
        #expect(batch.symbols == ["btcinr", "ethinr"])
        #expect(batch.tickers.map { $0.last?.description } == ["70", "5"])
    }

    /// An escape that is malformed, or half of a pair, spoils its element only.
    @Test(arguments: [#"\q"#, #"\u12g4"#, #"\ud83d"#, #"\ude00\ud83d"#, #"\u0000"#, #"\""#, #"\\"#, #"\n"#])
    func whatIsNoCharacterOfASymbolMakesTheElementBad(escape: String) throws {
        let format = try format(items: "", symbol: "/s", last: "/p", quote: "eur")
        let body = #"[{"s":"a","p":1},{"s":"b\#(escape)","p":1},{"s":"c","p":1}]"#
        let batch = try decode(body, as: format)
        #expect(batch.symbols == ["aeur", "ceur"] && batch.badElementCount == 1)
    }

    /// Whatever is in it, a document with escapes has the tickers of the same document without them.
    @Test func wherePlacesOfEscapesAreDrawnTheTickersAreTheSame() throws {
        var random = SplitMix(seed: 7)
        let plain = element("btcinr", last: "70")
        for _ in 0..<300 {
            var escaped = ""
            var isInString = false
            for character in plain.unicodeScalars {
                if character == "\"" { isInString.toggle() }
                let isEscaped = isInString && character != "\"" && Bool.random(using: &random)
                let digits = String(character.value, radix: 16, uppercase: Bool.random(using: &random))
                escaped += isEscaped ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits : "\(character)"
            }
            #expect(try decode("[\(escaped)]").tickers == decode("[\(plain)]").tickers)
        }
    }
}

/// What is not a ticker is counted, and the first one is an example with the reason.
@Suite struct BadElementTests {
    @Test(arguments: [
        (#"{"symbol":"a b"}"#, #"{"symbol":"a b"}: no valid symbol"#), ("7", "7: no valid symbol"),
        (#"{"symbol":"a","x":01}"#, #"{"symbol":"a","x":01}: not well-formed"#),
        (element("one"), "one appears twice"), ("{\"symbol\":\n \"\u{202E}\u{85}\"}", #"\u{202e}"#),
    ])
    func anExampleSaysWhy(bad: String, expected: String) throws {
        let batch = try decode("[\(element("one")),\(bad),8,\(element("two"))]")
        #expect(batch.badElementCount == 2)
        #expect(batch.badExample?.contains(expected) == true, "\(batch.badExample ?? "")")
        #expect(batch.badExample?.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E } == true)
    }

    @Test func anExampleIsShort() throws {
        let long = #"{"symbol":"\#(String(repeating: "\u{20AC}", count: 5_000))"}"#
        let example = try #require(try decode("[\(element("one")),\(long)]").badExample)
        #expect(example.count < 100)
    }
}
