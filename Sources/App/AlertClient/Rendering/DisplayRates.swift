internal import Control
internal import ExchangeRates
internal import Market
internal import Time

/// The daemon's exchange rates, for converting displayed prices.
struct DisplayRates {
    let converter: CurrencyConverter
    /// True if the reference rates are older than the daemon's limit.
    let isStale: Bool
    let ageDays: Int?

    static let none = DisplayRates(converter: CurrencyConverter(nil), isStale: false, ageDays: nil)

    private init(converter: CurrencyConverter, isStale: Bool, ageDays: Int?) {
        self.converter = converter
        self.isStale = isStale
        self.ageDays = ageDays
    }

    /// Reads a reply; invalid rates are ignored.
    init(_ reply: RatesReply) {
        converter = CurrencyConverter(
            RateTable(reply), pegs: reply.pegs.compactMap(ExchangeRate.init),
            markets: reply.markets.compactMap(ExchangeRate.init))
        isStale = reply.stale
        ageDays = reply.ageDays
    }
}

extension RateTable {
    fileprivate init?(_ reply: RatesReply) {
        guard let date = reply.date.flatMap(CivilDate.init), let source = reply.source else { return nil }
        let rates = reply.rates.compactMap { rate -> (currency: Currency, rate: Price)? in
            guard let currency = Currency(rate.currency), let price = try? Price(rate.rate) else { return nil }
            return (currency, price)
        }
        self.init(date: date, source: source, rates: rates)
    }
}

extension ExchangeRate {
    fileprivate init?(_ peg: CurrencyPeg) {
        guard let coin = Currency(peg.currency), let currency = Currency(peg.countsAs),
            let rate = ExchangeRate.peg(coin, to: currency)
        else { return nil }
        self = rate
    }

    fileprivate init?(_ step: RateStep) {
        guard let base = Currency(step.base), let quote = Currency(step.quote), let rate = try? Price(step.rate),
            step.basis == .market, let name = step.source
        else { return nil }
        self.init(base: base, quote: quote, rate: rate, basis: .market(name))
    }
}
