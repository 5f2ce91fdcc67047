package import Time

/// What is known about a source of prices before it is polled; how its responses are decoded is up to `Feeds`.
package struct SourceProfile: Sendable {
    /// Hosts that are never polled more often than every ``interval``, whatever the settings say.
    package struct HostLimit: Equatable, Sendable {
        /// In lower case, the host of the source's own address first.
        package var hosts: [String]
        package var interval: Milliseconds
    }

    /// What an error code in the body of a response means.
    package enum ErrorMeaning: Equatable, Sendable {
        case rateLimited
        case banned
        /// The server has a problem of its own.
        case unavailable
        /// It wants a key, or does not accept the one it got.
        case unauthorized
        case rejected
    }

    /// A limit that everything behind one address shares, of which each response says how much was used.
    package struct SharedLimit: Equatable, Sendable {
        /// The field of the response with what was used in the present minute, in lower case.
        package var header: String
        /// What may be used in a minute.
        package var limit: Int
        /// What a poll uses.
        package var cost: Int

        /// How long the next poll has to wait so that it does not exceed the limit.
        ///
        /// - Parameters:
        ///   - used: what was used in the present minute.
        ///   - now: the current time; the count starts over with each minute of the clock.
        /// - Returns: nil if it need not wait.
        package func pause(after used: Int, at now: WallTime) -> Milliseconds? {
            guard used > limit - cost else { return nil }
            let rest = 60_000 - now.milliseconds.floored(by: 60_000).remainder
            // The clocks need not agree to the second.
            return Milliseconds(rest + 2_000)
        }
    }

    /// The shortest interval for this machine, and for a source that makes no requests.
    package static let localMinimum = Milliseconds(100)
    /// The shortest interval for a host without a ``limit``.
    package static let otherHostMinimum = Milliseconds.seconds(1)

    /// What the source is, in a few words: `the exchange WazirX`.
    package let summary: String
    /// What it gives and what its limits are, in whole sentences; for documentation.
    package let notes: String
    /// Where its interface begins, without a slash at the end; nil for a source that makes no requests, and when only
    /// the settings can say it.
    package let url: String?
    /// What comes after ``url`` to get all tickers.
    package let tickersPath: String
    /// The limit of the source's own hosts; nil when it has none.
    package let limit: HostLimit?
    /// What its error codes mean, whatever the status of the response; any other code means ``ErrorMeaning/rejected``.
    package let errorCodes: [String: ErrorMeaning]

    /// Candles for times in which there were no prices; nil for a source that has none.
    package var candles: CandleProfile?
    /// The time between polls unless the settings say otherwise.
    package var interval = Milliseconds.seconds(30)
    /// Nil when it has none, or does not say how much was used.
    package var sharedLimit: SharedLimit?
    /// Whether its prices are made up; wherever a price is shown, this is shown as well.
    package var isSimulated = false

    /// What an error code of the source means; ``ErrorMeaning/rejected`` for one that is not listed.
    package func meaning(ofError code: String) -> ErrorMeaning {
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
        if let limit, limit.hosts.contains(host) { return (limit.interval, host) }
        return isLoopback ? (Self.localMinimum, "this machine") : (Self.otherHostMinimum, host)
    }
}

extension SourceProfile {
    static let simulator = SourceProfile(
        summary: "a simulated market",
        notes: "Makes prices up, for trying alertd out: no requests, 450 markets in INR, USDT, BTC and WRX.", url: nil,
        tickersPath: "", limit: nil, errorCodes: [:], isSimulated: true)

    static let json = SourceProfile(
        summary: "any service that answers with JSON",
        notes:
            "Prices are where `items`, `symbol`, `last` and the other JSON pointers say. `url` is the whole address, "
            + "which may have a query, and is the only one that is requested.",
        url: nil, tickersPath: "", limit: nil, errorCodes: [:])
}
