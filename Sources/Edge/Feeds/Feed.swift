package import EventLoop
package import Market
package import Time

/// Where tickers come from.
@LoopActor
package protocol Feed: AnyObject {
    /// What is shown as the source: `wazirx`, `simulator`.
    var name: String { get }
    /// The address that is asked, or nil when there is none.
    var url: String? { get }
    /// Whether its prices are made up; shown wherever a price is.
    var isSimulated: Bool { get }

    /// Asks once. Not to be called again before it has returned.
    func poll() async throws(FeedFailure) -> TickerBatch
}

/// Why a poll brought nothing that can be used.
package struct FeedFailure: Error, Equatable, Sendable {
    /// One word each; the raw values are what `status` shows.
    package enum Kind: String, CaseIterable, Sendable {
        case resolution
        case refused
        case unreachable
        case tls
        case timeout
        case truncated
        case tooLarge = "too_large"
        case redirect
        /// 429, or code 2136 in a body whatever the status.
        case rateLimited = "rate_limited"
        /// 418: the address is banned for a while.
        case banned
        /// 403: the web firewall, or a wrong path.
        case forbidden
        /// Any other status of 4xx.
        case rejected
        /// 5xx.
        case serverError = "server_error"
        /// HTML or other text where JSON should be.
        case notJSON = "not_json"
        case emptyResponse = "empty"
        /// JSON, but without one ticker that decodes.
        case unusable
        case settings
        case other
    }

    package var kind: Kind
    /// What happened, without a full stop.
    package var message: String
    /// What to do about it.
    package var advice: String
    /// What the server asked for; nil when it did not.
    package var retryAfter: Milliseconds?

    package init(_ kind: Kind, _ message: String, advice: String, retryAfter: Milliseconds? = nil) {
        self.kind = kind
        self.message = message
        self.advice = advice
        self.retryAfter = retryAfter
    }
}
