internal import HTTP
internal import JSON
package import Market
package import PriceSources
internal import Time

/// A reader of the candles in responses. It reads each element on its own: a bad one does not affect the others.
package struct CandleReader: Sendable {
    /// The result of reading a response.
    package struct Result: Equatable, Sendable {
        /// The candles, ordered by time. Each minute occurs once, and none is outside the request.
        package var candles: [Candle] = []
        /// The number of elements that are not candles of a minute.
        package var badCount = 0
    }

    /// The maximum size of a response in bytes. Kraken sends 720 candles of about 80 bytes, WazirX 2,000 of 60,
    /// Binance 1,000 of 160.
    package static let bodyLimit = 1 << 20
    /// The maximum number of elements: two and a half times as many as the longest response of any source has.
    package static let elementLimit = 5_000

    private let format: CandleFormat

    /// Creates a reader. Nil for a source without candles.
    package init?(_ source: PriceSource) {
        guard let format = CandleFormat(source) else { return nil }
        self.format = format
    }

    /// Returns the part of the address that follows the base address of the API.
    func path(of request: CandleRequest) -> String { format.path(request) }

    /// Reads the body of a response with status 200.
    ///
    /// An empty list is not an error, because nothing may have been traded. Candles of minutes that were not
    /// requested, and further candles of the same minute, are left out and are not errors either.
    ///
    /// - Throws: ``DecodingFailure``. Then nothing in the response may be used.
    package func read(_ paddedBody: [UInt8], _ request: CandleRequest) throws(DecodingFailure) -> Result {
        let body = Array(paddedBody.dropLast(HTTPResponse.paddingCount))
        guard let first = body.first(where: { $0 > 0x20 }) else { throw .emptyBody }
        guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else {
            throw .notJSON(isHTML: first == UInt8(ascii: "<"))
        }
        guard let document = try? JSONDocument(body, limit: Self.bodyLimit) else { throw .structureLost }
        if let error = format.error(document.root) { throw .exchangeError(error) }
        guard let list = format.list(document.root), let rows = try? list.array(of: Row.self) else {
            throw .unexpectedObject
        }
        guard rows.count <= Self.elementLimit else { throw .tooManyElements(limit: Self.elementLimit) }
        var result = Result()
        var seen: Set<WallTime> = []
        for row in rows {
            guard let candle = candle(row) else {
                result.badCount += 1
                continue
            }
            let isAsked = candle.start >= request.minutes.lowerBound && candle.end <= request.minutes.upperBound
            if isAsked, seen.insert(candle.start).inserted { result.candles.append(candle) }
        }
        guard result.badCount < max(1, rows.count) else { throw .noUsableElement(count: rows.count) }
        result.candles.sort { $0.start < $1.start }
        return result
    }

    /// Returns the exchange's own error in a body, or nil if there is none.
    package func error(in paddedBody: [UInt8]) -> ExchangeError? {
        let body = Array(paddedBody.dropLast(HTTPResponse.paddingCount))
        return (try? JSONDocument(body, limit: Self.bodyLimit)).flatMap { format.error($0.root) }
    }

    /// The texts of the values of an element; empty if it is not an array.
    private struct Row: JSONReadable {
        var texts: [String] = []

        init(json: JSONValue) throws(JSONError) {
            texts = ((try? json.array(of: Text.self)) ?? []).map(\.text)
        }
    }

    /// A number or a string, as written; empty for any other value.
    private struct Text: JSONReadable {
        var text: String

        init(json: JSONValue) throws(JSONError) {
            text = (try? json.numberText()) ?? (try? json.string()) ?? ""
        }
    }

    /// Returns the candle of a row, or nil unless it is a whole minute with plausible prices.
    private func candle(_ row: Row) -> Candle? {
        guard row.texts.count > format.volume, let time = Int64(row.texts[0]), time >= 0 else { return nil }
        let (start, overflow) = time.multipliedReportingOverflow(by: format.timeUnit)
        guard !overflow, start % Candle.length.count == 0, start < WallTime.latest.milliseconds else { return nil }
        let prices = (1...4).compactMap { try? Price(row.texts[$0]) }
        guard prices.count == 4, let volume = try? Price(row.texts[format.volume]), volume >= .zero else { return nil }
        let (high, low) = (prices[1], prices[2])
        guard low.isPositive, low <= high else { return nil }
        return Candle(
            start: WallTime(milliseconds: start), open: prices[0], high: high, low: low, close: prices[3],
            volume: volume)
    }
}
