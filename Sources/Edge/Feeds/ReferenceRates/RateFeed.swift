package import EventLoop
package import ExchangeRates
internal import HTTP
internal import Market
internal import ReferenceRateFiles
internal import Time

/// A source of reference rates.
@LoopActor
package protocol RateFeed: AnyObject {
    /// The address that is requested, without its query, or nil for made-up rates.
    var url: String? { get }
    /// The unusable parts of the last file, such as a rate `N/A`: a sentence for each of the first ten, safe to show.
    var ignored: [String] { get }

    /// Fetches once. Do not call it again before it has returned.
    ///
    /// - Returns: The rates of the latest date, or nil if they have not changed since the last fetch.
    func fetch() async throws(FeedFailure) -> RateTable?
}

extension RateFeed {
    package var ignored: [String] { [] }
}

/// A feed of the European Central Bank's daily file, from its own address or from a mirror.
@LoopActor
package final class ReferenceRateFeed: RateFeed {
    package let url: String?
    package private(set) var ignored: [String] = []
    private let address: String
    private let peer: Peer
    private let client: any HTTPFetching
    private let time: any TimeSource
    /// The time of the last change of the file, according to the server.
    private var modified: WallTime?

    /// - Parameters:
    ///   - url: The address of the file, XML or CSV.
    ///   - client: The client for requests.
    ///   - time: The clock for `Retry-After`.
    package init(url: String, client: any HTTPFetching, time: any TimeSource) {
        address = url
        self.url = publicAddress(url)
        peer = Peer(ratesAt: url)
        self.client = client
        self.time = time
    }

    package func fetch() async throws(FeedFailure) -> RateTable? {
        let response: HTTPResponse
        do {
            response = try await client.get(address, ifModifiedSince: modified)
        } catch {
            throw FeedFailure(error, address: address, of: peer)
        }
        // If a server ignores the condition, libcurl drops the body.
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
        if body.starts(with: Array("PK\u{3}\u{4}".utf8)) {
            throw FeedFailure(
                .unusable, "the source of exchange rates sent a ZIP archive",
                advice: "set `url` in [rates] to a file that is not compressed, such as eurofxref-daily.xml")
        }
        var faults: [String] = []
        do {
            let rates = try RateHistory(file: body, limits: .daily) { error in
                if faults.count < 10 { faults.append(self.peer.secrets.redacted(error.fault.description)) }
            }
            ignored = faults
            return rates.latest
        } catch {
            throw FeedFailure(
                .unusable, "invalid file of exchange rates: \(peer.secrets.redacted("\(error)"))",
                advice: "if this continues, check `url` in [rates]")
        }
    }
}

extension FeedFailure {
    /// Classifies a response of the source of exchange rates with a status other than 200.
    init(rateStatus status: Int, retryAfter: Milliseconds?) {
        let kind: Kind =
            switch status {
            case 429: .rateLimited
            case 403: .forbidden
            case 300...399: .redirect
            case 400...499: .rejected
            case 500...599: .serverError
            default: .other
            }
        let advice = [.rateLimited, .serverError].contains(kind) ? nil : "check `url` in [rates]"
        self.init(
            kind, "the source of exchange rates answered with status \(status)", advice: advice,
            retryAfter: retryAfter)
    }
}
