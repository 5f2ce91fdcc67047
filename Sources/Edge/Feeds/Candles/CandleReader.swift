internal import HTTP
internal import JSON
package import Market
package import PriceSources
internal import Time

/// Reads candles of responses, element by element: a bad one does not affect the others.
package struct CandleReader: Sendable {
    /// What a response gave.
    package struct Result: Equatable, Sendable {
        /// Each minute once, in the order of their times, none outside the request.
        package var candles: [Candle] = []
        /// Elements that are no candle of a minute.
        package var badCount = 0
    }

    /// Kraken sends 720 candles of some 80 bytes, WazirX 2,000 of 60, Binance 1,000 of 160.
    package static let bodyLimit = 1 << 20
    /// Two and a half times the longest response of any source.
    package static let elementLimit = 5_000

    private let format: CandleFormat

    /// Nil for a source without candles.
    package init?(_ source: PriceSource) {
        guard let format = CandleFormat(source) else { return nil }
        self.format = format
    }

    /// What comes after the address of the source's interface.
    func path(of request: CandleRequest) -> String { format.path(request) }

    /// Reads the body of a response with status 200.
    ///
    /// Not an error: an empty list, as nothing may have been traded; candles of other minutes than those asked for, and
    /// further ones of the same minute, which are left out.
    ///
    /// - Throws: ``DecodingFailure``, and then nothing of the response may be used.
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

    /// The exchange's own error in a body; nil when there is none.
    package func error(in paddedBody: [UInt8]) -> ExchangeError? {
        let body = Array(paddedBody.dropLast(HTTPResponse.paddingCount))
        return (try? JSONDocument(body, limit: Self.bodyLimit)).flatMap { format.error($0.root) }
    }

    /// An element of the list: the texts of its values; empty when it is not an array.
    private struct Row: JSONReadable {
        var texts: [String] = []

        init(json: JSONValue) throws(JSONError) {
            texts = ((try? json.array(of: Text.self)) ?? []).map(\.text)
        }
    }

    /// A number or a string, as it is written; empty for any other value.
    private struct Text: JSONReadable {
        var text: String

        init(json: JSONValue) throws(JSONError) {
            text = (try? json.numberText()) ?? (try? json.string()) ?? ""
        }
    }

    /// Nil unless it is a whole minute, with prices that make sense.
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
