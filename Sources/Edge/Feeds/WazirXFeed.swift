package import EventLoop
internal import HTTP
package import Market
internal import Time

/// The exchange WazirX: all tickers with one request.
@LoopActor
package final class WazirXFeed: Feed {
    package let name = "wazirx"
    package let url: String?
    package let isSimulated = false

    private let address: String
    private let client: any HTTPFetching
    private let time: any TimeSource
    private var decoder = TickerDecoder()

    /// Makes a feed of the exchange behind the given address.
    ///
    /// - Parameters:
    ///   - url: where the interface begins, such as `https://api.wazirx.com/sapi/v1`; a slash at its end does no harm.
    ///   - client: makes the requests.
    ///   - time: says when an answer has come.
    package init(url: String, client: any HTTPFetching, time: any TimeSource) {
        var base = Substring(url)
        while base.hasSuffix("/") { base.removeLast() }
        self.url = url
        address = base + "/tickers/24hr"
        self.client = client
        self.time = time
    }

    package func poll() async throws(FeedFailure) -> TickerBatch {
        let response: HTTPResponse
        do {
            response = try await client.get(address)
        } catch {
            throw FeedFailure(error, address: address)
        }
        let received = time.now()
        guard response.status == 200 else { throw failure(of: response, received: received.wall) }
        do {
            return try decoder.decode(response.paddedBody, received: received)
        } catch {
            throw FeedFailure(error, retryAfter: retryAfter(response.headers["retry-after"], now: received.wall))
        }
    }

    private func failure(of response: HTTPResponse, received: WallTime) -> FeedFailure {
        FeedFailure(
            status: response.status, exchangeError: decoder.exchangeError(in: response.paddedBody),
            retryAfter: retryAfter(response.headers["retry-after"], now: received))
    }
}
