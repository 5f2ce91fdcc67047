internal import Time

extension SourceProfile {
    /// The price service CoinRanking: the largest coins, in pages of 100.
    static let coinRanking = SourceProfile(
        summary: "the price service CoinRanking",
        notes:
            "The largest coins, 100 unless `count` says otherwise, as averages over exchanges in US dollars: `btcusd`. "
            + "There is no bid, ask or volume. It needs a key from developers.coinranking.com, stored as the "
            + "systemd credential that `credential` names; if the key is rejected, no further requests are made "
            + "until there is a new one. A free plan has about 5,000 requests a month: 100 coins every 15m, the "
            + "default, take 2,976 in 31 days. Past prices take at most 60 more a day.",
        url: "https://api.coinranking.com/v2",
        // In US dollars, which is also the default.
        tickersPath: "/coins?referenceCurrencyUuid=yhjMzLPhuIDl&orderBy=marketCap&timePeriod=24h",
        limit: HostLimit(hosts: ["api.coinranking.com"], interval: .seconds(60)),
        errorCodes: ["RATE_LIMIT_EXCEEDED": .rateLimited],
        interval: .seconds(15 * 60))
}
