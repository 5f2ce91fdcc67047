package import EventLoop
package import ExchangeRates
internal import HTTP
internal import Market
internal import ReferenceRateFiles
internal import Time

/// Where reference rates come from.
@LoopActor
package protocol RateFeed: AnyObject {
    /// The address that is asked.
    var url: String { get }

    /// Asks once. Not to be called again before it has returned.
    ///
    /// - Returns: the rates of the last date, or nil when they are those that this feed gave before.
    func fetch() async throws(FeedFailure) -> RateTable?
}

/// The daily file of the European Central Bank, at its own address or at a mirror's.
@LoopActor
package final class ReferenceRateFeed: RateFeed {
    package let url: String
    private let client: any HTTPFetching
    private let time: any TimeSource
    /// When the server last changed what it gave, as it says itself.
    private var modified: WallTime?

    /// Makes a feed of the file at the given address.
    ///
    /// - Parameters:
    ///   - url: where the file lies; XML or CSV.
    ///   - client: makes the requests.
    ///   - time: says when an answer has come.
    package init(url: String, client: any HTTPFetching, time: any TimeSource) {
        self.url = url
        self.client = client
        self.time = time
    }

    package func fetch() async throws(FeedFailure) -> RateTable? {
        let response: HTTPResponse
        do {
            response = try await client.get(url, ifModifiedSince: modified)
        } catch {
            throw FeedFailure(error, address: url, of: .rateSource)
        }
        // Where the server does not know the question, libcurl leaves the body away by itself.
        if modified != nil, response.status == 304 || (response.status == 200 && response.bodyCount == 0) { return nil }
        guard response.status == 200 else {
            throw FeedFailure(
                rateStatus: response.status,
                retryAfter: retryAfter(response.headers["retry-after"], now: time.now().wall))
        }
        let rates = try rates(in: Array(response.paddedBody.prefix(response.bodyCount)))
        modified = response.headers["last-modified"].flatMap(httpDate)
        return rates
    }

    private func rates(in body: [UInt8]) throws(FeedFailure) -> RateTable {
        do {
            return try RateHistory(file: body, limits: .daily).latest
        } catch {
            throw FeedFailure(
                .unusable, "the file of exchange rates is refused: \(error)",
                advice: "the rates of before stay; if it goes on, check `url` in [rates]")
        }
    }
}

extension FeedFailure {
    /// What an answer of the source of rates with another status than 200 means.
    fileprivate init(rateStatus status: Int, retryAfter: Milliseconds?) {
        let kind: Kind =
            switch status {
            case 429: .rateLimited
            case 403: .forbidden
            case 300...399: .redirect
            case 400...499: .rejected
            case 500...599: .serverError
            default: .other
            }
        let advice =
            [.rateLimited, .serverError].contains(kind)
            ? "nothing to do here: it is asked again, later each time" : "check `url` in [rates]"
        self.init(
            kind, "the source of exchange rates answers with status \(status)", advice: advice, retryAfter: retryAfter)
    }
}
