internal import HTTP
internal import Market
internal import PriceSources
internal import Time

extension FeedFailure {
    /// Classifies a response without tickers: a status other than 200, or an error in its body.
    init(status: Int, error: ReportedError?, retryAfter: Milliseconds?, of peer: Peer) {
        let text = error.map { ": \(peer.quoted($0.error))" } ?? ""
        switch (error?.meaning, status) {
        // A ban often has the code of a rate limit.
        case (.banned, _), (_, 418):
            self.init(
                .banned, "\(peer.name) has temporarily banned this address (status \(status))" + text,
                advice: "wait for the ban to end, then raise `interval` in \(peer.section)", retryAfter: retryAfter)
        case (.rateLimited, _), (_, 429):
            self.init(
                .rateLimited, "\(peer.name) is limiting the request rate (status \(status))" + text,
                advice: "raise `interval` in \(peer.section) to poll less often", retryAfter: retryAfter)
        case (.unauthorized, _), (_, 401):
            self.init(
                .unauthorized, "\(peer.name) requires a valid key (status \(status))" + text,
                advice: "get a new key and store it as the credential", retryAfter: retryAfter)
        case (.unavailable, _):
            self.init(
                .serverError, "\(peer.name) is not available (status \(status))" + text, retryAfter: retryAfter)
        case (_, 403):
            self.init(
                .forbidden, "\(peer.name)'s firewall refused the request (status 403)" + text,
                advice: "check `url` in \(peer.section); if it is correct, poll less often", retryAfter: retryAfter)
        case (_, 400...499), (.rejected, 200):
            self.init(
                .rejected, "\(peer.name) rejected the request (status \(status))" + text,
                advice: "check `url` in \(peer.section)", retryAfter: retryAfter)
        case (_, 500...599):
            self.init(
                .serverError, "\(peer.name) has an internal error (status \(status))" + text, retryAfter: retryAfter)
        case (_, 300...399):
            self.init(
                .redirect, "\(peer.name) sent a redirect without a destination (status \(status))",
                advice: "check `url` in \(peer.section)", retryAfter: retryAfter)
        default:
            self.init(
                .other, "unexpected response from \(peer.name) (status \(status))" + text,
                advice: "check `url` in \(peer.section)", retryAfter: retryAfter)
        }
    }

    /// Classifies a response with status 200 that does not decode.
    init(
        _ failure: DecodingFailure, of element: String = "ticker", retryAfter: Milliseconds?,
        from peer: Peer
    ) {
        let wrongAddress = peer.wrongAddress
        switch failure {
        case .exchangeError(let error):
            let reported = ReportedError(error: error, meaning: .rejected)
            self.init(status: 200, error: reported, retryAfter: retryAfter, of: peer)
        case .notJSON(isHTML: true):
            self.init(.notJSON, "\(peer.name) sent a web page instead of prices", advice: wrongAddress)
        case .notJSON(isHTML: false):
            self.init(.notJSON, "\(peer.name) sent text that is not JSON", advice: wrongAddress)
        case .unexpectedObject:
            self.init(.unusable, "\(peer.name) sent JSON that is not a list of \(element)s", advice: wrongAddress)
        case .emptyBody:
            self.init(.emptyResponse, "\(peer.name) sent an empty response")
        case .emptyArray:
            self.init(.emptyResponse, "\(peer.name) sent an empty list of \(element)s")
        case .structureLost:
            self.init(.unusable, "\(peer.name) sent invalid or truncated JSON")
        case .noUsableElement(let count, let example):
            let first = example.map { "; the first is \(peer.secrets.redacted($0))" } ?? ""
            self.init(
                .unusable, "none of the \(count) elements received is a valid \(element)\(first)",
                advice: wrongAddress)
        case .tooManyElements(let limit):
            self.init(.tooLarge, "\(peer.name) sent more than \(limit) \(element)s", advice: wrongAddress)
        case .outOfMemory:
            self.init(
                .other, "out of memory while reading the response",
                advice: "free memory, or raise the memory limit of the unit")
        }
    }
}

/// The server that a request goes to, for messages.
struct Peer {
    let name: String
    /// The settings table that configures the server.
    let section: String
    /// The source of prices, or nil for exchange rates.
    let source: PriceSource?
    /// The secrets of requests, which a response may repeat.
    var secrets: SecretFragments

    /// Creates the peer of a feed. CoinRanking is not an exchange, and a service that answers with JSON may be
    /// anything.
    init(_ parameters: FeedParameters) {
        (source, section) = (parameters.source, parameters.section)
        secrets = SecretFragments(secrets: [], queries: [parameters.url])
        switch parameters.source {
        case .coinranking: name = "CoinRanking"
        case .json: name = "the service"
        default: name = "the exchange"
        }
    }

