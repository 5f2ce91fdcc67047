internal import ExchangeRates
internal import Market
internal import Rules

/// The euro and the currencies with reference rates of the European Central Bank. The list changes once in several
/// years. A currency that is missing here gets a warning, but works.
private let referenceCurrencies = Set(
    """
    EUR USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB
    ZAR
    """.split { $0 == " " || $0 == "\n" }.map(String.init))

extension Rule {
    /// Returns true if prices of the rule's symbols may be convertible to the currency: by a reference rate or a
    /// fixed rate, through the currency that USDT is treated as, or because a symbol may be quoted in it.
    func canReach(_ currency: Currency, tetherCountsAs: Currency?) -> Bool {
        let name = "\(currency)"
        if referenceCurrencies.contains(name) || currency == tetherCountsAs { return true }
        if FixedRate.of(currency) != nil { return true }
        if name == "USDT", tetherCountsAs != nil { return true }
        return symbols.contains { $0.text.hasSuffix("*") || $0.text.hasSuffix(name.lowercased()) }
    }
}
