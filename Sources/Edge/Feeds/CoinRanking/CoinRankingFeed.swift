package import EventLoop
internal import HTTP
package import Market
package import PriceSources
internal import Time

/// The largest coins of CoinRanking, page by page.
///
/// When the service does not accept its key, it is not asked again until there is another one.
@LoopActor
package final class CoinRankingFeed: Feed {
    /// The most coins that a page has without a paid plan.
    package nonisolated static let pageSize = 100

    package let source = PriceSource.coinranking
    package let url: String?

    private let count: Int
    private let key: @LoopActor () throws(FeedFailure) -> String?
    private let client: any HTTPFetching
    private let time: any TimeSource
    private var decoder = RecordDecoder(CoinRankingFormat())
    /// A key that was not accepted, and how; the key is nil when there was none.
    private var refused: (key: String?, failure: FeedFailure)?

    /// - Parameters:
    ///   - url: where its interface begins.
    ///   - count: how many coins to ask for.
    ///   - key: the key for the header `x-access-token`, read before each poll; nil when there is none.
    ///   - client: makes the requests.
    ///   - time: the clock that gives the time of receipt.
    package init(
        url: String, count: Int, key: @escaping @LoopActor () throws(FeedFailure) -> String?,
        client: any HTTPFetching, time: any TimeSource
    ) {
        (self.url, self.count, self.key, self.client, self.time) = (url, count, key, client, time)
    }

    package func poll() async throws(FeedFailure) -> TickerBatch {
        let key = try key()
        if let refused {
            guard refused.key != key else { throw refused.failure }
            self.refused = nil
        }
        var batch = try await page(from: 0, key: key)
        var known = Set(batch.tickers.map(\.symbol))
        var offset = Self.pageSize
        while offset < count {
            let next: TickerBatch
            do {
                next = try await page(from: offset, key: key)
            } catch {
                // There are no more coins.
                guard error.kind == .emptyResponse else { throw error }
                break
            }
            // A coin may move to the next page in between.
            batch.tickers += next.tickers.filter { known.insert($0.symbol).inserted }
            batch.badElementCount += next.badElementCount
            batch.received = next.received
            offset += Self.pageSize
        }
        return batch
    }

    private func page(from offset: Int, key: String?) async throws(FeedFailure) -> TickerBatch {
        let limit = min(Self.pageSize, count - offset)
        let address = "\(url ?? "")\(source.profile.tickersPath)&limit=\(limit)&offset=\(offset)"
        let response: HTTPResponse
        do {
            response = try await client.get(address, headers: key.map { ["x-access-token": $0] } ?? [:])
        } catch {
            throw FeedFailure(error, address: address)
        }
        do {
            return try decoder.batch(of: response, from: source, received: time.now())
        } catch {
            throw error.kind == .unauthorized || error.kind == .forbidden ? refuse(key, error) : error
        }
    }

    private func refuse(_ key: String?, _ failure: FeedFailure) -> FeedFailure {
        let what = key == nil ? "wants a key" : "does not accept the key"
        let own = FeedFailure(
            .unauthorized, "CoinRanking \(what): \(failure.message)",
            advice: "get a key at developers.coinranking.com, store it as the credential, and restart the service"
        )
        refused = (key, own)
        return own
    }
}
