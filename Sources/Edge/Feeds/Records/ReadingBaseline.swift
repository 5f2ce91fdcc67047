internal import CSimdJSON.Records
internal import HTTP

/// Reads every string and finds every number with simdjson's own interface, without interpreting them. This is the
/// reference for decoders in benchmarks.
///
/// - Parameter paddedBody: The body with its padding, as in `HTTPResponse`.
/// - Returns: The sum of the lengths of the values, or -1 if simdjson rejects the text.
package func readingBaseline(of paddedBody: [UInt8]) -> Int64 {
    unsafe csimdjson_read_everything(paddedBody, paddedBody.count - HTTPResponse.paddingCount)
}
