internal import Time

extension SourceProfile {
    /// The Indian exchange WazirX: all tickers in one response.
    static let wazirX = SourceProfile(
        summary: "the exchange WazirX",
        notes: "All markets, about 400, in one response of 100 kB; prices in INR and USDT. The documented limit is one "
            + "request per second, but addresses were banned for one request in four seconds.",
        url: "https://api.wazirx.com/sapi/v1",
        tickersPath: "/tickers/24hr",
        limit: HostLimit(hosts: ["api.wazirx.com"], interval: .seconds(10)),
        // The status of {"message":"Too many api request","code":2136} varies.
        errorCodes: ["2136": .rateLimited],
        // Code 2136 was seen after 52 requests in 199 s, 30 of them in one minute. This spacing allows 10 a minute.
        candles: CandleProfile(limit: 2_000, spacing: .seconds(6)))
}