    /// Creates the peer of a feed of exchange rates.
    init(ratesAt address: String) {
        (name, section, source) = ("the source of exchange rates", "[rates]", nil)
        secrets = SecretFragments(secrets: [], queries: [address])
    }

    func meaning(ofError code: String) -> SourceProfile.ErrorMeaning {
        source?.profile.meaning(ofError: code) ?? .rejected
    }

    /// Advice about a response that makes no sense.
    var wrongAddress: String {
        "check `url` in \(section); a proxy or login page may be answering instead of \(name)"
    }

    /// Returns a text from the network that is safe to show, or a note if it repeats a secret.
    func shown(_ text: String) -> String {
        secrets.occur(in: text) ? SecretFragments.note : untrusted(text)
    }

    func quoted(_ error: ExchangeError) -> String {
        guard !secrets.occur(in: error.message), !secrets.occur(in: error.code) else { return SecretFragments.note }
        guard !error.message.isEmpty else { return "\"\(untrusted(error.code))\"" }
        let message = "\"\(untrusted(error.message))\""
        return error.code.isEmpty ? message : "\(message) (code \(untrusted(error.code)))"
    }
}

/// Returns an address without its user, query and fragment, which may contain secrets.
func publicAddress(_ address: String) -> String {
    let start = address.prefix { !"?#".contains($0) }
    let scheme = start.prefix { $0 != "/" }
    let slashes = start.dropFirst(scheme.count).prefix { $0 == "/" }
    let rest = start.dropFirst(scheme.count + slashes.count)
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return "\(scheme)\(slashes)\(host)\(rest.dropFirst(authority.count))"
}

extension FeedFailure {
    /// Classifies an error that prevented a complete response.
    init(_ error: HTTPError, address: String, of peer: Peer) {
        switch error {
        case .badAddress, .plainHTTPRefused, .authorityFile, .redirectRefused, .bodyTooLarge:
            self.init(settings: error, address: address, of: peer)
        default:
            self.init(network: error, of: peer)
        }
    }

    private init(settings error: HTTPError, address: String, of peer: Peer) {
        switch error {
        case .badAddress(let text):
            self.init(
                .settings, "`\(untrusted(publicAddress(text)))` is not an http or https address",
                advice: "correct `url` in \(peer.section)")
        case .plainHTTPRefused(let host):
            self.init(
                .settings, "refusing unencrypted http to \(untrusted(host))",
                advice: "use https in `url`, or set `allow_http = true` in \(peer.section)")
        case .authorityFile(let text):
            self.init(
                .settings, "cannot read the trusted certificates: \(peer.shown(text))",
                advice: "correct `ca_file` in \(peer.section)")
        case .redirectRefused(let place):
            self.init(
                .redirect, "refusing the redirect from \(peer.name) to \(untrusted(place))",
                advice: "if it has moved there, change `url` in \(peer.section)")
        case .bodyTooLarge(let limit):
            self.init(.tooLarge, "the response is longer than \(limit) bytes", advice: peer.wrongAddress)
        default:
            self.init(
                .settings, "cannot send a request to \(untrusted(publicAddress(address)))",
                advice: "check `url` in \(peer.section)")
        }
    }

    private init(network error: HTTPError, of peer: Peer) {
        switch error {
        case .resolutionFailed(let host):
            self.init(
                .resolution, "cannot resolve the host name \(untrusted(host))",
                advice: "check the network and name resolution (`getent hosts \(untrusted(host))`)")
        case .connectionRefused:
            self.init(.refused, "connection refused", advice: "check the host and port of `url` in \(peer.section)")
        case .unreachable(let text):
            self.init(
                .unreachable, "cannot reach \(peer.name): \(peer.shown(text))",
                advice: "check the network, the route and the firewall")
        case .connectTimeout(let limit):
            self.init(.timeout, "connection timed out after \(limit)", advice: "check the network and the firewall")
        case .timeout(let limit):
            self.init(.timeout, "request timed out after \(limit)")
        case .tls(let text):
            self.init(
                .tls, "secure connection failed: \(peer.shown(text))",
                advice: "check the machine's clock and certificates (package ca-certificates), "
                    + "or `ca_file` in \(peer.section)")
        case .truncated:
            self.init(.truncated, "the connection was closed before the response was complete")
        case .cancelled:
            self.init(.other, "the request was cancelled")
        case .other(let text):
            self.init(
                .other, "request failed: \(peer.shown(text))",
                advice: "check the network and `url` in \(peer.section)")
        default:
            self.init(.other, "request failed", advice: "check the network and `url` in \(peer.section)")
        }
    }
}
