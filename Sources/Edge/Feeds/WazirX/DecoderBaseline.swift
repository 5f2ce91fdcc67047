internal import CSimdJSON.Tickers
internal import HTTP

/// What the decoder is measured against: simdjson's own interface reading all eleven fields of each ticker, and nothing
/// made of them.
///
/// - Parameter paddedBody: a response as `HTTPResponse` holds it.
/// - Returns: the sum of the fields' lengths, or -1 when simdjson refuses the text.
package func decodeBaselineOfAllFields(of paddedBody: [UInt8]) -> Int64 {
    let parser = unsafe csimdjson_new()
    defer { unsafe csimdjson_free(parser) }
    return unsafe csimdjson_read_all_fields(parser, paddedBody, paddedBody.count - HTTPResponse.paddingCount)
}
