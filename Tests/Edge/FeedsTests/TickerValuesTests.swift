import Feeds
import Market
import TestSupport
import Testing

/// The values of fields are read sixteen bytes at a time; `Price` and `Symbol` say what they must be.
@Suite struct TickerValuesTests {
    @Test func aNumberOfAnyLengthWithItsPointAnywhereIsReadByItsDigits() throws {
        var random = SplitMix(seed: 7)
        for count in 1...20 {
            for point in 0...count {
                var text = (0..<count).map { _ in UInt8.random(in: 0x30...0x39, using: &random) }
                if point < count { text[point] = 0x2E }
                try expectAgreement(text)
            }
        }
    }

    @Test(arguments: [1, 2, 15, 16])
    func oneOtherByteAnywhereInANumberIsNoticed(count: Int) throws {
        for position in 0..<count {
            for byte in UInt8(0x20)..<0x7F where byte != 0x22 && byte != 0x5C {
                var text = [UInt8](repeating: 0x37, count: count)
                text[position] = byte
                try expectAgreement(text)
                if count > 2 {
                    text[(position + 1) % count] = 0x2E
                    try expectAgreement(text)
                }
            }
        }
    }

    @Test func aNameOfAnyLengthIsReadAndOneOtherByteInItIsNoticed() throws {
        for count in [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33] {
            for position in 0..<count {
                for byte in UInt8(0x20)..<0x7F where byte != 0x22 && byte != 0x5C {
                    var text = (0..<count).map { UInt8(0x61 + $0 % 26) }
                    text[position] = byte
                    try expectAgreementOfNames(String(decoding: text, as: UTF8.self))
                }
            }
        }
    }

    @Test func theTextAfterAValueIsNoPartOfIt() throws {
        let body = #"[{"symbol":"a","quoteAsset":"b","lastPrice":1,"bidPrice":"2","askPrice":"3"}]"#
        let ticker = try #require(try decode(body).tickers.first)
        #expect(ticker.symbol.description == "a")
        #expect(ticker.quote?.description == "b")
        #expect(ticker.last?.description == "1")
        #expect(ticker.bid?.description == "2")
        #expect(ticker.ask?.description == "3")
    }

    private func expectAgreement(_ text: [UInt8]) throws {
        let number = String(decoding: text, as: UTF8.self)
        let ticker = try #require(try decode(#"[{"symbol":"a","lastPrice":"\#(number)"}]"#).tickers.first)
        let expected = try? Price(number)
        #expect(ticker.last?.mantissa == expected?.mantissa, "\(number)")
        #expect(ticker.last?.scale == expected?.scale, "\(number)")
    }

    private func expectAgreementOfNames(_ name: String) throws {
        let body = #"[{"symbol":"a","baseAsset":"\#(name)"},{"symbol":"\#(name)b"}]"#
        let tickers = try decode(body).tickers
        #expect(tickers.first?.base?.description == Asset(name)?.description, "\(name)")
        #expect(tickers.dropFirst().first?.symbol.description == Symbol(name + "b")?.description, "\(name)")
    }
}
