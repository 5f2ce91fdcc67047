package import EventLoop
internal import HTTP
package import Market
package import PriceSources
internal import Time

/// An exchange that gives all its tickers in one response.
@LoopActor
package final class ExchangeFeed<Decoder: TickerDecoding & ~Copyable>: Feed {
    package let source: PriceSource
    /// The address without a query; nil for a feed that asks no server.
    package let url: String?

    private let address: String
    private let client: any HTTPFetching
    private let time: any TimeSource
    private var decoder: Decoder

    /// - Parameters:
    ///   - source: which exchange.
    ///   - url: where its interface begins, such as `https://api.wazirx.com/sapi/v1`; slashes at the end are ignored.
    ///   - decoder: reads its responses.
    ///   - client: makes the requests.
    ///   - time: the clock that gives the time of receipt.
    package init(
        _ source: PriceSource, url: String, decoder: consuming Decoder, client: any HTTPFetching, time: any TimeSource
    ) {
        var base = Substring(url)
        while base.hasSuffix("/") { base.removeLast() }
        self.source = source
        self.url = url
        address = base + source.profile.tickersPath
        self.decoder = decoder
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
        let retryAfter = retryAfter(response.headers["retry-after"], now: received.wall)
        guard response.status == 200 else {
            let error = decoder.exchangeError(in: response.paddedBody)
            throw failure(status: response.status, error, retryAfter: retryAfter, received: received.wall)
        }
        do {
            return try decoder.decode(response.paddedBody, received: received)
        } catch .exchangeError(let error) {
            throw failure(status: 200, error, retryAfter: retryAfter, received: received.wall)
        } catch {
            throw FeedFailure(error, retryAfter: retryAfter)
        }
    }

    /// The header says when to come back, or else the error itself.
    private func failure(
        status: Int, _ error: ExchangeError?, retryAfter: Milliseconds?, received: WallTime
    ) -> FeedFailure {
        let until = error?.until.map { max(.zero, $0.since(received)) }
        let reported = error.map {
            ReportedError(error: $0, meaning: source.profile.meaning(ofError: $0.code))
        }
        return FeedFailure(status: status, error: reported, retryAfter: retryAfter ?? until)
    }
}

/// An error in the body of a response, with what the exchange's profile says that it means.
struct ReportedError {
    var error: ExchangeError
    var meaning: SourceProfile.ErrorMeaning
}
