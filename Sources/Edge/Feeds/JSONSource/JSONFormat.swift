package import JSON
package import Market
package import PriceSources

/// The format of responses whose layout is defined in the settings.
///
/// The symbol of a market is its name in lower case, without separators: `BTC-USD` is `btcusd`. If the quote asset is
/// known and the name does not end with it, the name is the base asset: `bitcoin` in `usd` is `bitcoinusd`.
package struct JSONFormat: RecordFormat {
    package let shape: RecordShape
    package let detailField: RecordShape.Field?
    private let layout: JSONLayout

    package init(_ layout: JSONLayout) {
        self.layout = layout
        let places: [RecordShape.Field: JSONPointer?] = [
            .last: layout.last, .bid: layout.bid, .ask: layout.ask, .volume: layout.volume, .time: layout.time,
            .symbol: layout.symbol?.pointer, .quote: layout.quote?.pointer,
        ]
        var shape = RecordShape(
            list: layout.items?.text, fields: places.compactMapValues { $0?.text },
            isNamedByKey: layout.items != nil && layout.symbol == nil, timeUnit: .any)
        shape.takesNumbersAsSymbols = true
        self.shape = shape
        detailField = layout.quote?.pointer == nil ? nil : .quote
    }

    package func market(_ name: String, _ detail: String) -> ListedMarket? {
        let symbol = if case .fixed(let text) = layout.symbol { text } else { name }
        let quote = if case .fixed(let text) = layout.quote { text } else { detail }
        guard let symbol = ListedMarket.plain(symbol) else { return nil }
        guard let quote = ListedMarket.plain(quote) else { return Symbol(symbol).map { ListedMarket(symbol: $0) } }
        let isPair = symbol.hasSuffix(quote) && symbol != quote
        return ListedMarket(base: isPair ? String(symbol.dropLast(quote.count)) : symbol, quote: quote)
    }

    /// Reads an error in the usual form of services: a text `message`, `msg` or `error`, with or without a `code`.
    package func error(in root: JSONValue) -> ExchangeError? {
        guard var object = try? root.object() else { return nil }
        guard let message = object.text("message") ?? object.text("msg") ?? object.text("error") else { return nil }
        return ExchangeError(code: object.text("code") ?? "", message: message)
    }
}
