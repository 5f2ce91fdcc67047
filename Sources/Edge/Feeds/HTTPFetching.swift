package import EventLoop
package import HTTP
internal import Market
package import Time

/// What a feed needs from an HTTP client; tests implement it without a network.
@LoopActor
package protocol HTTPFetching: AnyObject {
    /// Requests the address and waits for the complete response, whatever its status.
    ///
    /// With a time, a resource that has not changed since then is answered with status 304 or an empty body.
    func get(
        _ address: String, headers: [String: String], ifModifiedSince: WallTime?
    ) async throws(HTTPError) -> HTTPResponse
}

extension HTTPFetching {
    /// Requests the address, changed or not.
    func get(_ address: String, headers: [String: String] = [:]) async throws(HTTPError) -> HTTPResponse {
        try await get(address, headers: headers, ifModifiedSince: nil)
    }

    func get(_ address: String, ifModifiedSince: WallTime?) async throws(HTTPError) -> HTTPResponse {
        try await get(address, headers: [:], ifModifiedSince: ifModifiedSince)
    }
}

extension HTTPClient: HTTPFetching {}
