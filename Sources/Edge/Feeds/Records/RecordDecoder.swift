internal import CSimdJSON.Records
internal import HTTP
internal import JSON
package import Market
package import Time

/// Turns responses into tickers, element by element, by the description of a ``RecordFormat``: a bad element does not
/// affect the others.
///
/// It keeps its memory from one response to the next; where a response has the markets of the last one in the same
/// order, a ticker costs no allocation.
@safe
package struct RecordDecoder<Format: RecordFormat>: TickerDecoding, ~Copyable {
    /// Binance has about 3,500 symbols, the most of all; at some 300 bytes a ticker this is 3 MB.
    package static var elementLimit: Int { 10_000 }
    /// Errors are some hundred bytes; what is longer is not one.
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

    /// A reader for the shape; nil when out of memory, or when a pointer is not valid.
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
        symbols.begin()
        names.begin()
        try unsafe paddedBody.withUnsafeBufferPointer { (buffer) throws(DecodingFailure) in
            let text = unsafe buffer.span
            try unsafe begin(parser, buffer.baseAddress, text, count: count, paddedBody)
            var record = Record()
            while try unsafe Self.next(parser, &record, into: &batch) {
                guard let ticker = ticker(record, of: text, received: received.wall), symbols.isNew(ticker.symbol)
                else {
                    batch.badElementCount += 1
                    continue
                }
                batch.tickers.append(ticker)
            }
        }
        guard !batch.tickers.isEmpty else { throw .noUsableElement(count: batch.badElementCount) }
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
        // A response that is one ticker is an error or another page when it has no price.
        guard shape.list != nil || record[.last].isUsable else { return nil }
        let detail = detailField.map { record[$0].range } ?? 0..<0
        let market = market(text.extracting(name.range), text.extracting(detail))
        return market.map {
            Ticker($0, record.raw.ticker, of: text, unit: shape.timeUnit, received: received)
        }
    }

    private mutating func market(_ name: Span<UInt8>, _ detail: Span<UInt8>) -> ListedMarket? {
        if case .known(let market) = names.recall(name, detail) { return market }
        let market = format.market(String(copying: name), String(copying: detail))
        names.remember(name, detail, market)
        return market
    }

    private func begin(
        _ parser: OpaquePointer, _ address: UnsafePointer<UInt8>?, _ text: Span<UInt8>, count: Int, _ body: [UInt8]
    ) throws(DecodingFailure) {
        switch unsafe Int(csimdjson_records_begin(parser, address, count)) {
        case CSIMDJSON_ARRAY: return
        case CSIMDJSON_EMPTY_ARRAY: throw exchangeError(in: body).map(DecodingFailure.exchangeError) ?? .emptyArray
        case CSIMDJSON_OBJECT: throw withoutList(body)
        case CSIMDJSON_EMPTY: throw .emptyBody
        case CSIMDJSON_NOT_JSON: throw .notJSON(isHTML: text.beginsLikeHTML)
        case CSIMDJSON_MEMORY: throw .outOfMemory
        default: throw .structureLost
        }
    }

    /// What a response without a list of tickers means.
    private func withoutList(_ body: [UInt8]) -> DecodingFailure {
        if let error = exchangeError(in: body) { return .exchangeError(error) }
        do throws(JSONError) {
            _ = try JSONDocument(Array(body.dropLast(HTTPResponse.paddingCount)), limit: Self.errorLimit)
            return .unexpectedObject
        } catch {
            return error.problem == .tooLong(limit: Self.errorLimit) ? .unexpectedObject : .structureLost
        }
    }

    /// Moves to the next element that may be a ticker, and counts the bad ones before it; false at the end.
    private static func next(
        _ parser: OpaquePointer, _ record: inout Record, into batch: inout TickerBatch
    ) throws(DecodingFailure) -> Bool {
        while true {
            let result = unsafe Int(csimdjson_records_next(parser, &record.raw))
            if result == CSIMDJSON_NEXT_END { return false }
            guard batch.tickers.count + batch.badElementCount < elementLimit else {
                throw .tooManyElements(limit: elementLimit)
            }
            if result == CSIMDJSON_NEXT_GOOD { return true }
            guard result == CSIMDJSON_NEXT_BAD else { throw .structureLost }
            batch.badElementCount += 1
        }
    }
}

extension Span<UInt8> {
    /// Whether the first character that is not white space is `<`.
    var beginsLikeHTML: Bool {
        for index in indices where self[index] > 0x20 { return self[index] == 0x3C }
        return false
    }
}
