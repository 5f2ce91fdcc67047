internal import CSimdJSON.Tickers
internal import HTTP

/// The reference for the decoder in benchmarks: simdjson's own interface reads all eleven fields of each ticker,
/// without making anything of them.
///
/// - Parameter paddedBody: a response as `HTTPResponse` holds it.
/// - Returns: the sum of the lengths of the fields; -1 when simdjson rejects the text.
package func decodeBaselineOfAllFields(of paddedBody: [UInt8]) -> Int64 {
    let parser = unsafe csimdjson_new()
    defer { unsafe csimdjson_free(parser) }
    return unsafe csimdjson_read_all_fields(parser, paddedBody, paddedBody.count - HTTPResponse.paddingCount)
}
