internal import HTTP
internal import Market
internal import Time

extension FeedFailure {
    /// What an answer with another status than 200 means.
    init(status: Int, exchangeError: (code: Int64, message: String)?, retryAfter: Milliseconds?) {
        if let exchangeError, exchangeError.code == rateLimitCode {
            self.init(rateLimit: exchangeError, retryAfter: retryAfter)
            return
        }
        let said = exchangeError.map { ": \(quoted($0))" } ?? ""
        switch status {
        case 429:
            self.init(
                .rateLimited, "the exchange limits the rate of requests (status 429)" + said,
                advice: "poll less often: raise `interval` in [feed]; the next request waits", retryAfter: retryAfter)
        case 418:
            self.init(
                .banned, "the exchange has banned this address for a while (status 418)" + said,
                advice: "wait until the ban is over, then raise `interval` in [feed]", retryAfter: retryAfter)
        case 403:
            self.init(
                .forbidden, "the exchange's firewall refuses the request (status 403)" + said,
                advice: "check `url` in [feed]; if it is right, poll less often", retryAfter: retryAfter)
        case 400...499:
            self.init(
                .rejected, "the exchange rejects the request (status \(status))" + said,
                advice: "check `url` in [feed]", retryAfter: retryAfter)
        case 500...599:
            self.init(
                .serverError, "the exchange has a fault of its own (status \(status))" + said,
                advice: "nothing to do here: it is asked again, later each time", retryAfter: retryAfter)
        case 300...399:
            self.init(
                .redirect, "the exchange points elsewhere without saying where (status \(status))",
                advice: "check `url` in [feed]", retryAfter: retryAfter)
        default:
            self.init(
                .other, "the exchange answers with status \(status), which has no meaning here" + said,
                advice: "check `url` in [feed]", retryAfter: retryAfter)
        }
    }

    /// What an answer with status 200 that gives no tickers means.
    init(_ failure: DecodingFailure, retryAfter: Milliseconds?) {
        let askedAgain = "nothing to do here: it is asked again, later each time"
        switch failure {
        case .exchangeError(let code, let message) where code == rateLimitCode:
            self.init(rateLimit: (code, message), retryAfter: retryAfter)
        case .exchangeError(let code, let message):
            self.init(
                .rejected, "the exchange answers with an error: \(quoted((code, message)))",
                advice: "check `url` in [feed]", retryAfter: retryAfter)
        case .notJSON(isHTML: true):
            self.init(.notJSON, "the exchange sent a web page instead of prices", advice: wrongAddress)
        case .notJSON(isHTML: false):
            self.init(.notJSON, "the exchange sent text that is no JSON", advice: wrongAddress)
        case .unexpectedObject:
            self.init(.unusable, "the exchange sent JSON that is no list of tickers", advice: wrongAddress)
        case .emptyBody:
            self.init(.emptyResponse, "the exchange sent an answer without a body", advice: askedAgain)
        case .emptyArray:
            self.init(.emptyResponse, "the exchange sent an empty list of tickers", advice: askedAgain)
        case .structureLost:
            self.init(.unusable, "the exchange sent broken or cut-off JSON", advice: askedAgain)
        case .noUsableElement(let count):
            self.init(.unusable, "none of the \(count) elements sent is a ticker", advice: wrongAddress)
        case .tooManyElements:
            self.init(
                .tooLarge, "the exchange sent more than \(TickerDecoder.elementLimit) tickers", advice: wrongAddress)
        case .outOfMemory:
            self.init(.other, "there is no memory to read the answer", advice: "free memory, or raise the unit's limit")
        }
    }

    private init(rateLimit error: (code: Int64, message: String), retryAfter: Milliseconds?) {
        self.init(
            .rateLimited, "the exchange limits the rate of requests: \(quoted(error))",
            advice: "poll less often: raise `interval` in [feed]; the next request waits", retryAfter: retryAfter)
    }
}

/// Who is asked, for messages.
struct Peer {
    let name: String
    /// The table of the settings that is about it.
    let section: String

    static let exchange = Peer(name: "the exchange", section: "[feed]")
    static let rateSource = Peer(name: "the source of exchange rates", section: "[rates]")

    /// What to do about an answer that makes no sense.
    var wrongAddress: String {
        "check `url` in \(section); something other than \(name) may answer (a proxy, a login page)"
    }
}

extension FeedFailure {
    /// What it means that there is no complete answer.
    init(_ error: HTTPError, address: String, of peer: Peer = .exchange) {
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
                .settings, "`\(untrusted(text))` is no http or https address",
                advice: "correct `url` in \(peer.section)")
        case .plainHTTPRefused(let host):
            self.init(
                .settings, "plain http to \(untrusted(host)) is refused",
                advice: "use https in `url`, or set `allow_http = true` in \(peer.section)")
        case .authorityFile(let text):
            self.init(
                .settings, "the certificates of authorities cannot be read: \(untrusted(text))",
                advice: "correct `ca_file` in \(peer.section)")
        case .redirectRefused(let place):
            self.init(
                .redirect, "\(peer.name) points elsewhere, to \(untrusted(place)), which is not followed",
                advice: "if that is its new home, set `url` in \(peer.section) to it")
        case .bodyTooLarge(let limit):
            self.init(
                .tooLarge, "the answer is longer than \(limit) bytes", advice: peer.wrongAddress)
        default:
            self.init(.settings, "\(untrusted(address)) cannot be asked", advice: "check `url` in \(peer.section)")
        }
    }

    private init(network error: HTTPError, of peer: Peer) {
        switch error {
        case .resolutionFailed(let host):
            self.init(
                .resolution, "the name \(untrusted(host)) cannot be resolved",
                advice: "check the network and name resolution (`resolvectl query \(untrusted(host))`)")
        case .connectionRefused:
            self.init(
                .refused, "the connection was refused", advice: "check host and port of `url` in \(peer.section)")
        case .unreachable(let text):
            self.init(
                .unreachable, "\(peer.name) cannot be reached: \(untrusted(text))",
                advice: "check the network, the route and the firewall")
        case .connectTimeout:
            self.init(
                .timeout, "no connection within the time limit", advice: "check the network and the firewall")
        case .timeout:
            self.init(
                .timeout, "no complete answer within the time limit",
                advice: "nothing to do here unless it stays: then check the network")
        case .tls(let text):
            self.init(
                .tls, "no secure connection: \(untrusted(text))",
                advice:
                    "check the machine's clock and certificates (package ca-certificates), "
                    + "or `ca_file` in \(peer.section)"
            )
        case .truncated:
            self.init(
                .truncated, "the connection ended before the answer did",
                advice: "nothing to do here: it is asked again, later each time")
        case .cancelled:
            self.init(.other, "the request was cancelled", advice: "nothing to do here")
        case .other(let text):
            self.init(
                .other, "the request failed: \(untrusted(text))",
                advice: "check the network and `url` in \(peer.section)")
        default:
            self.init(.other, "the request failed", advice: "check the network and `url` in \(peer.section)")
        }
    }
}

/// The code of `{"message":"Too many api request","code":2136}`, which comes with more than one status.
private let rateLimitCode: Int64 = 2_136

private let wrongAddress = Peer.exchange.wrongAddress

private func quoted(_ error: (code: Int64, message: String)) -> String {
    "\"\(untrusted(unescapingSimple(error.message)))\" (code \(error.code))"
}
