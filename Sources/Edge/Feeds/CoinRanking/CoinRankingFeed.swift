package import EventLoop
internal import HTTP
package import Market
package import PriceSources
internal import Time

/// A feed of the largest coins of CoinRanking, page by page, and of the past prices of a coin.
///
/// If the service does not accept the key, no more requests are made until the key changes or ``forgetRefusal()`` is
/// called.
@LoopActor
package final class CoinRankingFeed: Feed {
    /// The maximum number of coins on a page without a paid plan.
    package nonisolated static let pageSize = 100

    package let source = PriceSource.coinranking
    package let url: String?

    private let parameters: FeedParameters
    private let peer: Peer
    private let client: any HTTPFetching
    private let time: any TimeSource
    private var decoder = RecordDecoder(CoinRankingFormat())
    /// True if the earlier names of coins have been read.
    private var hasNames = false
    /// The key that was not accepted, with the failure. The key is nil if the service refused a request without one.
    private var refused: (key: String?, failure: FeedFailure)?

    /// - Parameters:
    ///   - parameters: The base address of the API, the number of coins, the earlier names of coins, and the key for
    ///     the header `x-access-token`, which is read again for each poll and each request for past prices.
    ///   - client: The client for requests.
    ///   - time: The clock for the time of receipt.
    package init(_ parameters: FeedParameters, client: any HTTPFetching, time: any TimeSource) {
        url = publicAddress(parameters.url)
        peer = Peer(parameters)
        (self.parameters, self.client, self.time) = (parameters, client, time)
    }

    package func poll() async throws(FeedFailure) -> TickerBatch {
        if !hasNames || decoder.format.isFull {
            decoder = RecordDecoder(CoinRankingFormat(parameters.coinNames()))
            hasNames = true
        }
        let key = try usableKey()
        var batch = try await page(from: 0, key: key)
        var known = Set(batch.tickers.map(\.symbol))
        var offset = Self.pageSize
        while offset < parameters.count {
            let next: TickerBatch
            do {
                next = try await page(from: offset, key: key)
            } catch {
                // There are no more coins.
                guard error.kind == .emptyResponse else { throw error }
                break
            }
            // A coin may move to the next page between two requests.
            let new = next.tickers.filter { known.insert($0.symbol).inserted }
            let names = Set(new.lazy.map(\.symbol))
            batch.tickers += new
            batch.coins += next.coins.filter { names.contains($0.symbol) }
            batch.badElementCount += next.badElementCount
            batch.badExample = batch.badExample ?? next.badExample
            batch.received = next.received
            guard batch.tickers.count <= TickerBatch.symbolLimit else {
                throw FeedFailure(
                    DecodingFailure.tooManyElements(limit: TickerBatch.symbolLimit), retryAfter: nil, from: peer)
            }
            offset += Self.pageSize
        }
        return batch
    }

    package func history(of identity: String, over period: PricePeriod) async throws(FeedFailure) -> CoinHistory {
        guard CoinRankingFormat.isIdentity(identity) else {
            throw FeedFailure(.unusable, "CoinRanking's identifier of the coin cannot be part of an address")
        }
        let path = "/coin/\(identity)/history?referenceCurrencyUuid=\(Self.dollar)&timePeriod=\(period.rawValue)"
        let response = try await response(to: path, key: try usableKey())
        let now = time.now().wall
        guard
            let history = CoinReader.history(in: response.paddedBody, of: identity, over: period, at: now)
        else { throw FeedFailure(.unusable, "CoinRanking sent no past prices of the coin") }
        return history
    }

    package func forgetRefusal() {
        refused = nil
    }

    /// The id of US dollars, the currency of all prices.
    private static let dollar = "yhjMzLPhuIDl"

    /// Returns the key for the next request, or nil if there is none.
    ///
    /// - Throws: The earlier failure if this key was not accepted, or ``FeedFailure`` if the key cannot be read.
    private func usableKey() throws(FeedFailure) -> String? {
        let key = try parameters.key()
        if let refused {
            guard refused.key != key else { throw refused.failure }
            self.refused = nil
        }
        return key
    }

    private func page(from offset: Int, key: String?) async throws(FeedFailure) -> TickerBatch {
        let limit = min(Self.pageSize, parameters.count - offset)
        let path = "\(source.profile.tickersPath)&limit=\(limit)&offset=\(offset)"
        let response = try await response(to: path, key: key)
        var peer = peer
        peer.secrets = SecretFragments(secrets: key.map { [$0] } ?? [], queries: [parameters.url])
        var batch = try decoder.batch(of: response, from: peer, received: time.now())
        batch.coins = CoinReader.coins(in: response.paddedBody) { decoder.format.market(of: $0) }
        return batch
    }

    /// Returns the complete response with status 200.
    private func response(to path: String, key: String?) async throws(FeedFailure) -> HTTPResponse {
        let address = parameters.url + path
        let response: HTTPResponse
        do {
            response = try await client.get(address, headers: key.map { ["x-access-token": $0] } ?? [:])
        } catch {
            throw FeedFailure(error, address: address, of: peer)
        }
        if var failure = decoder.failure(of: response, from: peer, received: time.now().wall) {
            failure.hide(key)
            throw failure.kind == .unauthorized || failure.kind == .forbidden ? refuse(key, failure) : failure
        }
        return response
    }

    private func refuse(_ key: String?, _ failure: FeedFailure) -> FeedFailure {
        let what = key == nil ? "requires a key" : "does not accept the key"
        let answer = failure.message.firstIndex(of: "(").map { " " + failure.message[$0...] } ?? ""
        var own = FeedFailure(
            .unauthorized, "CoinRanking \(what)\(answer)",
            advice: "get a key at developers.coinranking.com and store it as the credential; polling resumes after a "
                + "restart or reload, or when the credential changes"
        )
        own.isFinal = true
        refused = (key, own)
        return own
    }
}
