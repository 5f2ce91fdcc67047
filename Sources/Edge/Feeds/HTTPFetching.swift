package import EventLoop
package import HTTP
internal import Market
package import Time

/// The HTTP client of a feed. Tests implement it without a network.
@LoopActor
package protocol HTTPFetching: AnyObject {
    /// Requests the address and waits for the complete response, whatever its status.
    ///
    /// If a time is given and the resource has not changed since then, the response has status 304 or an empty body.
    func get(
        _ address: String, headers: [String: String], ifModifiedSince: WallTime?
    ) async throws(HTTPError) -> HTTPResponse
}

extension HTTPFetching {
    /// Requests the address unconditionally.
    func get(_ address: String, headers: [String: String] = [:]) async throws(HTTPError) -> HTTPResponse {
        try await get(address, headers: headers, ifModifiedSince: nil)
    }

    func get(_ address: String, ifModifiedSince: WallTime?) async throws(HTTPError) -> HTTPResponse {
        try await get(address, headers: [:], ifModifiedSince: ifModifiedSince)
    }
}

extension HTTPClient: HTTPFetching {}
