/// A market as a source lists it: the symbol that is shown and used in rules, and its two assets where they are known.
package struct ListedMarket: Equatable, Sendable {
    package var symbol: Symbol
    /// nil where the exchange does not name it.
    package var base: Asset?
    /// nil where the exchange does not name it.
    package var quote: Asset?

    /// Base and quote are nil where the exchange does not name them.
    package init(symbol: Symbol, base: Asset? = nil, quote: Asset? = nil) {
        (self.symbol, self.base, self.quote) = (symbol, base, quote)
    }

    /// The market of two assets: `btc` and `usd` make `btcusd`; nil when they are not assets, or too long together.
    package init?(base: String, quote: String) {
        guard let baseAsset = Asset(base), let quoteAsset = Asset(quote), let symbol = Symbol(base + quote) else {
            return nil
        }
        self.init(symbol: symbol, base: baseAsset, quote: quoteAsset)
    }

    /// A name in lower case without what exchanges put between assets: `BTC-USD`, `btc/usd` and `BTC_USD` are `btcusd`.
    ///
    /// - Returns: nil when other characters than letters and digits of ASCII remain, or none.
    package static func plain(_ name: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
            case _ where isLowercaseOrDigit(byte): bytes.append(byte)
            case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "."): continue
            default: return nil
            }
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
