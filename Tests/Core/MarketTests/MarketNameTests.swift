import Market
import Testing

struct MarketNameTests {
    @Test(arguments: [
        ("btcinr", "inr", "BTC/INR"), ("1inchinr", "inr", "1INCH/INR"), ("api3usdt", "usdt", "API3/USDT"),
        ("btcinr", nil, "btcinr"), ("btcinr", "usdt", "btcinr"), ("inr", "inr", "inr"),
    ])
    func aMarketIsBaseAndQuote(symbol: String, quote: String?, name: String) throws {
        #expect(try #require(Symbol(symbol)).marketName(quotedIn: quote.flatMap { Asset($0) }) == name)
    }
}
