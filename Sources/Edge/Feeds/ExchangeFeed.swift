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
    private let sharedLimit: SourceProfile.SharedLimit?
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
        let path = source.profile.tickersPath
        while !path.isEmpty, base.hasSuffix("/") { base.removeLast() }
        self.source = source
        self.url = String(url.prefix { $0 != "?" })
        address = base + path
        self.decoder = decoder
        self.client = client
        self.time = time
        sharedLimit = source.profile.sharedLimit
    }

    package func poll() async throws(FeedFailure) -> TickerBatch {
        let response: HTTPResponse
        do {
            response = try await client.get(address)
        } catch {
            throw FeedFailure(error, address: address, of: Peer(source))
        }
        var batch = try decoder.batch(of: response, from: source, received: time.now())
        if let sharedLimit, let used = response.headers[sharedLimit.header].flatMap({ Int($0) }) {
            batch.pause = sharedLimit.pause(after: used, at: batch.received.wall)
        }
        return batch
    }
}

extension TickerDecoding where Self: ~Copyable {
    /// The tickers of a response, whatever its status.
    ///
    /// - Throws: what the status or an error in the body means for this source.
    mutating func batch(
        of response: HTTPResponse, from source: PriceSource, received: Instant
    ) throws(FeedFailure) -> TickerBatch {
        guard response.status == 200 else {
            throw FeedFailure(response, exchangeError(in: response.paddedBody), from: source, received: received.wall)
        }
        do {
            return try decode(response.paddedBody, received: received)
        } catch {
            throw FeedFailure(response, error, from: source, received: received.wall)
        }
    }

    /// What another status than 200, or an error in the body, means for this source; nil for a response without either.
    mutating func failure(
        of response: HTTPResponse, from source: PriceSource, received: WallTime
    ) -> FeedFailure? {
        let error = exchangeError(in: response.paddedBody)
        guard response.status != 200 || error != nil else { return nil }
        return FeedFailure(response, error, from: source, received: received)
    }
}

extension FeedFailure {
    /// What it means that the body of a response cannot be used.
    init(
        _ response: HTTPResponse, _ failure: DecodingFailure, of element: String = "ticker", from source: PriceSource,
        received: WallTime
    ) {
        if case .exchangeError(let error) = failure {
            self.init(response, error, from: source, received: received)
        } else {
            let wait = HTTP.retryAfter(response.headers["retry-after"], now: received)
            self.init(failure, of: element, retryAfter: wait, from: Peer(source))
        }
    }

    /// What a response with another status than 200, or with an error in its body, means.
    init(_ response: HTTPResponse, _ error: ExchangeError?, from source: PriceSource, received: WallTime) {
        let until = error?.until.map { max(.zero, $0.since(received)) }
        let reported = error.map { ReportedError(error: $0, meaning: source.profile.meaning(ofError: $0.code)) }
        let asked = HTTP.retryAfter(response.headers["retry-after"], now: received)
        self.init(status: response.status, error: reported, retryAfter: asked ?? until, of: Peer(source))
    }
}

/// An error in the body of a response, with what the exchange's profile says that it means.
struct ReportedError {
    var error: ExchangeError
    var meaning: SourceProfile.ErrorMeaning
}
