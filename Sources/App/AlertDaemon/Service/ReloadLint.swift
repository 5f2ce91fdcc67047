internal import Configuration
internal import Control
internal import Diagnostics
internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import Market
internal import Rules

extension Daemon {
    /// What prevents new rules from working in the current market; nothing before the first response.
    func blockers(of loaded: LoadedSettings) -> [Finding] {
        loaded.settings.sources.flatMap { blockers(of: loaded, $0.name) }
    }

    private func blockers(of loaded: LoadedSettings, _ source: SourceName) -> [Finding] {
        guard let tickers = pipeline.lane(source)?.batch?.tickers else { return [] }
        let symbols = tickers.map { ($0.symbol, MarketFacts.SymbolFacts(quote: $0.quote?.currency)) }
        let facts = MarketFacts(symbols: Dictionary(symbols) { first, _ in first }) { amount, from, to in
            (try? self.rates.convert(Money(amount, from), to: to)).flatMap { try? Price($0.result) }
        }
        let first = loaded.settings.feed.name
        let own = zip(loaded.settings.rules, loaded.ruleSources).filter { ($0.0.source ?? first) == source }
        return RuleLint(own.map(\.0), own.map(\.1)).blockers(in: facts)
    }
}
