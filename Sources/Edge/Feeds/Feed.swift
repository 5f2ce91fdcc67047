package import EventLoop
package import Market
package import PriceSources
internal import Text
package import Time

/// A source of tickers.
@LoopActor
package protocol Feed: AnyObject {
    /// What kind of source it is; several feeds may be of the same kind.
    var source: PriceSource { get }
    /// The address that is polled; nil for a source that makes no requests.
    var url: String? { get }

    /// Polls once. Do not call it again before it has returned.
    func poll() async throws(FeedFailure) -> TickerBatch

    /// Requests the past prices of a coin; not every source has them.
    ///
    /// - Parameters:
    ///   - identity: the source's own identifier of the coin.
    ///   - period: how far back.
    /// - Returns: at least one price.
    /// - Throws: ``FeedFailure``.
    func history(of identity: String, over period: PricePeriod) async throws(FeedFailure) -> CoinHistory

    /// Uses a key again that was not accepted: the settings were loaded again.
    func forgetRefusal()
}

extension Feed {
    package func history(of identity: String, over period: PricePeriod) async throws(FeedFailure) -> CoinHistory {
        throw FeedFailure(.unusable, "\(name) has no past prices of coins")
    }

    package func forgetRefusal() {}

    /// What is shown as the source: `wazirx`, `simulator`.
    package var name: String { source.rawValue }
    /// Whether its prices are made up; wherever a price is shown, this is shown as well.
    package var isSimulated: Bool { source.profile.isSimulated }
}

/// Why a poll, or a request for reference rates, gave nothing usable.
package struct FeedFailure: Error, Equatable, Sendable {
    /// The raw values are what `status` shows.
    package enum Kind: String, CaseIterable, Sendable {
        case resolution
        case refused
        case unreachable
        case tls
        case timeout
        case truncated
        case tooLarge = "too_large"
        case redirect
        /// Status 429, or an error code with that meaning.
        case rateLimited = "rate_limited"
        /// Status 418, or an error code with that meaning: the address is banned for a while.
        case banned
        /// Status 403: the web firewall, or a wrong path.
        case forbidden
        /// Status 401, or an error code with that meaning: a key is missing or not accepted.
        case unauthorized
        /// Any other status of 4xx, or an error code in a body.
        case rejected
        /// Status 5xx.
        case serverError = "server_error"
        /// HTML or other text where JSON should be.
        case notJSON = "not_json"
        case emptyResponse = "empty"
        /// JSON, but without a single ticker that decodes.
        case unusable
        case settings
        case other
    }

    /// What went wrong. A ban or a refusal by the firewall makes the next request wait for at least ``shortestBan``.
    package var kind: Kind
    /// What happened, without a full stop.
    package var message: String
    /// What to do about it; nil when waiting for the next request is all there is to do.
    package var advice: String?
    /// Whether no request is made again until somebody has done what ``advice`` says.
    package var isFinal = false
    /// What the server asked for, at most ``longestWait`` or ``longestBan``; nil when it did not ask.
    package private(set) var retryAfter: Milliseconds?

    /// The longest wait that a server can ask for, except with a ban: a mistaken or hostile number must not stop
    /// polling for days.
    package static let longestWait = Milliseconds.seconds(3_600)
    /// The longest ban that exchanges document.
    package static let longestBan = Milliseconds.seconds(3 * 86_400)

    /// `retryAfter` is what the server asked for; nil leaves the pause to the schedule.
    package init(_ kind: Kind, _ message: String, advice: String? = nil, retryAfter: Milliseconds? = nil) {
        self.kind = kind
        self.message = message
        self.advice = advice
        self.retryAfter = retryAfter.map { min($0, kind == .banned ? Self.longestBan : Self.longestWait) }
    }

    /// Leaves out the server's words if they repeat the key or a part of it: a server may say what it was sent.
    mutating func hide(_ key: String?) {
        guard let key, !key.isEmpty else { return }
        let bytes = Array(key.utf8)
        let isRepeated = (0...max(0, bytes.count - Self.tellingBytes)).contains { start in
            message.includes(String(decoding: bytes[start...].prefix(Self.tellingBytes), as: UTF8.self))
        }
        if isRepeated { message = message.prefix { $0 != ":" } + "; the answer repeats the key, so it is not shown" }
    }

    /// Part of a key that is in no other text by chance.
    private static let tellingBytes = 8

    /// The message and the advice, as one line.
    package var sentence: String { message + (advice.map { "; \($0)" } ?? "") }
}
