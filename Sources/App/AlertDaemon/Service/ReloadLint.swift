internal import Configuration
internal import Control
internal import Diagnostics
internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import Market
internal import Rules

/// The checks of new settings against the current market.
@LoopActor
struct ReloadLint {
    let loaded: LoadedSettings
    let pipeline: Pipeline
    let rates: RateQuery

    /// A finding about the rule with which a source exceeds the maximum number of alerts. Both the symbols that rules
    /// name and the symbols of the current market count.
    var excess: Finding? {
        for source in loaded.settings.sources {
            let symbols = pipeline.lane(source.name)?.batch?.tickers.map(\.symbol) ?? []
            let count = loaded.settings.sources.count
            if let finding = lint(source.name).excess(on: Set(symbols), sourceCount: count) { return finding }
        }
        return nil
    }

    /// The conditions that keep rules from working; none before the first response.
    var blockers: [Finding] {
        loaded.settings.sources.flatMap { blockers(of: $0.name) }
    }

    private func blockers(of source: SourceName) -> [Finding] {
        guard let tickers = pipeline.lane(source)?.batch?.tickers else { return [] }
        let symbols = tickers.map { ($0.symbol, MarketFacts.SymbolFacts(quote: $0.quote?.currency)) }
        let facts = MarketFacts(symbols: Dictionary(symbols) { first, _ in first }) { amount, from, to in
            (try? rates.convert(Money(amount, from), to: to)).flatMap { try? Price($0.result) }
        }
        return lint(source).blockers(in: facts)
    }

    /// Returns the checks of the rules of one source.
    private func lint(_ source: SourceName) -> RuleLint {
        let first = loaded.settings.feed.name
        let own = zip(loaded.settings.rules, loaded.ruleSources).filter { ($0.0.source ?? first) == source }
        return RuleLint(own.map(\.0), own.map(\.1))
    }
}
