internal import Time

extension SourceProfile {
    /// The exchange Kraken: all tickers in one response.
    static let kraken = SourceProfile(
        summary: "the exchange Kraken",
        notes: "All spot markets, about 1,000, in one response of 200 kB; `XXBTZUSD` is `btcusd` here, and `XDG` is "
            + "`doge`. The change since yesterday is the change since midnight UTC. Users report that about 30 "
            + "requests in a row are too many, but one per second is not.",
        url: "https://api.kraken.com/0/public",
        // The newer names, in which a slash separates the assets.
        tickersPath: "/Ticker?assetVersion=1",
        limit: HostLimit(hosts: ["api.kraken.com"], interval: .seconds(5)),
        errorCodes: [
            "EGeneral:Too many requests": .rateLimited, "EAPI:Rate limit exceeded": .rateLimited,
            "EService:Throttled": .rateLimited, "EGeneral:Temporary lockout": .banned,
            "EService:Unavailable": .unavailable, "EService:Busy": .unavailable, "EService:Timeout": .unavailable,
            "EService:Deadline elapsed": .unavailable, "EGeneral:Internal error": .unavailable,
        ], candles: CandleProfile(limit: 720, isNewestOnly: true))
}
