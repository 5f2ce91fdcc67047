internal import CSimdJSON.Records
internal import HTTP

/// The reference for decoders in benchmarks: simdjson's own interface reads every string and finds every number,
/// without making anything of them.
///
/// - Parameter paddedBody: a response as `HTTPResponse` holds it.
/// - Returns: the sum of the lengths of the values; -1 when simdjson rejects the text.
package func readingBaseline(of paddedBody: [UInt8]) -> Int64 {
    unsafe csimdjson_read_everything(paddedBody, paddedBody.count - HTTPResponse.paddingCount)
}
