import Market
import TestSupport
import Testing

struct NameTests {
    private static let longest = String(repeating: "z", count: 32)

    @Test(arguments: ["a", "0", "btcinr", "1inchinr", "api3usdt", "12345678", "123456789", longest])
    func symbolsAndAssetsKeepTheirText(text: String) throws {
        #expect(try #require(Symbol(text)).description == text)
        #expect(try #require(Asset(text)).description == text)
        #expect(try #require(Asset(text)).currency == Currency(text))
        #expect(try #require(Asset(text)).currency.description == text.uppercased())
    }

    @Test(arguments: [
        "", "BTC", "btc inr", "btc-inr", "btc/inr", "btç", "ｂ", "btc\0", "\0", "btc\n", longest + "z", "`", "{", "/",
        ":", "_",
        "\u{7F}", String(repeating: "a", count: 10_000),
    ])
    func otherTextsAreNoSymbolsAndNoAssets(text: String) {
        #expect(Symbol(text) == nil)
        #expect(Asset(text) == nil)
    }

    @Test(arguments: [
        ("inr", "INR"), ("INR", "INR"), ("uSdT", "USDT"), ("1inch", "1INCH"), (longest, longest.uppercased()),
    ])
    func currencyIsReadInEitherCase(text: String, shown: String) throws {
        let currency = try #require(Currency(text))
        #expect(currency.description == shown)
        #expect(currency == Currency(shown))
    }

    @Test(arguments: ["", " INR", "I R", "₹", "İNR", "INR\0", "@", "[", longest + "Z"])
    func otherTextsAreNoCurrencies(text: String) {
        #expect(Currency(text) == nil)
    }

    @Test func eachByteAtEachPlaceCountsAndWhatFollowsDoesNot() {
        for count in [1, 7, 8, 9, 16, 17, 24, 25, 32, 33] {
            for place in Set([0, count / 2, count - 1]) {
                for byte in UInt8.min...UInt8.max {
                    var bytes = Array(repeating: UInt8(ascii: "k"), count: count)
                    bytes[place] = byte
                    let isValid = count <= 32 && (byte &- 0x61 < 26 || byte &- 0x30 < 10)
                    let longer = [0x21] + bytes + Array(repeating: 0xFF, count: 32)
                    let symbol = Symbol(longer.span, in: 1..<1 + count)
                    #expect(symbol.map { Array($0.description.utf8) } == (isValid ? bytes : nil))
                }
            }
        }
    }

    @Test func bytesThatAreNoTextAreNoSymbol() {
        for byte in UInt8.min...UInt8.max {
            let isValid = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
            #expect((Symbol([0x61, byte].span, in: 0..<2) != nil) == isValid)
        }
    }

    @Test func orderIsThatOfTheTexts() throws {
        var random = SplitMix(seed: 5)
        var texts = ["a", "aa", "ab", "b", "z", "0", "9", "a0", Self.longest, String(Self.longest.dropLast())]
        for _ in 0..<300 {
            let count = Int.random(in: 1...32, using: &random)
            texts.append(String((0..<count).map { _ in "ab09z".randomElement(using: &random) ?? "a" }))
        }
        let symbols = try texts.map { try #require(Symbol($0)) }.sorted()
        #expect(symbols.map(\.description) == texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(Set(symbols).count == Set(texts).count)
        let currencies = try texts.map { try #require(Currency($0)) }.sorted()
        let upper = texts.map { $0.uppercased() }
        #expect(currencies.map(\.description) == upper.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test(arguments: 1...32)
    func shortTextKeepsEveryLength(count: Int) throws {
        let bytes = (0..<count).map { UInt8(0x21 + $0) }
        let text = try #require(ShortText(bytes.span) { _ in true })
        #expect(text.bytes == bytes)
        #expect(text.description.utf8.elementsEqual(bytes))
    }

    @Test func shortTextHasLimits() {
        #expect(ShortText([UInt8](repeating: 0x61, count: 33).span) { _ in true } == nil)
        #expect(ShortText([UInt8]().span) { _ in true } == nil)
        #expect(ShortText([0].span) { _ in true } == nil)
        #expect(ShortText([0x80].span) { _ in true } == nil)
        #expect(ShortText([0x61, 0x62].span) { $0 == 0x61 } == nil)
    }
}
