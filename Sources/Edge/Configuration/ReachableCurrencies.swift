internal import ExchangeRates
internal import Market
internal import Rules

/// The currencies that the European Central Bank gives reference rates for, and the euro. It changes once in years: a
/// currency that is new there makes a warning here, but works.
private let referenceCurrencies = Set(
    """
    EUR USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB
    ZAR
    """.split { $0 == " " || $0 == "\n" }.map(String.init))

extension Rule {
    /// Whether the prices of its symbols may come into the currency: by a reference rate or a fixed one, by what USDT
    /// counts as, or because a market may be in it.
    func canReach(_ currency: Currency, tetherCountsAs: Currency?) -> Bool {
        let name = "\(currency)"
        if referenceCurrencies.contains(name) || currency == tetherCountsAs { return true }
        if FixedRate.of(currency) != nil { return true }
        if name == "USDT", tetherCountsAs != nil { return true }
        return symbols.contains { $0.text.hasSuffix("*") || $0.text.hasSuffix(name.lowercased()) }
    }
}
