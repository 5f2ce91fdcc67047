package import EventLoop
internal import HTTP
package import ReferenceRateFiles
internal import Text
package import Time

/// The feed of the file with the reference rates of all dates.
@LoopActor
package final class RateHistoryFeed {
    /// The limits of the file. The whole history of the European Central Bank has 9 MB, and grows by a third of a
    /// megabyte each year.
    package static let limits = RateFileLimits()
    /// The timeout of the whole request: 9 MB in a minute are 1.2 Mbit/s.
    package static let totalLimit = Milliseconds.seconds(60)

    package let address: String
    private let client: any HTTPFetching
    private let time: any TimeSource

    /// - Parameters:
    ///   - address: the address of the file, XML or CSV.
    ///   - client: makes the requests, within the limits of size and time.
    ///   - time: the clock against which `Retry-After` is read.
    package init(_ address: String, client: any HTTPFetching, time: any TimeSource) {
        (self.address, self.client, self.time) = (address, client, time)
    }

    /// Fetches the file once.
    ///
    /// - Returns: the bytes of the file, not validated.
    package func fetch() async throws(FeedFailure) -> ArraySlice<UInt8> {
        let response: HTTPResponse
        do {
            response = try await client.get(address)
        } catch {
            throw FeedFailure(error, address: address, of: Peer(ratesAt: address)).ofHistory
        }
        guard response.status == 200 else {
            throw FeedFailure(
                rateStatus: response.status,
                retryAfter: retryAfter(response.headers["retry-after"], now: time.now().wall)
            ).ofHistory
        }
        let body = response.paddedBody.prefix(max(0, response.bodyCount))
        if body.starts(with: Array("PK\u{3}\u{4}".utf8)) {
            throw FeedFailure(
                .unusable, "the source of exchange rates sent a ZIP archive",
                advice: "set `history_url` in [rates] to a file that is not compressed, such as eurofxref-hist.xml")
        }
        return body
    }
}

extension FeedFailure {
    /// The failure with advice about `history_url` instead of `url`.
    fileprivate var ofHistory: FeedFailure {
        var failure = self
        failure.advice = advice?.replacingAll("`url`", with: "`history_url`")
        return failure
    }
}
