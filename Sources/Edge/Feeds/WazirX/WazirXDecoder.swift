internal import CSimdJSON.Tickers
internal import HTTP
package import Market
package import Time

/// Turns a response of `tickers/24hr` into tickers, element by element: a bad one does not affect the others.
///
/// Most tickers are those of the response before but for their time, so it keeps that one and compares their texts:
/// what is equal is not read again. It keeps its memory as well, and a ticker costs no allocation.
@safe
package struct WazirXDecoder: TickerDecoding, ~Copyable {
    /// The exchange has had 122 to 459 symbols.
    package static let elementLimit = TickerBatch.symbolLimit
    private let owner: ParserOwner?
    private var symbols = SymbolOrder()
    /// The last response, if all its elements became tickers.
    private var former: (paddedBody: [UInt8], tickers: [Ticker], number: UInt64)?
    /// The tickers of the response before that one, and where the last one's differ by more than their times. By now,
    /// nobody else has them: they are changed in place, instead of a copy of the last ones.
    private var spare: (tickers: [Ticker], differences: [Int])?
    /// The number of the last response; another decoder begins somewhere else.
    private var number = UInt64.random(in: .min ... .max)

    package init() {
        owner = unsafe ParserOwner(csimdjson_new(), free: { unsafe csimdjson_free($0) })
    }

    /// Reads a body as ``HTTPResponse`` holds it.
    ///
    /// Not an error: a field that is missing, of another type, or not an exact price; it is nil. Counted as bad: an
    /// element that is not a well-formed object, has no valid symbol, or repeats one.
    ///
    /// - Parameters:
    ///   - paddedBody: the body and ``HTTPResponse/paddingCount`` zero bytes.
    ///   - received: when its last byte arrived.
    /// - Returns: at least one ticker, in the order of the elements.
    /// - Throws: ``DecodingFailure``, and then nothing of the response may be used.
    package mutating func decode(
        _ paddedBody: [UInt8], received: Instant
    ) throws(DecodingFailure) -> TickerBatch {
        let count = paddedBody.count - HTTPResponse.paddingCount
        guard count > 0 else { throw .emptyBody }
        guard let parser = unsafe owner?.pointer else { throw .outOfMemory }
        symbols.begin()
        let former = self.former.take()
        // Those of the former response, of which the first `goodCount` have been replaced.
        var tickers = former.map { copy(of: $0.tickers) } ?? []
        tickers.reserveCapacity(symbols.count)
        var (goodCount, badCount) = (0, 0)
        var differences: [Int] = []
        try unsafe Self.withBuffers(paddedBody, former?.paddedBody) { (buffer, formerBuffer) throws(DecodingFailure) in
            let text = unsafe buffer.span
            try unsafe Self.begin(parser, buffer, count: count, after: formerBuffer)
            var element = csimdjson_ticker()
            var values = csimdjson_values()
            while let isRepeated = try unsafe Self.next(parser, &element, &values, after: goodCount, &badCount) {
                guard isRepeated else {
                    guard let ticker = Ticker(element, values, of: text, received: received.wall),
                        symbols.isNew(ticker.symbol)
                    else {
                        badCount += 1
                        continue
                    }
                    if goodCount < tickers.count { tickers[goodCount] = ticker } else { tickers.append(ticker) }
                    differences.append(goodCount)
                    goodCount += 1
                    continue
                }
                let time = plausibleTime(values.at, element.at, of: text, received: received.wall)
                // A response has two or three different times.
                let passedCount = unsafe csimdjson_pass_repeated(parser)
                for _ in 0...passedCount {
                    let place = goodCount + badCount
                    if place != goodCount { tickers[goodCount] = tickers[place] }
                    tickers[goodCount].exchangeTime = time
                    // It has the place of its symbol in the former response.
                    guard symbols.isNew(tickers[goodCount].symbol, at: place) else {
                        badCount += 1
                        continue
                    }
                    if place != goodCount { differences.append(goodCount) }
                    goodCount += 1
                }
            }
        }
        guard goodCount > 0 else { throw .noUsableElement(count: badCount) }
        symbols.end()
        tickers.removeLast(tickers.count - goodCount)
        number &+= 1
        if badCount == 0 {
            self.former = (paddedBody, tickers, number)
            if let former, former.tickers.count == goodCount { spare = (former.tickers, differences) }
        }
        let origin = TickerBatch.Origin(number: number, former: former?.number, differences: differences)
        return TickerBatch(tickers: tickers, badElementCount: badCount, received: received, origin: origin)
    }

    /// The tickers of the last response, to be changed.
    private mutating func copy(of tickers: [Ticker]) -> [Ticker] {
        guard var copy = spare.take(), copy.tickers.count == tickers.count else { return tickers }
        for place in copy.differences { copy.tickers[place] = tickers[place] }
        return copy.tickers
    }

    package mutating func exchangeError(in paddedBody: [UInt8]) -> ExchangeError? {
        do {
            _ = try decode(
                paddedBody, received: Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 0)))
        } catch .exchangeError(let error) {
            return error
        } catch {
            return nil
        }
        return nil
    }

    private static func withBuffers(
        _ body: [UInt8], _ former: [UInt8]?,
        _ read: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>?) throws(DecodingFailure) -> Void
    ) throws(DecodingFailure) {
        try unsafe body.withUnsafeBufferPointer { (buffer) throws(DecodingFailure) in
            guard let former else { return try unsafe read(buffer, nil) }
            try unsafe former.withUnsafeBufferPointer { (formerBuffer) throws(DecodingFailure) in
                try unsafe read(buffer, formerBuffer)
            }
        }
    }

    private static func begin(
        _ parser: OpaquePointer, _ buffer: UnsafeBufferPointer<UInt8>, count: Int,
        after former: UnsafeBufferPointer<UInt8>?
    ) throws(DecodingFailure) {
        let text = unsafe buffer.span
        switch unsafe Int(csimdjson_begin(parser, buffer.baseAddress, count, former?.baseAddress)) {
        case CSIMDJSON_ARRAY: return
        case CSIMDJSON_EMPTY_ARRAY: throw .emptyArray
        case CSIMDJSON_OBJECT: throw unsafe errorObject(parser, text)
        case CSIMDJSON_EMPTY: throw .emptyBody
        case CSIMDJSON_NOT_JSON: throw .notJSON(isHTML: beginsLikeHTML(text))
        case CSIMDJSON_MEMORY: throw .outOfMemory
        default: throw .structureLost
        }
    }

    private static func beginsLikeHTML(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] > 0x20 {
            return text[index] == 0x3C
        }
        return false
    }

    private static func errorObject(_ parser: OpaquePointer, _ text: Span<UInt8>) -> DecodingFailure {
        var code = csimdjson_slice()
        var message = csimdjson_slice()
        guard unsafe csimdjson_error(parser, &code, &message) != 0 else { return .structureLost }
        guard code.isNumber, let number = Int64(reading: text.extracting(code.range)) else {
            return .unexpectedObject
        }
        return .exchangeError(
            ExchangeError(code: String(number), message: String(copying: text.extracting(message.range))))
    }

    /// Moves to the next element that may be a ticker, and counts the bad ones before it.
    ///
    /// - Returns: whether it is the former response's element of the same number but for its time; nil at the end.
    private static func next(
        _ parser: OpaquePointer, _ element: inout csimdjson_ticker, _ values: inout csimdjson_values,
        after goodCount: Int, _ badCount: inout Int
    ) throws(DecodingFailure) -> Bool? {
        while true {
            let result = unsafe Int(csimdjson_next(parser, &element, &values))
            if result == CSIMDJSON_NEXT_END { return nil }
            guard goodCount + badCount < elementLimit else { throw .tooManyElements(limit: elementLimit) }
            if result == CSIMDJSON_NEXT_REPEATED { return true }
            if result == CSIMDJSON_NEXT_GOOD { return false }
            guard result == CSIMDJSON_NEXT_BAD else { throw .structureLost }
            badCount += 1
        }
    }
}
