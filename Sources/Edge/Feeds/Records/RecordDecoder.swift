internal import CSimdJSON.Records
internal import HTTP
internal import JSON
package import Market
package import Time

/// A decoder that turns responses into tickers, as described by a ``RecordFormat``. It decodes each element on its
/// own: a bad one does not affect the others.
///
/// The decoder keeps its memory from one response to the next. If a response has the markets of the last one in the
/// same order, a ticker costs no allocation.
@safe
package struct RecordDecoder<Format: RecordFormat>: TickerDecoding, ~Copyable {
    /// The maximum number of elements. Binance has about 3,500 symbols, the most of all. At about 300 bytes each,
    /// 10,000 tickers take 3 MB.
    package static var elementLimit: Int { 10_000 }
    /// The maximum size of an error in bytes. Errors are a few hundred bytes long, so a larger body is not an error.
    private static var errorLimit: Int { 1 << 20 }

    private let owner: ParserOwner?
    private(set) var format: Format
    private let shape: RecordShape
    private let detailField: RecordShape.Field?
    private var names = MarketNames()
    private var symbols = SymbolOrder()

    package init(_ format: Format) {
        self.format = format
        shape = format.shape
        detailField = format.detailField
        owner = Self.makeParser(format.shape)
    }

    /// Creates a parser for the shape. Returns nil if memory runs out, or if a JSON pointer is invalid.
    private static func makeParser(_ shape: RecordShape) -> ParserOwner? {
        let owner = unsafe ParserOwner(csimdjson_records_new(), free: { unsafe csimdjson_records_free($0) })
        guard let parser = unsafe owner?.pointer else { return nil }
        var isGood = true
        if let list = shape.list {
            isGood = unsafe csimdjson_records_set_list(parser, list, list.utf8.count, shape.isNamedByKey ? 1 : 0) != 0
        }
        for (field, pointer) in shape.fields {
            isGood =
                unsafe isGood && csimdjson_records_add_field(parser, field.rawValue, pointer, pointer.utf8.count) != 0
        }
        return isGood ? owner : nil
    }

    package mutating func decode(_ paddedBody: [UInt8], received: Instant) throws(DecodingFailure) -> TickerBatch {
        let count = paddedBody.count - HTTPResponse.paddingCount
        guard count > 0 else { throw .emptyBody }
        guard let parser = unsafe owner?.pointer else { throw .outOfMemory }
        var batch = TickerBatch(tickers: [], received: received)
        batch.tickers.reserveCapacity(symbols.count)
        var bad = BadElements()
        symbols.begin()
        names.begin()
        // The parser replaces escapes in its copy.
        var copy = paddedBody
        try unsafe copy.withUnsafeMutableBufferPointer { (buffer) throws(DecodingFailure) in
            try unsafe begin(parser, buffer.baseAddress, count: count, paddedBody)
            var record = Record()
            while let isGood = try unsafe Self.next(parser, &record, after: batch.tickers.count + bad.count) {
                let text = unsafe UnsafeBufferPointer(buffer).span
                let ticker = isGood ? ticker(record, of: text, received: received.wall) : nil
                if let ticker, symbols.isNew(ticker.symbol) {
                    batch.tickers.append(ticker)
                    continue
                }
                let flaw = isGood ? flaw(of: record, ticker) : .malformed
                unsafe bad.add(flaw, csimdjson_records_element(parser), of: text)
            }
        }
        guard !batch.tickers.isEmpty else { throw .noUsableElement(count: bad.count, example: bad.example) }
        (batch.badElementCount, batch.badExample) = (bad.count, bad.example)
        symbols.end()
        return batch
    }

    package func exchangeError(in paddedBody: [UInt8]) -> ExchangeError? {
        let body = Array(paddedBody.dropLast(HTTPResponse.paddingCount))
        guard let document = try? JSONDocument(body, limit: Self.errorLimit) else { return nil }
        return format.error(in: document.root)
    }

    private mutating func ticker(_ record: Record, of text: Span<UInt8>, received: WallTime) -> Ticker? {
        let name = shape.isNamedByKey ? record.raw.key : record[.symbol]
        let hasName = name.isString || (name.isNumber && shape.takesNumbersAsSymbols)
        guard hasName || !(shape.isNamedByKey || shape.fields[.symbol] != nil) else { return nil }
        guard !lacksPrice(record) else { return nil }
        let detail = detailField.map { record[$0].range } ?? 0..<0
        let market = market(text.extracting(name.range), text.extracting(detail))
        return market.map {
            Ticker($0, record.raw.ticker, of: text, unit: shape.timeUnit, received: received)
        }
    }

    /// Returns true for a response that should be one ticker but has no price: an error, or another page.
    private func lacksPrice(_ record: Record) -> Bool { shape.list == nil && !record[.last].isUsable }

    /// Returns the reason why a well-formed record is not a ticker of its own.
    private func flaw(of record: Record, _ ticker: Ticker?) -> BadElements.Flaw {
        if let ticker { return .repeated(ticker.symbol) }
        return lacksPrice(record) ? .noPrice : .noSymbol
    }

    private mutating func market(_ name: Span<UInt8>, _ detail: Span<UInt8>) -> ListedMarket? {
        if case .known(let market) = names.recall(name, detail) { return market }
        let market = format.market(String(copying: name), String(copying: detail))
        names.remember(name, detail, market)
        return market
    }

    private func begin(
        _ parser: OpaquePointer, _ address: UnsafeMutablePointer<UInt8>?, count: Int, _ body: [UInt8]
    ) throws(DecodingFailure) {
        switch unsafe Int(csimdjson_records_begin(parser, address, count)) {
        case CSIMDJSON_ARRAY: return
        case CSIMDJSON_EMPTY_ARRAY: throw exchangeError(in: body).map(DecodingFailure.exchangeError) ?? .emptyArray
        case CSIMDJSON_OBJECT: throw withoutList(body)
        case CSIMDJSON_EMPTY: throw .emptyBody
        case CSIMDJSON_NOT_JSON: throw .notJSON(isHTML: body.span.beginsLikeHTML)
        case CSIMDJSON_MEMORY: throw .outOfMemory
        default: throw .structureLost
        }
    }

    /// Classifies a response without a list of tickers.
    private func withoutList(_ body: [UInt8]) -> DecodingFailure {
        if let error = exchangeError(in: body) { return .exchangeError(error) }
        do throws(JSONError) {
            _ = try JSONDocument(Array(body.dropLast(HTTPResponse.paddingCount)), limit: Self.errorLimit)
            return .unexpectedObject
        } catch {
            return error.problem == .tooLong(limit: Self.errorLimit) ? .unexpectedObject : .structureLost
        }
    }

    /// Moves to the next element. Returns true if it is well-formed, false if it is not, or nil at the end.
    private static func next(
        _ parser: OpaquePointer, _ record: inout Record, after count: Int
    ) throws(DecodingFailure) -> Bool? {
        let result = unsafe Int(csimdjson_records_next(parser, &record.raw))
        if result == CSIMDJSON_NEXT_END { return nil }
        guard count < elementLimit else { throw .tooManyElements(limit: elementLimit) }
        guard result == CSIMDJSON_NEXT_GOOD || result == CSIMDJSON_NEXT_BAD else { throw .structureLost }
        return result == CSIMDJSON_NEXT_GOOD
    }
}

extension Span<UInt8> {
    /// True if the first character that is not white space is `<`.
    var beginsLikeHTML: Bool {
        for index in indices where self[index] > 0x20 { return self[index] == 0x3C }
        return false
    }
}
