package import Time

/// The properties of a price source that are known before it is polled. Responses are decoded in `Feeds`.
package struct SourceProfile: Sendable {
    /// Hosts that are polled at most once every ``interval``, regardless of the settings.
    package struct HostLimit: Equatable, Sendable {
        /// In lower case, the host of the source's own address first.
        package var hosts: [String]
        package var interval: Milliseconds
    }

    /// The meaning of an error code in the body of a response.
    package enum ErrorMeaning: Equatable, Sendable {
        case rateLimited
        case banned
        /// The server has an internal problem.
        case unavailable
        /// A key is missing or was rejected.
        case unauthorized
        case rejected
    }

    /// A limit shared by all clients behind one IP address, whose usage is in each response.
    package struct SharedLimit: Equatable, Sendable {
        /// The response header with the usage in the current minute, in lower case.
        package var header: String
        /// The maximum usage per minute.
        package var limit: Int
        /// The usage of one poll.
        package var cost: Int

        /// Returns how long the next poll must wait in order not to exceed the limit.
        ///
        /// - Parameters:
        ///   - used: the usage in the current minute.
        ///   - now: the current time; the count restarts with each minute of the clock.
        /// - Returns: nil if no wait is necessary.
        package func pause(after used: Int, at now: WallTime) -> Milliseconds? {
            guard used > limit - cost else { return nil }
            let rest = 60_000 - now.milliseconds.floored(by: 60_000).remainder
            // Allows for a clock difference of two seconds.
            return Milliseconds(rest + 2_000)
        }
    }

    /// The minimum interval for this machine, and for a source that makes no requests.
    package static let localMinimum = Milliseconds(100)
    /// The minimum interval for a host without a ``limit``.
    package static let otherHostMinimum = Milliseconds.seconds(1)

    /// A short description: `the exchange WazirX`.
    package let summary: String
    /// The data and the limits of the source, in whole sentences; for documentation.
    package let notes: String
    /// The base address of the API, without a trailing slash. Nil for a source that makes no requests, and if only
    /// the settings have the address.
    package let url: String?
    /// The path after ``url`` that returns all tickers.
    package let tickersPath: String
    /// The limit of the source's own hosts; nil for none.
    package let limit: HostLimit?
    /// The meanings of error codes, regardless of the status of the response; any other code means
    /// ``ErrorMeaning/rejected``.
    package let errorCodes: [String: ErrorMeaning]

    /// The candles for gaps; nil if the source has none.
    package var candles: CandleProfile?
    /// The default time between polls.
    package var interval = Milliseconds.seconds(30)
    /// Nil if the source has no such limit, or does not report its usage.
    package var sharedLimit: SharedLimit?
    /// True if prices are simulated. This is shown wherever a price is shown.
    package var isSimulated = false

    /// Returns the meaning of an error code of the source; ``ErrorMeaning/rejected`` for an unlisted one.
    package func meaning(ofError code: String) -> ErrorMeaning {
        errorCodes[code] ?? .rejected
    }

    /// Returns the minimum interval for polling a host.
    ///
    /// - Parameters:
    ///   - host: the host in lower case; nil if the address is unknown.
    ///   - isLoopback: true if the host is this machine.
    /// - Returns: the interval, and the name of the host for a message.
    package func shortestInterval(host: String?, isLoopback: Bool) -> (interval: Milliseconds, subject: String) {
        if isSimulated { return (Self.localMinimum, "the simulator") }
        guard let host else { return (Self.localMinimum, "any host") }
        if let limit, limit.hosts.contains(host) { return (limit.interval, host) }
        return isLoopback ? (Self.localMinimum, "this machine") : (Self.otherHostMinimum, host)
    }
}

extension SourceProfile {
    static let simulator = SourceProfile(
        summary: "a simulated market",
        notes: "Makes up prices so that you can try alertd: no requests, 450 markets in INR, USDT, BTC and "
            + "WRX.",
        url: nil, tickersPath: "", limit: nil, errorCodes: [:], isSimulated: true)

    static let json = SourceProfile(
        summary: "any service that answers with JSON",
        notes:
            "Prices are where `items`, `symbol`, `last` and the other JSON pointers say. `url` is the whole address, "
            + "which may have a query, and is the only one that is requested.",
        url: nil, tickersPath: "", limit: nil, errorCodes: [:])
}
