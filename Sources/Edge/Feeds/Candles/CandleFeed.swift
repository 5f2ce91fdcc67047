package import EventLoop
internal import HTTP
internal import Market
package import PriceSources
internal import Time

/// Asks an exchange for candles.
@LoopActor
package final class CandleFeed {
    package nonisolated let profile: CandleProfile

    private let peer: Peer
    private let base: String
    private let reader: CandleReader
    private let client: any HTTPFetching
    private let time: any TimeSource

    /// Nil for a source without candles.
    ///
    /// - Parameters:
    ///   - parameters: which source, and where its interface begins.
    ///   - client: makes the requests; called once.
    ///   - time: gives the present, for what a server says of a time to wait.
    package init?(_ parameters: FeedParameters, client: () -> any HTTPFetching, time: any TimeSource) {
        guard let profile = parameters.source.profile.candles, let reader = CandleReader(parameters.source) else {
            return nil
        }
        (peer, self.profile, self.reader, self.time) = (Peer(parameters), profile, reader, time)
        var base = Substring(parameters.url)
        while base.hasSuffix("/") { base.removeLast() }
        self.base = String(base)
        self.client = client()
    }

    /// The requests that all candles of these minutes take, in the order of their times.
    package nonisolated func requests(_ whole: CandleRequest) -> [CandleRequest] {
        guard !profile.isNewestOnly else { return [whole] }
        let length = Int64(profile.limit) * Candle.length.count
        let (start, end) = (whole.minutes.lowerBound.milliseconds, whole.minutes.upperBound.milliseconds)
        return stride(from: start, to: end, by: Int(length)).map { first in
            var request = whole
            request.minutes =
                WallTime(milliseconds: first)..<WallTime(milliseconds: min(first + length, end))
            return request
        }
    }

    /// The candles of a request.
    ///
    /// - Throws: ``FeedFailure``.
    package func candles(_ request: CandleRequest) async throws(FeedFailure) -> CandleReader.Result {
        let address = base + reader.path(of: request)
        let response: HTTPResponse
        do {
            response = try await client.get(address)
        } catch {
            throw FeedFailure(error, address: address, of: peer)
        }
        return try read(response, request)
    }

    private func read(
        _ response: HTTPResponse, _ request: CandleRequest
    ) throws(FeedFailure) -> CandleReader.Result {
        let now = time.now().wall
        guard response.status == 200 else {
            throw FeedFailure(response, reader.error(in: response.paddedBody), from: peer, received: now)
        }
        do {
            return try reader.read(response.paddedBody, request)
        } catch {
            throw FeedFailure(response, error, of: "candle", from: peer, received: now)
        }
    }
}
