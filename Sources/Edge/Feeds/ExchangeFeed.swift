package import EventLoop
internal import HTTP
package import Market
package import PriceSources
internal import Time

/// A feed of an exchange that returns all its tickers in one response.
@LoopActor
package final class ExchangeFeed<Decoder: TickerDecoding & ~Copyable>: Feed {
    package let source: PriceSource
    /// The address without a query.
    package let url: String?

    private let address: String
    private let peer: Peer
    private let client: any HTTPFetching
    private let time: any TimeSource
    private let sharedLimit: SourceProfile.SharedLimit?
    private var decoder: Decoder

    /// - Parameters:
    ///   - parameters: The exchange, and the base address of its API, such as `https://api.wazirx.com/sapi/v1`.
    ///     Slashes at its end are ignored.
    ///   - decoder: The decoder of its responses.
    ///   - client: The client for requests.
    ///   - time: The clock for the time of receipt.
    package init(
        _ parameters: FeedParameters, decoder: consuming Decoder, client: any HTTPFetching, time: any TimeSource
    ) {
        source = parameters.source
        peer = Peer(parameters)
        var base = Substring(parameters.url)
        let path = source.profile.tickersPath
        while !path.isEmpty, base.hasSuffix("/") { base.removeLast() }
        url = publicAddress(parameters.url)
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
            throw FeedFailure(error, address: address, of: peer)
        }
        var batch = try decoder.batch(of: response, from: peer, received: time.now())
        if let sharedLimit, let used = response.headers[sharedLimit.header].flatMap({ Int($0) }) {
            batch.pause = sharedLimit.pause(after: used, at: batch.received.wall)
        }
        return batch
    }
}

extension TickerDecoding where Self: ~Copyable {
    /// Decodes the tickers of a response.
    ///
    /// - Throws: ``FeedFailure`` for a status other than 200, for an error in the body, or if the body cannot be
    ///   decoded.
    mutating func batch(
        of response: HTTPResponse, from peer: Peer, received: Instant
    ) throws(FeedFailure) -> TickerBatch {
        guard response.status == 200 else {
            throw FeedFailure(response, exchangeError(in: response.paddedBody), from: peer, received: received.wall)
        }
        do {
            var batch = try decode(response.paddedBody, received: received)
            batch.badExample = batch.badExample.map(peer.secrets.redacted)
            return batch
        } catch {
            throw FeedFailure(response, error, from: peer, received: received.wall)
        }
    }

    /// Classifies an error response: a status other than 200, or an error in the body. Returns nil for any other
    /// response.
    mutating func failure(
        of response: HTTPResponse, from peer: Peer, received: WallTime
    ) -> FeedFailure? {
        let error = exchangeError(in: response.paddedBody)
        guard response.status != 200 || error != nil else { return nil }
        return FeedFailure(response, error, from: peer, received: received)
    }
}

extension FeedFailure {
    /// Classifies a response whose body cannot be used.
    init(
        _ response: HTTPResponse, _ failure: DecodingFailure, of element: String = "ticker", from peer: Peer,
        received: WallTime
    ) {
        if case .exchangeError(let error) = failure {
            self.init(response, error, from: peer, received: received)
        } else {
            let wait = HTTP.retryAfter(response.headers["retry-after"], now: received)
            self.init(failure, of: element, retryAfter: wait, from: peer)
        }
    }

    /// Classifies an error response: a status other than 200, or an error in the body.
    init(_ response: HTTPResponse, _ error: ExchangeError?, from peer: Peer, received: WallTime) {
        let until = error?.until.map { max(.zero, $0.since(received)) }
        let reported = error.map { ReportedError(error: $0, meaning: peer.meaning(ofError: $0.code)) }
        let asked = HTTP.retryAfter(response.headers["retry-after"], now: received)
        self.init(status: response.status, error: reported, retryAfter: asked ?? until, of: peer)
    }
}

/// An error in the body of a response, and its meaning according to the profile of the exchange.
struct ReportedError {
    var error: ExchangeError
    var meaning: SourceProfile.ErrorMeaning
}
