package import EventLoop
internal import HTTP
internal import Market
package import PriceSources
internal import Time

/// A client that requests candles from an exchange.
@LoopActor
package final class CandleFeed {
    package nonisolated let profile: CandleProfile

    private let peer: Peer
    private let base: String
    private let reader: CandleReader
    private let client: any HTTPFetching
    private let time: any TimeSource

    /// Creates a client. Nil for a source without candles.
    ///
    /// - Parameters:
    ///   - parameters: The source, and the base address of its API.
    ///   - client: Creates the HTTP client; called once.
    ///   - time: The clock for computing how long to wait until a time that a server names.
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

    /// Returns the requests that are needed for all candles of these minutes, in order of time.
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

    /// Fetches the candles of a request.
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
