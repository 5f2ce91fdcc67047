internal import Time

extension SourceProfile {
    /// The exchange Binance: all tickers in one response.
    static let binance = SourceProfile(
        summary: "the exchange Binance",
        notes:
            "All spot markets, about 3,500, in one response of 2 MB. A request costs 80 of the 6,000 weight units per "
            + "minute that everything behind one address shares; if they are nearly used up, the next poll waits for "
            + "the next minute. The exchange bans addresses that ignore its rate "
            + "limits, for 2 minutes to 3 days. If it refuses requests from your country (status 451), set `url` to "
            + "\"https://data-api.binance.vision/api/v3\", which has public data only. Base and quote assets are known "
            + "for the usual quote assets. A few coins whose symbols are not letters and digits are left out.",
        url: "https://api.binance.com/api/v3",
        tickersPath: "/ticker/24hr",
        // At 80 of 6,000 weight units a minute, 75 requests would be allowed, but each response is 2 MB.
        limit: HostLimit(hosts: ["api.binance.com", "data-api.binance.vision"], interval: .seconds(10)),
        errorCodes: ["-1003": .rateLimited, "-1015": .rateLimited, "-1001": .unavailable, "-1000": .unavailable],
        // A response costs 2 weight units.
        candles: CandleProfile(limit: 1_000),
        // 6,000 weight units a minute for each address. A request for all tickers uses 80 of them.
        sharedLimit: SharedLimit(header: "x-mbx-used-weight-1m", limit: 6_000, cost: 80))
}
