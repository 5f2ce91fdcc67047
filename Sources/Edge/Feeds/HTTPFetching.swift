package import EventLoop
package import HTTP
internal import Market
package import Time

/// What a feed needs of an HTTP client, so that tests can stand in for the network.
@LoopActor
package protocol HTTPFetching: AnyObject {
    /// Gets the address and waits for the complete answer, whatever its status.
    ///
    /// With a time, only what has changed since then is wanted: else the status is 304, or the body is empty.
    func get(_ address: String, ifModifiedSince: WallTime?) async throws(HTTPError) -> HTTPResponse
}

extension HTTPFetching {
    /// Gets the address, changed or not.
    func get(_ address: String) async throws(HTTPError) -> HTTPResponse {
        try await get(address, ifModifiedSince: nil)
    }
}

extension HTTPClient: HTTPFetching {}
