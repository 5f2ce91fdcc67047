import EventLoop
import Feeds
import HTTP
import PriceSources
import TestSupport
import Time

/// Answers instead of the network.
@LoopActor
final class AnsweringClient: HTTPFetching {
    private let result: Result<HTTPResponse, HTTPError>
    private(set) var addresses: [String] = []

    init(_ result: Result<HTTPResponse, HTTPError>) {
        self.result = result
    }

    func get(
        _ address: String, headers: [String: String], ifModifiedSince: WallTime?
    ) async throws(HTTPError) -> HTTPResponse {
        addresses.append(address)
        return try result.get()
    }
}

/// How a poll of the source fails on this answer; nil when it does not.
func failure(
    of source: PriceSource, status: Int, _ body: String, headers: [String: String?] = [:]
) async throws -> FeedFailure? {
    let response = HTTPResponse(
        status: status, headers: headers.compactMapValues(\.self), paddedBody: padded(body))
    return try await onLoop { () -> FeedFailure? in
        let client = AnsweringClient(.success(response))
        let parameters = FeedParameters(source, url: "https://example.org")
        let feed = makeFeed(parameters, client: { client }, time: FixedTime())
        do {
            _ = try await feed.poll()
            return nil
        } catch let failure as FeedFailure {
            return failure
        }
    }
}
