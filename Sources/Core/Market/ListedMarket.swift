/// A symbol that a source lists, with its base and quote assets if they are known.
package struct ListedMarket: Equatable, Sendable {
    package var symbol: Symbol
    package var base: Asset?
    package var quote: Asset?

    /// Makes a listed symbol. Omit the assets if the exchange does not name them.
    package init(symbol: Symbol, base: Asset? = nil, quote: Asset? = nil) {
        (self.symbol, self.base, self.quote) = (symbol, base, quote)
    }

    /// Makes the symbol of two assets: `btc` and `usd` make `btcusd`. Returns nil if either asset is invalid, or if
    /// they are too long together.
    package init?(base: String, quote: String) {
        guard let baseAsset = Asset(base), let quoteAsset = Asset(quote), let symbol = Symbol(base + quote) else {
            return nil
        }
        self.init(symbol: symbol, base: baseAsset, quote: quoteAsset)
    }

    /// Returns a name in lower case, without separators between assets: `BTC-USD`, `btc/usd` and `BTC_USD` become
    /// `btcusd`.
    ///
    /// - Returns: nil if nothing remains, or if any other characters than ASCII letters and digits remain.
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
