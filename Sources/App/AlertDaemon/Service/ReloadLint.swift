internal import Configuration
internal import Control
internal import Diagnostics
internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import Market

extension Daemon {
    /// What prevents new rules from working in the current market; nothing before the first response.
    func blockers(of loaded: LoadedSettings) -> [Finding] {
        guard let tickers = pipeline.batch?.tickers else { return [] }
        let symbols = tickers.map { ($0.symbol, MarketFacts.SymbolFacts(quote: $0.quote?.currency)) }
        let facts = MarketFacts(symbols: Dictionary(symbols) { first, _ in first }) { amount, from, to in
            (try? self.rates.convert(Money(amount, from), to: to)).flatMap { try? Price($0.result) }
        }
        return RuleLint(loaded.settings.rules, loaded.ruleSources).blockers(in: facts)
    }
}
