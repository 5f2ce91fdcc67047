internal import Time

extension SourceProfile {
    /// The Indian exchange WazirX: all tickers in one response.
    static let wazirX = SourceProfile(
        summary: "the exchange WazirX",
        url: "https://api.wazirx.com/sapi/v1",
        tickersPath: "/tickers/24hr",
        // The documented limit is one request per second, but clients were banned at about one in four seconds.
        limit: HostLimit(host: "api.wazirx.com", interval: .seconds(10)),
        // {"message":"Too many api request","code":2136} comes with more than one status.
        errorCodes: [2_136: .rateLimited])
}
