package import EventLoop
package import ExchangeRates
internal import HTTP
internal import Market
internal import ReferenceRateFiles
internal import Time

/// Where reference rates come from.
@LoopActor
package protocol RateFeed: AnyObject {
    /// The address that is requested; nil for made-up rates.
    var url: String? { get }
    /// What the last file had that cannot be used, such as a rate `N/A`: a sentence for each currency, safe to show.
    var ignored: [String] { get }

    /// Fetches once. Do not call it again before it has returned.
    ///
    /// - Returns: the rates of the latest date; nil when they have not changed since the last fetch.
    func fetch() async throws(FeedFailure) -> RateTable?
}

extension RateFeed {
    package var ignored: [String] { [] }
}

/// The daily file of the European Central Bank, from its own address or from a mirror.
@LoopActor
package final class ReferenceRateFeed: RateFeed {
    /// The address of the file of rates.
    package var url: String? { address }
    package private(set) var ignored: [String] = []
    private let address: String
    private let client: any HTTPFetching
    private let time: any TimeSource
    /// When the server last changed the file, according to the server.
    private var modified: WallTime?

    /// - Parameters:
    ///   - url: the address of the file, XML or CSV.
    ///   - client: makes the requests.
    ///   - time: the clock against which `Retry-After` is read.
    package init(url: String, client: any HTTPFetching, time: any TimeSource) {
        address = url
        self.client = client
        self.time = time
    }

    package func fetch() async throws(FeedFailure) -> RateTable? {
        let response: HTTPResponse
        do {
            response = try await client.get(address, ifModifiedSince: modified)
        } catch {
            throw FeedFailure(error, address: address, of: .rateSource)
        }
        // For a server that ignores the condition, libcurl itself drops the body.
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
                if faults.count < 10 { faults.append(error.fault.description) }
            }
            ignored = faults
            return rates.latest
        } catch {
            throw FeedFailure(
                .unusable, "invalid file of exchange rates: \(error)",
                advice: "if this continues, check `url` in [rates]")
        }
    }
}

extension FeedFailure {
    /// What a response of the source of exchange rates with another status than 200 means.
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
        let advice = [.rateLimited, .serverError].contains(kind) ? nil : "check `url` in [rates]"
        self.init(
            kind, "the source of exchange rates answered with status \(status)", advice: advice,
            retryAfter: retryAfter)
    }
}
