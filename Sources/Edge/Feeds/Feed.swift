package import EventLoop
internal import HTTP
package import Market
package import PriceSources
internal import Text
package import Time

/// A source of tickers.
@LoopActor
package protocol Feed: AnyObject {
    /// The type of the source. Several feeds may have the same type.
    var source: PriceSource { get }
    /// The address that is polled, or nil for a source that makes no requests.
    var url: String? { get }

    /// Polls once. Do not call it again before it has returned.
    func poll() async throws(FeedFailure) -> TickerBatch

    /// Requests the past prices of a coin. Not every source has them.
    ///
    /// - Parameters:
    ///   - identity: The source's own id of the coin.
    ///   - period: The period to look back.
    /// - Returns: The past prices, at least one.
    /// - Throws: ``FeedFailure``.
    func history(of identity: String, over period: PricePeriod) async throws(FeedFailure) -> CoinHistory

    /// Allows a key that was not accepted to be used again, because the settings were reloaded.
    func forgetRefusal()
}

extension Feed {
    package func history(of identity: String, over period: PricePeriod) async throws(FeedFailure) -> CoinHistory {
        throw FeedFailure(.unusable, "\(name) has no past prices of coins")
    }

    package func forgetRefusal() {}

    /// The name of the source for users: `wazirx`, `simulator`.
    package var name: String { source.rawValue }
    /// True if prices are made up. Every output that shows a price must say so.
    package var isSimulated: Bool { source.profile.isSimulated }
}

/// The reason why a poll, or a request for reference rates, returned nothing usable.
package struct FeedFailure: Error, Equatable, Sendable {
    /// The kind of a failure. `status` shows the raw values.
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
        /// Status 418, or an error code with that meaning: the address is temporarily banned.
        case banned
        /// Status 403: the web firewall, or a wrong path.
        case forbidden
        /// Status 401, or an error code with that meaning: a key is missing or not accepted.
        case unauthorized
        /// Any other 4xx status, or an error code in a body.
        case rejected
        /// A 5xx status.
        case serverError = "server_error"
        /// HTML or other text where JSON should be.
        case notJSON = "not_json"
        case emptyResponse = "empty"
        /// Invalid data, or data without anything usable.
        case unusable
        case settings
        case other
    }

    /// The kind of the failure. After a ban or a refusal by the firewall, the next request waits for at least
    /// ``shortestBan``.
    package var kind: Kind
    /// The description of the failure, without a full stop.
    package var message: String
    /// Advice on what to do about the failure, or nil if waiting for the next request is enough.
    package var advice: String?
    /// True if no request is made again until someone has followed ``advice``.
    package var isFinal = false
    /// The wait that the server asked for, at most ``longestWait`` or ``longestBan``, or nil if it did not ask for
    /// one.
    package private(set) var retryAfter: Milliseconds?

    /// The longest wait that a server can ask for, except with a ban. A mistaken or hostile number must not stop
    /// polling for days.
    package static let longestWait = Milliseconds.seconds(3_600)
    /// The longest ban that exchanges document.
    package static let longestBan = Milliseconds.seconds(3 * 86_400)

    /// Creates a failure. `retryAfter` is the wait that the server asked for; nil leaves the wait to the schedule.
    package init(_ kind: Kind, _ message: String, advice: String? = nil, retryAfter: Milliseconds? = nil) {
        self.kind = kind
        self.message = message
        self.advice = advice
        self.retryAfter = retryAfter.map { min($0, kind == .banned ? Self.longestBan : Self.longestWait) }
    }

    /// Removes the server's text if it repeats the key or a part of it. A server may echo what it was sent.
    mutating func hide(_ key: String?) {
        guard let key, !key.isEmpty else { return }
        let bytes = Array(key.utf8)
        let isRepeated = (0...max(0, bytes.count - Self.tellingBytes)).contains { start in
            message.includes(String(decoding: bytes[start...].prefix(Self.tellingBytes), as: UTF8.self))
        }
        let fragments = SecretFragments(secrets: [key])
        if isRepeated || fragments.occur(in: message) {
            message = message.prefix { $0 != ":" } + "; the response contains the key, so it is not shown"
        }
    }

    /// The minimum length in bytes of a repeated part of a key. Shorter parts may occur in another text by chance.
    private static let tellingBytes = 8

    /// The message and the advice, on one line.
    package var sentence: String { message + (advice.map { "; \($0)" } ?? "") }
}
