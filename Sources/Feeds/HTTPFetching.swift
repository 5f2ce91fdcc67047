package import EventLoop
package import HTTP

/// What a feed needs of an HTTP client, so that tests can stand in for the network.
@LoopActor
package protocol HTTPFetching: AnyObject {
    /// Gets the address and waits for the complete answer, whatever its status.
    func get(_ address: String) async throws(HTTPError) -> HTTPResponse
}

extension HTTPClient: HTTPFetching {}
