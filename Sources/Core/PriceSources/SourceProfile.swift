package import Time

/// What is known about a source of prices before it is polled; how its responses are decoded is up to `Feeds`.
package struct SourceProfile: Sendable {
    /// A host that is never polled more often than every ``interval``, whatever the settings say.
    package struct HostLimit: Equatable, Sendable {
        /// In lower case.
        package var host: String
        package var interval: Milliseconds
    }

    /// What an error code in the body of a response means.
    package enum ErrorMeaning: Equatable, Sendable {
        case rateLimited
        case banned
        case rejected
    }

    /// The shortest interval for this machine, and for a source that makes no requests.
    package static let localMinimum = Milliseconds(100)
    /// The shortest interval for a host without a ``limit``.
    package static let otherHostMinimum = Milliseconds.seconds(1)

    /// What the source is, in a few words: `the exchange WazirX`.
    package let summary: String
    /// Where its interface begins, without a slash at the end; nil for a source that makes no requests.
    package let url: String?
    /// What comes after ``url`` to get all tickers.
    package let tickersPath: String
    /// The limit of the source's own host; nil when it has none.
    package let limit: HostLimit?
    /// What its error codes mean, whatever the status of the response; any other code means ``ErrorMeaning/rejected``.
    package let errorCodes: [Int64: ErrorMeaning]

    /// Whether its prices are made up; wherever a price is shown, this is shown as well.
    package var isSimulated: Bool { url == nil }

    package func meaning(ofError code: Int64) -> ErrorMeaning {
        errorCodes[code] ?? .rejected
    }

    /// The shortest interval at which a host may be polled.
    ///
    /// - Parameters:
    ///   - host: in lower case; nil when the address is not known.
    ///   - isLoopback: whether the host is this machine.
    /// - Returns: the interval, and what to call the host in a message.
    package func shortestInterval(host: String?, isLoopback: Bool) -> (interval: Milliseconds, subject: String) {
        if isSimulated { return (Self.localMinimum, "the simulator") }
        guard let host else { return (Self.localMinimum, "any host") }
        if let limit, limit.host == host { return (limit.interval, host) }
        return isLoopback ? (Self.localMinimum, "this machine") : (Self.otherHostMinimum, host)
    }
}

extension SourceProfile {
    static let simulator = SourceProfile(
        summary: "a simulated market", url: nil, tickersPath: "", limit: nil, errorCodes: [:])
}
